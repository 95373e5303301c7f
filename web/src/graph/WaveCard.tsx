// The newest wave in words, with replay: what was written, what ran, where it stopped.
import type {Pulse} from '@krtscope/shared/stream.ts';
import {Button} from '../ui/Button.tsx';
import {Sentence} from '../why/Sentence.tsx';
import {waveSentence} from './wave.ts';

export function WaveCard({
  wave,
  readers,
  onReplay,
}: {
  wave: Pulse;
  readers: (collection: string) => string[];
  onReplay: () => void;
}) {
  return (
    <section className="gcard wave-card" aria-label={`Wave at ${wave.sequence}`}>
      <header className="gcard-head">
        <span className="label">Wave @{wave.sequence}</span>
        <Button size="small" icon="play" keys="Space" onClick={onReplay}>
          Replay
        </Button>
      </header>
      <p className="wave-words">
        <Sentence parts={waveSentence(wave, readers)} plain />
      </p>
    </section>
  );
}

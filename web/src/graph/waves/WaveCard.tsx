// The newest wave in words, in a bar above the picture: it never lies on what it tells about, and its room is always kept.
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {Sentence} from '../../why/answer/Sentence.tsx';
import {waveSentence} from './wave-sentence.ts';
import './wave-card.css';

export function WaveCard({
  wave,
  readers,
  onReplay,
}: {
  wave: BatchPulse | undefined;
  readers: (collection: string) => string[];
  onReplay: () => void;
}) {
  if (wave === undefined)
    return (
      <div className="graph-dock wave-card">
        <p className="wave-words wave-none">Nothing has run here since you opened it.</p>
      </div>
    );
  const parts = waveSentence(wave, readers);
  const words = parts.map(part => ('text' in part ? part.text : 'code' in part ? part.code : '')).join('');
  return (
    <section className="graph-dock wave-card" aria-label={`Wave at #${wave.sequence}`}>
      <span className="label">#{wave.sequence}</span>
      <p className="wave-words" title={words}>
        <Sentence parts={parts} plain />
      </p>
      <Button size="small" icon="play" keys="Space" onClick={onReplay}>
        Replay
      </Button>
    </section>
  );
}

// The newest wave in one sentence, in a bar above the drawing.

import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {meaningOf} from '../../app/keys/glossary.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {Sentence} from '../../why/answer/Sentence.tsx';
import {waveSentence} from './wave-sentence.ts';
import './wave-card.css';

export function WaveCard({
  wave,
  readers,
  kindOf,
  onReplay,
}: {
  wave: BatchPulse | undefined;
  readers: (collection: string) => string[];
  kindOf: (collection: string) => string;
  onReplay: () => void;
}) {
  if (wave === undefined)
    return (
      <div className="graph-dock wave-card">
        <p className="wave-words wave-none">No runs since you opened this page.</p>
      </div>
    );
  const parts = waveSentence(wave, readers, kindOf);
  const words = parts.map(part => ('text' in part ? part.text : 'code' in part ? part.code : '')).join('');
  return (
    <section className="graph-dock wave-card" aria-label={`Wave at #${wave.sequence}`}>
      <span className="label" title={meaningOf('batch')}>
        #{wave.sequence}
      </span>
      <p className="wave-words" title={words}>
        <Sentence parts={parts} plain />
      </p>
      <Button size="small" icon="play" keys="Space" onClick={onReplay}>
        Replay
      </Button>
    </section>
  );
}

// The newest wave in one sentence, in a bar above the drawing.

import type {BatchPulse} from '@krtscope/shared/stream.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {meaningOf} from '../../app/keys/glossary.ts';
import {navigate} from '../../store/app.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {clearSupposition} from '../../what-if/supposition.ts';
import {Sentence} from '../../why/answer/Sentence.tsx';
import {waveSentence} from './wave-sentence.ts';
import './wave-card.css';

/** The wave that an answer of What if supposes. */
export function SupposedWaveCard({parts, onReplay}: {parts: readonly SentencePart[]; onReplay: () => void}) {
  const words = parts.map(part => ('text' in part ? part.text : 'code' in part ? part.code : '')).join('');
  return (
    <section className="graph-dock wave-card wave-supposed" aria-label="Supposed wave">
      <span className="wave-if">What if</span>
      <p className="wave-words" title={words}>
        <Sentence parts={parts} plain />
      </p>
      <Button size="small" icon="play" keys="Space" onClick={onReplay}>
        Replay
      </Button>
      <Button size="small" onClick={() => navigate({view: 'what-if'})}>
        Back to the edits
      </Button>
      <Button size="small" look="ghost" onClick={clearSupposition}>
        Clear
      </Button>
    </section>
  );
}

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

// Why the item changed, in one sentence, with links to the explanations.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {navigate} from '../store/app.ts';
import {Button} from '../ui/controls/Button.tsx';
import {CopyButton} from '../ui/controls/CopyButton.tsx';
import {openWhatIf} from '../what-if/open-what-if.ts';
import './cause-summary.css';

const outcomeTitles: Partial<Record<ItemDetail['outcome'], string>> = {
  empty: 'Why it is empty',
  failed: 'Why it failed',
  suspended: 'Why it is waiting',
  deleted: 'Why it was deleted',
  discarded: 'Why it was discarded',
  added: 'Why it appeared',
};

/** Drops the item's name, because the panel shows it above. */
function causeWords(sentence: string): string {
  const [, cause] = /^\S+ .*? because (.+)$/s.exec(sentence) ?? [];
  const text = cause ?? sentence;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Shows names and values as code, and the new value in the colour of a change. */
function SentenceText({text}: {text: string}) {
  const parts = text.split(
    /(fetch\([^)]*\)|(?<=\bto )[^\s;,]+(?=[;,.]|$)|\b[A-Z]\w+\/[\w.:/-]*\w|\b[a-z0-9.-]+\.[a-z]+\/[\w.-]*\w|(?<=\bfrom )\S+(?= to ))/,
  );
  return parts.map((part, at) => {
    if (at % 2 === 0) return part;
    const became = parts[at - 1]?.endsWith('to ') ?? false;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence have no other identity
      <code key={at} className={became ? 'said-became' : ''}>
        {part}
      </code>
    );
  });
}

export function WhyButtons() {
  return (
    <>
      <Button look="primary" size="small" keys="o" onClick={() => navigate({view: 'origin'})}>
        Why this value?
      </Button>
      <Button size="small" keys="w" onClick={() => navigate({view: 'why'})}>
        Why it ran
      </Button>
      <Button size="small" keys="Shift+W" onClick={() => navigate({view: 'why-not'})}>
        Why not
      </Button>
    </>
  );
}

export function CauseSummary({item, buttons}: {item: ItemDetail; buttons: boolean}) {
  const title = outcomeTitles[item.outcome] ?? 'Why it changed';
  const equal = equalRunsSince(item);
  return (
    <footer className="inspector-foot column gap-8">
      <section className="column gap-8" aria-label={title}>
        <span className="label">{title}</span>
        <p className="inspector-sentence">
          <SentenceText text={causeWords(item.sentence)} />
        </p>
        {equal === 0 ? null : (
          <p className="inspector-since">
            {equal} equal {equal === 1 ? 'run' : 'runs'} since.
          </p>
        )}
        {item.error ? <p className="inspector-error mono">{item.error}</p> : null}
      </section>
      {buttons ? (
        <div className="inspector-buttons row gap-6">
          <WhyButtons />
          <Button size="small" keys="g" onClick={() => navigate({view: 'graph'})}>
            Graph
          </Button>
          <Button
            size="small"
            keys="Shift+I"
            title="Try a change in a copy of the graph (Shift+I)"
            onClick={() => openWhatIf({collection: item.collection, key: item.key})}
          >
            What if…
          </Button>
          <span className="inspector-space" />
          <CopyButton text={item.sentence} label="Copy sentence" />
        </div>
      ) : null}
    </footer>
  );
}

/** The sentence explains the last change. Later runs were equal, so they need their own line. */
function equalRunsSince({outcome, strip, at}: ItemDetail): number {
  return outcome === 'equal' ? strip.filter(mark => mark.outcome === 'equal' && mark.at >= at).length : 0;
}

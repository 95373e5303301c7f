// The recorded runs of the item, and how this run changed its dependencies.
import type {RunDependency} from '@krtscope/shared/run.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {Term} from '../app/keys/Term.tsx';
import {navigate} from '../store/app.ts';
import {useHasNoFormula} from '../stream/use-subscription.ts';
import {Kbd} from '../ui/controls/Kbd.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {RunGlyph} from '../ui/indicators/outcome-state.tsx';
import {clockText} from '../ui/text/Age.tsx';
import './run-history.css';

const MAX_MARKS = 24;

export function RunHistory({why, marked}: {why: Why; marked: string | null}) {
  const hasNoFormula = useHasNoFormula(why.collection);
  const at = why.strip.findIndex(mark => mark.id === why.run?.id);
  const from = Math.max(0, Math.min(why.strip.length - MAX_MARKS, at - MAX_MARKS / 2));
  const shown = why.strip.slice(from, from + MAX_MARKS);
  const keyOf = (dependency: RunDependency) => /^key (\S+)$/.exec(dependency.filter)?.[1];
  const chip = (dependency: RunDependency) => (
    <span
      key={`${dependency.collection} ${dependency.filter}`}
      title={dependency.filter}
      className="foot-chip"
    >
      <ItemChip collection={dependency.collection} longest={22} itemKey={keyOf(dependency)} />
    </span>
  );
  const gained = why.run?.gained ?? [];
  const lost = why.run?.lost ?? [];
  return (
    <footer className="why-foot">
      <section className="foot-runs" aria-label="Runs of this item">
        <header className="foot-head row gap-12">
          <span className="label">
            <Term word="run">Runs of this item</Term>
          </span>
          <span className="foot-keys inline-row gap-5">
            <Kbd keys="," /> <Kbd keys="." /> step <Kbd keys="x" /> compare
          </span>
        </header>
        <div className="run-marks row gap-5">
          {shown.map(mark => (
            <button
              key={mark.id}
              type="button"
              className={`run-mark inline-row ${mark.id === why.run?.id ? 'run-own' : ''} ${mark.id === marked ? 'run-marked' : ''}`}
              aria-label={`run #${mark.id}, ${mark.outcome}, ${clockText(mark.at)}`}
              aria-current={mark.id === why.run?.id ? 'true' : undefined}
              title={`#${mark.id} ${mark.outcome} ${clockText(mark.at, true)}`}
              onClick={() => navigate({run: mark.id})}
            >
              <RunGlyph outcome={mark.outcome} size={10} />
            </button>
          ))}
          {why.strip.length === 0 ? (
            <span className="foot-none">
              {hasNoFormula
                ? 'no formula: it follows its inputs'
                : 'a source has no formula, so it never runs'}
            </span>
          ) : null}
        </div>
      </section>
      <section className="foot-deps" aria-label="Dependencies of this run">
        <header className="foot-head row gap-12">
          <span className="label">Dependencies of this run</span>
        </header>
        <div className="foot-chips row gap-5">
          {gained.length > 0 ? <b className="foot-gained">+{gained.length}</b> : null}
          {gained.slice(0, 3).map(chip)}
          {lost.length > 0 ? <b className="foot-lost">−{lost.length}</b> : null}
          {lost.slice(0, 3).map(chip)}
          {why.kept.length > 0 ? <span className="foot-none">unchanged</span> : null}
          {why.kept.slice(0, 4).map(chip)}
          {why.kept.length > 4 ? <span className="foot-none">and {why.kept.length - 4} more</span> : null}
          {gained.length + lost.length + why.kept.length === 0 ? (
            <span className="foot-none">none except its input</span>
          ) : null}
        </div>
      </section>
    </footer>
  );
}

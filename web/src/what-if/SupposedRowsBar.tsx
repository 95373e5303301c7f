// Above the Sheet while something is supposed: what would happen to its rows. Rows that would be added have no line in
// the Sheet, so the bar lists them.
import {valueText} from '@krtscope/shared/what-if/what-if-text.ts';
import {navigate} from '../store/app.ts';
import {Button} from '../ui/controls/Button.tsx';
import {plural} from '../ui/text/plural.ts';
import {clearSupposition, useSupposedAnswer} from './supposition.ts';
import './supposed-rows-bar.css';

const MAX_ROWS = 6;
/** Fields that every object has say little about a row. */
const LESS_TELLING = new Set(['apiVersion', 'kind', 'metadata', 'status']);

export function SupposedRowsBar({root}: {root: string}) {
  const answer = useSupposedAnswer();
  if (answer === null) return null;
  const rows = answer.collections[root] ?? [];
  const added = rows.filter(row => row.old === undefined);
  return (
    <section className="supposed-rows" aria-label="What if">
      <div className="row gap-8 supposed-head">
        <span className="supposed-summary">
          <b>What if</b> {summaryText(root, rows.length - added.length, added.length)}
        </span>
        <Button size="small" onClick={() => navigate({view: 'what-if'})}>
          Back to the edits
        </Button>
        <Button size="small" look="ghost" onClick={clearSupposition}>
          Clear
        </Button>
      </div>
      {added.length === 0 ? null : (
        <ul className="plain-list" aria-label="Rows that would be added">
          {added.slice(0, MAX_ROWS).map(row => (
            <li key={row.key} className="supposed-row ellipsis">
              <code>{row.key}</code> <span>{fieldsText(row.new)}</span>
            </li>
          ))}
          {added.length > MAX_ROWS ? <li>and {plural(added.length - MAX_ROWS, 'more row')}</li> : null}
        </ul>
      )}
    </section>
  );
}

function summaryText(root: string, marked: number, added: number): string {
  if (marked + added === 0) return `no row of ${root} would change.`;
  const parts = [
    ...(marked > 0 ? [`${plural(marked, 'row')} of ${root} would change or go (marked below)`] : []),
    ...(added > 0 ? [`${plural(added, 'row')} would be added`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function fieldsText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return valueText(value);
  return Object.entries(value)
    .filter(([name]) => !LESS_TELLING.has(name))
    .slice(0, 6)
    .map(([name, one]) => `${name}: ${valueText(one)}`)
    .join(' · ');
}

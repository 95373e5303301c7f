// Rows that would be added. They have no line in the Sheet, so they stand above it.
import {valueText} from '@krtscope/shared/what-if/what-if-text.ts';
import {plural} from '../ui/text/plural.ts';
import {useSupposedAnswer} from './supposition.ts';
import './supposed-rows-bar.css';

const MAX_ROWS = 6;
/** Fields that every object has say little about a row. */
const LESS_TELLING = new Set(['apiVersion', 'kind', 'metadata', 'status']);

export function SupposedRowsBar({root}: {root: string}) {
  const answer = useSupposedAnswer();
  const added = (answer?.collections[root] ?? []).filter(row => row.old === undefined);
  if (added.length === 0) return null;
  return (
    <section className="supposed-rows" aria-label="Rows that would be added">
      <b>What if: {plural(added.length, 'row')} would be added</b>
      <ul className="plain-list">
        {added.slice(0, MAX_ROWS).map(row => (
          <li key={row.key} className="supposed-row ellipsis">
            <code>{row.key}</code> <span>{fieldsText(row.new)}</span>
          </li>
        ))}
      </ul>
      {added.length > MAX_ROWS ? <span>and {plural(added.length - MAX_ROWS, 'more row')}</span> : null}
    </section>
  );
}

function fieldsText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return valueText(value);
  return Object.entries(value)
    .filter(([name]) => !LESS_TELLING.has(name))
    .slice(0, 6)
    .map(([name, one]) => `${name}: ${valueText(one)}`)
    .join(' · ');
}

// Rows that came since: not in this moment, so they wait below it. A click goes to where they are.
import {goTo, select} from '../store/navigation.ts';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import type {MomentComparison} from './use-compare.ts';
import './added-rows-bar.css';

const MAX_CHIPS = 4;

export function AddedRowsBar({compared, root}: {compared: MomentComparison; root: string}) {
  const came = (compared.collections ?? [])
    .filter(one => one.name === root)
    .flatMap(one => one.differences.filter(each => each.kind === 'came'));
  if (came.length === 0) return null;
  return (
    <section className="came-bar" aria-label="Came since then">
      <b>Came since then</b> <span>not in this moment</span>
      {came.slice(0, MAX_CHIPS).map(one => (
        <ItemChip
          key={one.key}
          collection={one.collection}
          itemKey={one.key}
          longest={32}
          onPick={() => {
            goTo(compared.with);
            select({collection: one.collection, key: one.key});
          }}
        />
      ))}
      {came.length > MAX_CHIPS ? <span>and {came.length - MAX_CHIPS} more</span> : null}
    </section>
  );
}

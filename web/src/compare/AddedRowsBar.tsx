// Rows added after the moment on screen, below its rows. A click goes to the moment that has them.
import {goTo, select} from '../store/navigation.ts';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import type {MomentComparison} from './use-compare.ts';
import './added-rows-bar.css';

const MAX_CHIPS = 4;

export function AddedRowsBar({compared, root}: {compared: MomentComparison; root: string}) {
  const added = (compared.collections ?? [])
    .filter(one => one.name === root)
    .flatMap(one => one.differences.filter(each => each.kind === 'added'));
  if (added.length === 0) return null;
  return (
    <section className="added-bar" aria-label="Added since then">
      <b>Added since then</b> <span>not in this moment</span>
      {added.slice(0, MAX_CHIPS).map(one => (
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
      {added.length > MAX_CHIPS ? <span>and {added.length - MAX_CHIPS} more</span> : null}
    </section>
  );
}

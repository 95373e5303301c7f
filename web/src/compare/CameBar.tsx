// Rows that came since: not in this moment, so they wait below it. A click goes to where they are.
import {goTo, select} from '../store/hooks.ts';
import {ItemChip} from '../ui/ItemChip.tsx';
import type {Compared} from './use-compare.ts';
import './came-bar.css';

const SHOWN = 4;

export function CameBar({compared, root}: {compared: Compared; root: string}) {
  const came = (compared.collections ?? [])
    .filter(one => one.name === root)
    .flatMap(one => one.differences.filter(each => each.kind === 'came'));
  if (came.length === 0) return null;
  return (
    <section className="came-bar" aria-label="Came since then">
      <b>Came since then</b> <span>not in this moment</span>
      {came.slice(0, SHOWN).map(one => (
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
      {came.length > SHOWN ? <span>and {came.length - SHOWN} more</span> : null}
    </section>
  );
}

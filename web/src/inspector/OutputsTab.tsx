// The items of other collections that read this item.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {EmptyState} from '../ui/layout/Panel.tsx';

const MAX_SHOWN = 200;

export function OutputsTab({item}: {item: ItemDetail}) {
  if (item.dependents.length === 0) {
    return <EmptyState title="No readers">No other item is computed from this one.</EmptyState>;
  }
  return (
    <div className="inspector-scroll inspector-list">
      {item.dependents.slice(0, MAX_SHOWN).map(one => (
        <div key={`${one.collection} ${one.key}`} className="relation column">
          <ItemChip
            collection={one.collection}
            itemKey={one.key}
            side="effect"
            outcome={one.outcome}
            longest={34}
          />
        </div>
      ))}
      {item.dependents.length > MAX_SHOWN ? (
        <p className="inspector-quiet">and {item.dependents.length - MAX_SHOWN} more</p>
      ) : null}
    </div>
  );
}

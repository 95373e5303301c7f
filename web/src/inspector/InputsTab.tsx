// The inputs of an item: its input, its fetches with filters, and the fields it read.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {FieldsAnswer} from '@krtscope/shared/why.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {EmptyState} from '../ui/layout/Panel.tsx';
import './inputs-tab.css';
import {matchCount} from '../ui/text/match-count.ts';

export function InputsTab({item}: {item: ItemDetail}) {
  const path = `/fields/${encodeURIComponent(item.collection)}/${encodeURIComponent(item.key)}`;
  const source = item.inputs.length === 0;
  const {answer} = useAnswer<FieldsAnswer>(source ? null : path, item.sequence);
  const read = (collection: string, key: string) =>
    answer?.reads.find(one => one.collection === collection && one.key === key)?.paths ?? [];
  if (source) {
    return (
      <EmptyState title="A source has no inputs">
        Last written by {item.writer?.manager ?? 'the cluster'}.
      </EmptyState>
    );
  }
  return (
    <div className="inspector-scroll inspector-list">
      {item.precedents.map(one => (
        <div key={`${one.collection} ${one.key}`} className="relation column">
          <ItemChip
            collection={one.collection}
            itemKey={one.key}
            side="cause"
            outcome={one.outcome}
            longest={30}
          />
          <span className="relation-note mono">{one.filter ?? 'input'}</span>
          <ReadPaths paths={read(one.collection, one.key)} />
        </div>
      ))}
      <Unmatched item={item} />
    </div>
  );
}

function ReadPaths({paths}: {paths: string[]}) {
  if (paths.length === 0) return null;
  return (
    <span className="relation-reads">
      <Icon name="eye" size={13} />
      <span className="visually-hidden">reads</span>
      <span className="mono">{paths.join(', ')}</span>
    </span>
  );
}

/** Fetches without a match are dependencies too: a later match starts a new run. */
function Unmatched({item}: {item: ItemDetail}) {
  const none = item.dependencies.filter(one => one.matched === 0);
  if (none.length === 0) return null;
  return (
    <>
      <p className="label relation-label">Fetches without a match</p>
      {none.map(one => (
        <div key={`${one.collection} ${one.filter}`} className="relation column">
          <ItemChip collection={one.collection} />
          <span className="relation-note mono">
            {one.filter}: {matchCount(one)}
          </span>
        </div>
      ))}
    </>
  );
}

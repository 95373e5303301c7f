// Picks the object that the reader expected to cause a run.
import type {SearchAnswer} from '@krtscope/shared/items.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import {useEffect, useState} from 'react';
import {useAnswer, useKind} from '../stream/use-subscription.ts';
import {FinderInput} from '../ui/controls/FinderInput.tsx';
import {Popover} from '../ui/controls/Menu.tsx';
import {KindShape} from '../ui/indicators/collection-kind.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {shortenMiddle} from '../ui/text/shorten-middle.ts';
import './expected-picker.css';

export function ExpectedPicker({
  expected,
  near,
  onPick,
}: {
  expected: ItemRef | null;
  /** Offered before the reader types. */
  near: readonly ItemRef[];
  onPick: (ref: ItemRef | null) => void;
}) {
  return (
    <Popover
      label="Expected to react to"
      trigger={props => (
        <button
          {...props}
          type="button"
          className="expected"
          title={expected ? `${expected.collection} ${expected.key}` : 'Select an object'}
        >
          <span className="visually-hidden">Expected to react to </span>
          {expected ? <ItemName item={expected} /> : <span className="expected-none">select an object…</span>}
          <Icon name="down" size={12} />
        </button>
      )}
    >
      {close => (
        <ExpectedFinder
          near={near}
          onPick={ref => {
            onPick(ref);
            close();
          }}
          clearable={expected !== null}
        />
      )}
    </Popover>
  );
}

function ExpectedFinder({
  near,
  onPick,
  clearable,
}: {
  near: readonly ItemRef[];
  onPick: (ref: ItemRef | null) => void;
  clearable: boolean;
}) {
  const [text, setText] = useState('');
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  useEffect(() => {
    const wait = setTimeout(() => setQuery(text.trim()), 150);
    return () => clearTimeout(wait);
  }, [text]);
  const found = useAnswer<SearchAnswer>(
    query === '' ? null : `/search?q=${encodeURIComponent(query)}&limit=30`,
  );
  const hits: ItemRef[] =
    query === ''
      ? [...near]
      : (found.answer?.hits ?? []).filter(hit => hit.where !== 'collection').slice(0, 12);
  const take = (hit: ItemRef) => onPick({collection: hit.collection, key: hit.key});
  return (
    <div className="finder column gap-6">
      <FinderInput
        text={text}
        onText={setText}
        label="Find the object that changed"
        count={hits.length}
        at={at}
        onAt={setAt}
        onTake={() => take(hits[at]!)}
      />
      <ul className="plain-list">
        {hits.map((hit, position) => (
          <li key={`${hit.collection} ${hit.key}`}>
            <button
              type="button"
              className={`finder-hit ${position === at ? 'finder-at' : ''}`}
              onClick={() => take(hit)}
            >
              <ItemName item={hit} />
            </button>
          </li>
        ))}
        {query !== '' && found.answer && hits.length === 0 ? <li className="side-note">No matches</li> : null}
      </ul>
      {clearable ? (
        <button type="button" className="text-button bare-button more" onClick={() => onPick(null)}>
          any change
        </button>
      ) : null}
    </div>
  );
}

function ItemName({item}: {item: ItemRef}) {
  const kind = useKind(item.collection);
  return (
    <>
      <KindShape kind={kind} size={14} />
      <span className="chip-collection">{item.collection}</span> <code>{shortenMiddle(item.key, 36)}</code>
    </>
  );
}

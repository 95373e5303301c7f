// One item, drawn the same everywhere: kind, collection, key; a click selects it.
import {singularOf} from '@krtscope/shared/object-name.ts';
import type {CollectionNodeKind, RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {MouseEvent} from 'react';
import {select} from '../../store/navigation.ts';
import type {PageView} from '../../store/route.ts';
import {useKind} from '../../stream/use-subscription.ts';
import {shortenMiddle} from '../text/shorten-middle.ts';
import {KindShape} from './collection-kind.tsx';
import {StateGlyph} from './outcome-state.tsx';
import './item-chip.css';

interface ItemChipProps {
  collection: string;
  /** Absent: a chip of the whole collection. */
  itemKey?: string;
  kind?: CollectionNodeKind;
  /** Which border it has; called `side` because linters take `role` for ARIA's. */
  side?: 'subject' | 'cause' | 'effect';
  outcome?: RunOutcome;
  /** `sentence` is the tall one for running text. */
  size?: 'row' | 'sentence';
  /** The view that a click opens; without it only the selection changes. */
  view?: PageView;
  /** Longest key drawn before it is shortened in the middle. */
  longest?: number;
  onPick?: (event: MouseEvent) => void;
}

export function ItemChip(props: ItemChipProps) {
  const {collection, itemKey, side, outcome, size = 'row', view, longest = 40} = props;
  const known = useKind(collection);
  // A sentence names one object as kubectl does: Pod shop/cart-x.
  const noun = size === 'sentence' && itemKey ? singularOf(collection) : collection;
  const name = itemKey === undefined ? noun : `${noun} ${itemKey}`;
  const pick = props.onPick ?? (() => select({collection, key: itemKey ?? null}, view));
  return (
    <button
      type="button"
      className={`chip inline-row gap-6 chip-${size} ${side && side !== 'subject' ? `chip-${side}` : ''}`}
      onClick={pick}
      title={name}
    >
      <KindShape kind={props.kind ?? known} size={14} />
      <span className="chip-collection">{noun}</span>
      {itemKey === undefined ? null : <KeyText text={itemKey} short={shortenMiddle(itemKey, longest)} />}
      {outcome ? (
        <>
          <StateGlyph outcome={outcome} size={8} />
          <span className="visually-hidden">, {outcome}</span>
        </>
      ) : null}
    </button>
  );
}

/** Screen readers get the whole key. Without room the start is cut, because the end tells items apart. */
function KeyText({text, short}: {text: string; short: string}) {
  const dash = short.lastIndexOf('-');
  const split = dash > 3 && short.length - dash <= 8 ? dash : short.length;
  const cut = short !== text;
  return (
    <span className="chip-key">
      {' '}
      <span aria-hidden={cut || undefined} className="chip-head">
        {short.slice(0, split)}
      </span>
      {split < short.length ? <span aria-hidden={cut || undefined}>{short.slice(split)}</span> : null}
      {cut ? <span className="visually-hidden"> {text}</span> : null}
    </span>
  );
}

// The bar below the grid: what the selected item looked up besides its input, and the keys to walk there.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {Sheet} from '@krtscope/shared/sheet.ts';
import type {RefObject} from 'react';
import {Kbd} from '../ui/controls/Kbd.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import './lookup-bar.css';

const MAX_CHIPS = 4;

interface ItemLookup {
  collection: string;
  key: string;
  filter: string;
}

/** The lookup that gets the arrow: one that changed, else the first. */
export function chooseLookup(detail: ItemDetail | undefined): ItemLookup | undefined {
  const all = lookupsOf(detail);
  const changed = all.find(one => one.outcome === 'changed');
  return changed ?? all[0];
}

function lookupsOf(detail: ItemDetail | undefined) {
  return (detail?.precedents ?? []).flatMap(ref =>
    ref.filter === undefined ? [] : [{...ref, filter: ref.filter}],
  );
}

export function LookupBar({
  detail,
  reads,
  wired,
}: {
  detail: ItemDetail | undefined;
  reads: Sheet['reads'];
  wired: RefObject<HTMLSpanElement | null>;
}) {
  const found = lookupsOf(detail);
  const target = chooseLookup(detail);
  const missed = (detail?.dependencies ?? []).filter(dependency => dependency.matched === 0);
  return (
    <section className="also" aria-label="Also reads">
      <span className="also-title">
        <span className="also-side" aria-hidden="true">
          ◂
        </span>{' '}
        also reads
      </span>
      {detail === undefined ? (
        <CollectionReads reads={reads} />
      ) : (
        <>
          {found.slice(0, MAX_CHIPS).map(ref => (
            <span
              key={`${ref.collection} ${ref.key} ${ref.filter}`}
              ref={
                target && ref.key === target.key && ref.collection === target.collection ? wired : undefined
              }
              title={ref.filter}
              className="also-chip"
            >
              <ItemChip
                collection={ref.collection}
                itemKey={ref.key}
                side="cause"
                longest={24}
                outcome={ref.outcome === 'added' ? undefined : ref.outcome}
              />
            </span>
          ))}
          {found.length > MAX_CHIPS ? (
            <span className="also-more">and {found.length - MAX_CHIPS} more</span>
          ) : null}
          {missed.slice(0, 2).map(dependency => (
            <span
              key={`${dependency.collection} ${dependency.filter}`}
              className="also-none"
              title={dependency.filter}
            >
              no match in {dependency.collection}
            </span>
          ))}
          {found.length + missed.length === 0 ? (
            <span className="also-none">
              {detail.outcome === 'deleted'
                ? 'nothing: the item was deleted'
                : detail.inputs.length === 0
                  ? 'nothing: a source has no formula'
                  : 'nothing besides its input'}
            </span>
          ) : null}
        </>
      )}
      <span className="also-keys inline-row gap-6">
        <Kbd keys="[" /> precedents <Kbd keys="]" /> dependents
      </span>
    </section>
  );
}

function CollectionReads({reads}: {reads: Sheet['reads']}) {
  const names = [...new Set(reads.map(read => read.collection))];
  if (names.length === 0) return <span className="also-none">nothing: these formulas do not fetch</span>;
  return (
    <>
      {names.slice(0, MAX_CHIPS).map(name => (
        <span
          key={name}
          className="also-chip"
          title={reads
            .filter(read => read.collection === name)
            .map(read => read.filter)
            .join('\n')}
        >
          <ItemChip collection={name} side="cause" />
        </span>
      ))}
      {names.length > MAX_CHIPS ? (
        <span className="also-more">and {names.length - MAX_CHIPS} more</span>
      ) : null}
    </>
  );
}

// One hit in the search box or the palette, with the match in bold.
import type {Hit} from '@krtscope/shared/items.ts';
import {useEffect, useRef} from 'react';
import {useKind} from '../../stream/use-subscription.ts';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {OutcomeWord} from '../../ui/indicators/outcome-state.tsx';
import {splitAtMatch} from './hit-groups.ts';

export function HitRow(props: {id: string; hit: Hit; text: string; chosen: boolean; onPick: () => void}) {
  const {hit, text, chosen} = props;
  const kind = useKind(hit.collection);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({block: 'nearest'});
  }, [chosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the input, aria-activedescendant points here
    <div
      ref={row}
      id={props.id}
      role="option"
      aria-selected={chosen}
      className="hit"
      title={`${hit.collection} ${hit.key}${hit.where === 'key' ? '' : `, ${hit.where}${hit.text ? `: ${hit.text}` : ''}`}`}
      onPointerDown={event => event.preventDefault()}
      onClick={props.onPick}
    >
      <KindShape kind={kind} size={14} />
      <span className="hit-collection">{hit.collection}</span>
      {hit.where === 'collection' ? null : <MarkedText text={hit.key} query={text} />}
      {hit.where === 'key' || hit.where === 'collection' ? null : (
        <span className="hit-where ellipsis">
          {hit.where}
          {hit.text ? (
            <>
              {': '}
              <MarkedText text={hit.text} query={text} />
            </>
          ) : null}
        </span>
      )}
      {/* Most items changed at some time. Only what needs attention is marked. */}
      {hit.outcome && ['failed', 'suspended'].includes(hit.outcome) ? (
        <OutcomeWord outcome={hit.outcome} />
      ) : null}
    </div>
  );
}

function MarkedText({text, query}: {text: string; query: string}) {
  const parts = splitAtMatch(text, query);
  if (parts === null) return <span className="hit-key ellipsis">{text}</span>;
  return (
    <span className="hit-key ellipsis">
      {parts[0]}
      <b>{parts[1]}</b>
      {parts[2]}
    </span>
  );
}

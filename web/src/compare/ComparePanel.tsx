// All differences between two moments, by collection, item and field.
import {useState} from 'react';
import {goTo, select} from '../store/navigation.ts';
import {useKind} from '../stream/use-subscription.ts';
import {inlineText} from '../ui/code/yaml-lines.ts';
import {KindShape} from '../ui/indicators/collection-kind.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ToneWord} from '../ui/indicators/outcome-state.tsx';
import {shortenMiddle} from '../ui/text/shorten-middle.ts';
import {type CollectionDifferences, fieldChanges, type ItemDifference} from './differences.ts';
import type {MomentComparison} from './use-compare.ts';
import './compare-panel.css';

const ITEMS = 60;
const FIELDS = 6;

export function ComparePanel({compared}: {compared: MomentComparison}) {
  const {collections} = compared;
  return (
    <aside className="compare-panel" aria-label="Differences">
      <header className="compare-head">
        <b>Since then</b> #{compared.shown} → #{compared.with}
      </header>
      {collections?.length === 0 ? <p className="compare-none">No differences.</p> : null}
      {(collections ?? []).map(one => (
        <CollectionGroup key={one.name} group={one} other={compared.with} />
      ))}
    </aside>
  );
}

function CollectionGroup({group, other}: {group: CollectionDifferences; other: number}) {
  const kind = useKind(group.name);
  const [open, setOpen] = useState(true);
  const {added, removed, changed} = group.counts;
  const words = [
    added > 0 ? `${added} added` : '',
    removed > 0 ? `${removed} removed` : '',
    changed > 0 ? `${changed} changed` : '',
  ].filter(Boolean);
  const left = group.differences.length - ITEMS;
  return (
    <section className="compare-group" aria-label={group.name}>
      <button type="button" className="compare-name row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'down' : 'right'} size={12} />
        <KindShape kind={kind} />
        <b>{group.name}</b>
        <span>{words.join(', ')}</span>
      </button>
      {open ? (
        <ul>
          {group.differences.slice(0, ITEMS).map(one => (
            <DifferenceItem key={one.key} difference={one} other={other} />
          ))}
          {left > 0 ? <li className="compare-none">and {left.toLocaleString('en')} more</li> : null}
        </ul>
      ) : null}
    </section>
  );
}

function DifferenceItem({difference, other}: {difference: ItemDifference; other: number}) {
  const {collection, key, kind} = difference;
  const fields = kind === 'changed' ? fieldChanges(difference) : [];
  // An added row does not exist at this moment, so go to the moment that has it.
  const show = () => {
    if (kind === 'added') goTo(other);
    select({collection, key});
  };
  return (
    <li className="compare-item">
      <button type="button" className="compare-key row bare-button gap-8" title={key} onClick={show}>
        <ToneWord tone={kind === 'changed' ? 'changed' : 'plain'}>{kind}</ToneWord>
        <code>{shortenMiddle(key, 34)}</code>
      </button>
      {fields.slice(0, FIELDS).map(field => (
        <p key={field.path} className="compare-field">
          <span>{field.path}</span> {inlineText(field.old)} → <b>{inlineText(field.new)}</b>
        </p>
      ))}
      {fields.length > FIELDS ? (
        <p className="compare-field">and {fields.length - FIELDS} more fields</p>
      ) : null}
    </li>
  );
}

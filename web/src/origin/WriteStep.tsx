// The write at the end of the steps: who wrote what, and when.
import type {OriginWrite} from '@krtscope/shared/origin.ts';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {ToneWord} from '../ui/indicators/outcome-state.tsx';
import {clockText} from '../ui/text/Age.tsx';
import {ChangedPaths} from '../why/answer/ChangedPaths.tsx';
import './write-step.css';

const eventWords = {add: 'added', update: 'updated', delete: 'deleted'} as const;

export function WriteStep({write, number}: {write: OriginWrite; number: number}) {
  return (
    <li className="write-step">
      <span className="write-number">{number}</span>
      <section className="write-card" aria-label="The write">
        <header className="write-head row">
          <b>The write</b>
          <ItemChip collection={write.collection} itemKey={write.key} side="cause" longest={36} />
          <ToneWord tone={write.event === 'delete' ? 'plain' : 'changed'}>
            {write.replaced ? 'replaced' : write.deleting ? 'deletion requested' : eventWords[write.event]}
          </ToneWord>
          <time className="write-when" dateTime={write.time} title={write.time}>
            {clockText(Date.parse(write.time), true)} · #{write.sequence}
          </time>
        </header>
        {write.path === undefined ? null : (
          <ChangedPaths changes={[{path: write.path, old: write.old, new: write.new}]} />
        )}
        <footer className="write-foot row">
          <Icon name="person" size={13} />
          {write.manager ? (
            <b>{write.manager}</b>
          ) : (
            'Unknown writer: Kubernetes recorded none for this change'
          )}
        </footer>
      </section>
    </li>
  );
}

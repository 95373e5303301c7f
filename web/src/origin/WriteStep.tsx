// The write at which the walk ends: who wrote which path of what, and when. The one framed card of the list.
import type {Write} from '@krtscope/shared/origin.ts';
import {clockText} from '../ui/Age.tsx';
import {Icon} from '../ui/Icon.tsx';
import {ItemChip} from '../ui/ItemChip.tsx';
import {Word} from '../ui/state.tsx';
import {ChangedPaths} from '../why/answer/ChangedPaths.tsx';
import './write-step.css';

const eventWords = {add: 'added', update: 'updated', delete: 'deleted'} as const;

export function WriteStep({write, number}: {write: Write; number: number}) {
  return (
    <li className="write-step">
      <span className="write-number">{number}</span>
      <section className="write-card" aria-label="The write">
        <header className="write-head">
          <b>The write</b>
          <ItemChip collection={write.collection} itemKey={write.key} side="cause" longest={36} />
          <Word tone={write.event === 'delete' ? 'plain' : 'changed'}>
            {write.replaced ? 'replaced' : write.deleting ? 'asked to go' : eventWords[write.event]}
          </Word>
          <time className="write-when" dateTime={write.time} title={write.time}>
            {clockText(Date.parse(write.time), true)} · #{write.sequence}
          </time>
        </header>
        {write.path === undefined ? null : (
          <ChangedPaths changes={[{path: write.path, old: write.old, new: write.new}]} />
        )}
        <footer className="write-foot">
          <Icon name="person" size={13} />
          {write.manager ? <b>{write.manager}</b> : 'Kubernetes notes no writer for this'}
        </footer>
      </section>
    </li>
  );
}

// Parts around the answer: other changes of the batch, and what to show without an answer.

import type {Why} from '@krtscope/shared/why.ts';
import {Term} from '../../app/keys/Term.tsx';
import {navigate} from '../../store/app.ts';
import {goLive, goTo, select, useMoment} from '../../store/navigation.ts';
import {type useAnswer, useCollection} from '../../stream/use-subscription.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {ItemChip} from '../../ui/indicators/ItemChip.tsx';
import {EmptyState, ErrorState} from '../../ui/layout/Panel.tsx';
import {WhyHead} from './WhyHead.tsx';
import './why-states.css';

export function OtherChanges({why}: {why: Why}) {
  if (why.together.length === 0) return null;
  return (
    <section className="together" aria-label="Same batch, not a cause">
      <header className="together-head row gap-10">
        <span className="label">
          <Term word="batch">Same batch</Term>, not a cause
        </span>
        <span className="side-note">changed at the same time, but no fetch of this item matched</span>
      </header>
      <ul>
        {why.together.slice(0, 6).map(one => (
          <li key={`${one.collection} ${one.key}`}>
            <ItemChip collection={one.collection} itemKey={one.key} longest={36} />
            <span className="together-event">
              {one.event === 'add' ? 'added' : one.event === 'delete' ? 'deleted' : 'updated'}
            </span>
            <span className="together-reason">{one.reason}</span>
          </li>
        ))}
      </ul>
      {why.together.length > 6 ? <p className="side-note">and {why.together.length - 6} more</p> : null}
    </section>
  );
}

export function WhyFailure({
  failure,
  again,
}: {
  failure: NonNullable<ReturnType<typeof useAnswer>['failure']>;
  again: () => void;
}) {
  const nearest = failure.nearest;
  return (
    <ErrorState
      failure={failure}
      actions={
        <>
          {nearest === undefined ? null : (
            <Button look="primary" onClick={() => goTo(nearest)}>
              Go to #{nearest}
            </Button>
          )}
          {failure.code === 'rolled-off' ? (
            <Button
              keys="Shift+End"
              onClick={() => {
                navigate({run: null});
                goLive();
              }}
            >
              Back to live
            </Button>
          ) : (
            <Button onClick={again}>Try again</Button>
          )}
        </>
      }
    />
  );
}

/** Offers the newest change of the collection, or says where to select an item. */
export function NothingSelected({
  collection,
  active = 'why',
}: {
  collection: string | null;
  active?: 'origin' | 'why';
}) {
  const node = useCollection(collection);
  const {live} = useMoment();
  const last = node?.last;
  return (
    <>
      <WhyHead active={active} actions={null}>
        {null}
      </WhyHead>
      <EmptyState
        title={node ? `Select an item of ${node.name}` : 'No item selected'}
        actions={
          last && node ? (
            <Button look="primary" onClick={() => select({collection: node.name, key: last.key})}>
              {node.name} {last.key}, {live ? 'last' : ''} {last.outcome}
            </Button>
          ) : (
            <Button keys="2" onClick={() => navigate({view: 'sheet'})}>
              Open the Sheet
            </Button>
          )
        }
      >
        Select a row in the Sheet, an item in the graph or a bar in the timeline. Then press w to see why it
        ran.
      </EmptyState>
    </>
  );
}

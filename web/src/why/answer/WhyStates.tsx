// Around the answer: what changed in the same turn without being a cause, what to do when there is no answer.
import type {Why} from '@krtscope/shared/why.ts';
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
        <span className="label">Same batch, not a cause</span>
        <span className="side-note">changed together with it, never matched a Fetch of this item</span>
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
            <Button onClick={again}>Ask again</Button>
          )}
        </>
      }
    />
  );
}

/** Nothing to explain yet: offers the newest change of the collection, or says where to pick. */
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
        title={node ? `Why what in ${node.name}?` : 'Nothing is selected'}
        actions={
          last && node ? (
            <Button look="primary" onClick={() => select({collection: node.name, key: last.key})}>
              {node.name} {last.key}, {last.outcome} {live ? 'last' : 'then'}
            </Button>
          ) : (
            <Button keys="2" onClick={() => navigate({view: 'sheet'})}>
              Pick a row in the sheet
            </Button>
          )
        }
      >
        Pick an item: a row of the sheet, a node of the graph, a bar of the timeline. Then w tells why it is
        as it is.
      </EmptyState>
    </>
  );
}

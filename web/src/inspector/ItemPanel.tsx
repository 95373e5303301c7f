// The panel of an item: key, state, tabs, runs and cause.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {useKeys} from '../app/keys/keys.ts';
import {navigate} from '../store/app.ts';
import {openOrigin, useMoment, useParam, useSelection} from '../store/navigation.ts';
import {failureText} from '../stream/failure-text.ts';
import {useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {Button} from '../ui/controls/Button.tsx';
import {Tabs} from '../ui/controls/Tabs.tsx';
import {OutcomeWord, ToneWord} from '../ui/indicators/outcome-state.tsx';
import {EmptyState, ErrorState} from '../ui/layout/Panel.tsx';
import {Age} from '../ui/text/Age.tsx';
import {CauseSummary} from './CauseSummary.tsx';
import {InputsTab} from './InputsTab.tsx';
import {OutputsTab} from './OutputsTab.tsx';
import {RawTab} from './RawTab.tsx';
import {RunStrip} from './RunStrip.tsx';
import {RunsTab} from './RunsTab.tsx';
import {runCount} from './run-count.ts';
import {ValueTab} from './ValueTab.tsx';
import './item-panel.css';

type ItemTabId = 'value' | 'inputs' | 'outputs' | 'runs' | 'raw';
const tabIds: ItemTabId[] = ['value', 'inputs', 'outputs', 'runs', 'raw'];

/** The bottom sheet has key and facts in its header. */
export function ItemSheetHead({collection, itemKey}: {collection: string; itemKey: string}) {
  const {answer} = useSubscription({ask: 'item', collection, key: itemKey});
  return (
    <>
      <KeyLine itemKey={itemKey} />
      {answer ? <Facts item={answer} /> : null}
    </>
  );
}

export function ItemPanel({
  collection,
  itemKey,
  narrow,
}: {
  collection: string;
  itemKey: string;
  narrow: boolean;
}) {
  const reply = useSubscription({ask: 'item', collection, key: itemKey});
  const last = useLastAnswer(reply);
  // Keep the last answer while the next one loads, but only for the same item.
  const item = last?.collection === collection && last.key === itemKey ? last : undefined;
  const [tab, setTab] = useParam('tab');
  const active = tabIds.find(one => one === tab) ?? 'value';
  return (
    <>
      {narrow ? null : <KeyLine itemKey={itemKey} />}
      {item === undefined ? (
        reply.failure ? (
          <MissingItem collection={collection} itemKey={itemKey} failure={reply.failure} />
        ) : (
          <p className="inspector-quiet">Loading…</p>
        )
      ) : (
        <>
          {narrow ? null : <Facts item={item} />}
          <Tabs<ItemTabId>
            label="Item"
            tabs={[
              {id: 'value', label: 'Value'},
              {id: 'inputs', label: 'Inputs', count: item.precedents.length},
              {id: 'outputs', label: 'Outputs', count: item.dependents.length},
              {id: 'runs', label: 'Runs', count: runCount(item)},
              {id: 'raw', label: 'Raw'},
            ]}
            active={active}
            onPick={id => setTab(id === 'value' ? null : id)}
          >
            <TabBody item={item} tab={active} />
          </Tabs>
          <RunStripKeys item={item} />
          <CauseSummary item={item} buttons={!narrow} />
        </>
      )}
    </>
  );
}

function MissingItem(props: {
  collection: string;
  itemKey: string;
  failure: NonNullable<ReturnType<typeof useSubscription>['failure']>;
}) {
  const {collection, itemKey, failure} = props;
  if (failure.code !== 'unknown-key') return <ErrorState failure={failure} />;
  return (
    <EmptyState
      title={`No ${itemKey} in ${collection}`}
      actions={
        <>
          <Button size="small" keys="o" onClick={() => openOrigin({collection, key: itemKey, input: true})}>
            Why is it missing?
          </Button>
          <Button
            size="small"
            look="ghost"
            keys="Shift+W"
            onClick={() => navigate({view: 'why-not', collection, key: itemKey})}
          >
            Why not?
          </Button>
        </>
      }
    >
      {failureText(failure)}
    </EmptyState>
  );
}

function KeyLine({itemKey}: {itemKey: string}) {
  const slash = itemKey.lastIndexOf('/');
  return (
    <p className="inspector-key mono" title={itemKey}>
      <span>{itemKey.slice(0, slash + 1)}</span>
      {itemKey.slice(slash + 1)}
    </p>
  );
}

function Facts({item}: {item: ItemDetail}) {
  const runs = runCount(item);
  const {equal} = item;
  // The last run may have been equal. Then the value is older than the run.
  const ranAt = Math.max(item.at, item.strip.at(-1)?.at ?? 0);
  return (
    <div className="inspector-facts bar gap-6">
      <OutcomeWord outcome={item.outcome}>
        {item.outcome} <Age at={ranAt} ago />
      </OutcomeWord>
      {ranAt - item.at > 1000 ? (
        <ToneWord>
          unchanged for <Age at={item.at} />
        </ToneWord>
      ) : null}
      {runs > 0 ? (
        <ToneWord>
          {runs} {runs === 1 ? 'run' : 'runs'}
        </ToneWord>
      ) : item.writer ? (
        <ToneWord>{item.writer.manager}</ToneWord>
      ) : null}
      {equal > 0 ? <ToneWord tone="noop">{equal} equal</ToneWord> : null}
      <span className="inspector-turn">#{item.sequence}</span>
    </div>
  );
}

function TabBody({item, tab}: {item: ItemDetail; tab: ItemTabId}) {
  if (tab === 'inputs') return <InputsTab item={item} />;
  if (tab === 'outputs') return <OutputsTab item={item} />;
  if (tab === 'runs') return <RunsTab item={item} />;
  if (tab === 'raw') return <RawTab item={item} />;
  return <ValueTab item={item} />;
}

/** Steps through the item's runs. The whole page moves to the moment of the run. */
function RunStripKeys({item}: {item: ItemDetail}) {
  const {run} = useSelection();
  const {moment} = useMoment();
  const marks = item.strip;
  const found = marks.findIndex(mark => mark.id === run);
  const at =
    found >= 0
      ? found
      : moment === null
        ? marks.length - 1
        : marks.findLastIndex(mark => mark.sequence <= moment);
  const go = (to: number) => {
    const mark = marks[to];
    if (mark === undefined) return;
    navigate({run: mark.id, moment: mark.sequence});
  };
  useKeys(
    {
      ',': {says: 'previous run of this item', group: 'Time', run: () => go(at - 1)},
      '.': {says: 'next run of this item', group: 'Time', run: () => go(at + 1)},
    },
    marks.length > 0,
    'base',
  );
  return <RunStrip marks={marks} before={item.beyond.before} at={at} onPick={go} />;
}

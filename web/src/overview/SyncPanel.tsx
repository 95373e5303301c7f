// The sync ladder: one rung per collection, the chain to what blocks the waiting ones, and the command that helps.

import type {CollectionNode} from '@krtscope/shared/graph.ts';
import {useMemo} from 'react';
import {freshnessOf, isStale} from '../freshness/freshness.ts';
import {select} from '../store/navigation.ts';
import {useConnection} from '../stream/server-connection.ts';
import {useGraph, useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {CopyCommand} from '../ui/controls/CopyButton.tsx';
import {Hint} from '../ui/controls/Hint.tsx';
import {useRovingFocus} from '../ui/hooks/use-roving-focus.ts';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {ToneWord} from '../ui/indicators/outcome-state.tsx';
import {plural} from '../ui/text/plural.ts';
import {syncWaitText} from '../ui/text/sync-wait-text.ts';
import {blockerChains, type CollectionSync, countByState, orderBySync} from './sync-status.ts';
import './sync-panel.css';

/** With more rungs than this, the gaps would be wider than the rungs. */
const MANY = 100;

export function SyncPanel() {
  const graph = useGraph();
  const all = useMemo(() => (graph === null ? [] : orderBySync(graph)), [graph]);
  const chains = useMemo(() => (graph === null ? [] : blockerChains(graph)), [graph]);
  const counts = countByState(all);
  const sources = all.filter(one => one.source).length;
  const rove = useRovingFocus('[data-rung]');
  return (
    <section className="sync" aria-label="Sync">
      <header className="sync-head row gap-8">
        <h2 className="panel-title">Sync</h2>
        <span className="panel-note">{graph === null ? 'connecting' : plural(all.length, 'collection')}</span>
        <span className="sync-counts">
          <span>
            <b>{counts.synced}</b> synced
          </span>
          {counts.stale > 0 ? (
            <span className="tone-stale">
              <Icon name="clock" size={13} /> <b>{counts.stale}</b> behind
            </span>
          ) : null}
          {counts.listing + counts.waiting > 0 ? (
            <span className="tone-stale">
              <Icon name="clock" size={13} /> <b>{counts.listing + counts.waiting}</b> waiting
            </span>
          ) : null}
          {counts.denied > 0 ? (
            <span className="tone-error">
              <Icon name="lock" size={13} /> <b>{counts.denied}</b> not permitted
            </span>
          ) : null}
          {counts.away > 0 ? (
            <span className="tone-error">
              <b>{counts.away}</b> not answering
            </span>
          ) : null}
        </span>
      </header>
      <ol
        className={`ladder ${all.length > MANY ? 'ladder-dense' : ''}`}
        onKeyDown={rove.onKeyDown}
        ref={rove.list}
      >
        {all.map((rung, at) => (
          <SyncCell key={rung.node.name} rung={rung} first={at === 0} />
        ))}
      </ol>
      <div className="ladder-notes" aria-hidden="true">
        {sources > 0 ? (
          <>
            <span style={{flexGrow: sources}}>{plural(sources, 'source')}</span>
            <span style={{flexGrow: all.length - sources}}>
              {all.length - sources} derived, in topological order
            </span>
          </>
        ) : null}
      </div>
      <SyncBlockerChains
        chains={chains}
        absent={all.filter(one => one.state === 'absent')}
        total={all.length}
      />
    </section>
  );
}

function stateWords(node: CollectionNode): string {
  if (isStale(node)) return freshnessOf(node, Date.now())?.words ?? 'not current';
  const items = plural(node.size, 'item');
  if (node.state === 'listing' || node.progress !== undefined) return syncWaitText(node);
  if (node.state !== undefined && node.state !== 'synced' && !node.synced) return node.state;
  if (node.state === 'not installed' || node.state === 'left out') return node.state;
  if (node.waitingFor !== undefined) return `waits for ${node.waitingFor}`;
  return node.synced ? `synced, ${items}` : 'waiting';
}

function SyncCell({rung, first}: {rung: CollectionSync; first: boolean}) {
  const {node, state, source} = rung;
  const words = `${node.name}, ${stateWords(node)}`;
  return (
    <li className={source ? 'rung-source' : ''}>
      <button
        type="button"
        data-rung=""
        tabIndex={first ? 0 : -1}
        className={`rung rung-${state}`}
        title={words}
        aria-label={words}
        onClick={() => select({collection: node.name}, 'sheet')}
      />
    </li>
  );
}

function SyncBlockerChains({
  chains,
  absent,
  total,
}: {
  chains: CollectionNode[][];
  absent: CollectionSync[];
  total: number;
}) {
  if (total === 0) return <NoCollections />;
  if (chains.length === 0) return <AllSynced absent={absent} />;
  const chain = chains[0]!;
  const last = chain.at(-1)!;
  return (
    <div className="holders">
      <Icon name="clock" />
      {chain.map((node, at) => (
        <span key={node.name} className="holder inline-row gap-10">
          {at > 0 ? <span className="tx-3">waits for</span> : null}
          <ItemChip collection={node.name} kind={node.kind} view="sheet" />
        </span>
      ))}
      <BlockerState node={last} />
      {chains.length > 1 ? <span className="tx-3">and {chains.length - 1} more</span> : null}
      {last.hint ? <Hint text={last.hint} /> : null}
    </div>
  );
}

/** All collections are synced. The demo shows how to reach its API server from a terminal. */
/** A program may report controllers and no collections. */
function NoCollections() {
  const controllers = useLastAnswer(useSubscription({ask: 'controllers'}))?.controllers.length ?? 0;
  const text = controllers > 0 ? 'No collections. This program reports controllers only.' : 'Loading…';
  return <p className="sync-calm">{text}</p>;
}

function AllSynced({absent}: {absent: CollectionSync[]}) {
  const cluster = useConnection(link => link.session?.cluster);
  return (
    <div className="holders">
      <span>
        All sources are readable.
        {absent.length > 0 ? ` Not installed: ${absent.map(one => one.node.name).join(', ')}.` : ''}
      </span>
      {cluster?.kind === 'demo' && cluster.kubeconfig ? (
        <CopyCommand command={`kubectl --kubeconfig ${cluster.kubeconfig} -n shop get pods`} plain />
      ) : null}
    </div>
  );
}

function BlockerState({node}: {node: CollectionNode}) {
  if (isStale(node)) return <ToneWord tone="stale">{freshnessOf(node, Date.now())?.words}</ToneWord>;
  if (node.state === 'forbidden') return <ToneWord tone="error">403 forbidden</ToneWord>;
  if (node.state === 'unreachable') return <ToneWord tone="error">does not answer</ToneWord>;
  if (node.state === 'listing' || node.progress !== undefined)
    return <ToneWord tone="stale">{syncWaitText(node)}</ToneWord>;
  return <ToneWord tone="stale">{node.state ?? 'waiting'}</ToneWord>;
}

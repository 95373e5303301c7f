// The sync ladder: one rung a collection, and the chain to what holds the waiting ones, with the command that helps.

import type {CollectionNode} from '@krtscope/shared/graph.ts';
import {useMemo} from 'react';
import {freshnessOf, isStale} from '../freshness/freshness.ts';
import {select} from '../store/hooks.ts';
import {useGraph} from '../stream/hooks.ts';
import {useLink} from '../stream/link.ts';
import {CopyCommand} from '../ui/CopyButton.tsx';
import {Icon} from '../ui/Icon.tsx';
import {ItemChip} from '../ui/ItemChip.tsx';
import {useRoving} from '../ui/roving.ts';
import {Word} from '../ui/state.tsx';
import {waitingWords} from '../ui/waiting.ts';
import {holdings, type Rung, rungs, tally} from './ladder.ts';
import './sync-ladder.css';

/** With more rungs than this the gaps would be wider than the rungs. */
const MANY = 100;

export function SyncLadder() {
  const graph = useGraph();
  const all = useMemo(() => (graph === null ? [] : rungs(graph)), [graph]);
  const chains = useMemo(() => (graph === null ? [] : holdings(graph)), [graph]);
  const counts = tally(all);
  const sources = all.filter(one => one.source).length;
  const rove = useRoving('[data-rung]');
  return (
    <section className="sync" aria-label="Sync">
      <header className="sync-head">
        <h2 className="panel-title">Sync</h2>
        <span className="panel-note">{graph === null ? 'connecting' : `${all.length} collections`}</span>
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
          <RungCell key={rung.node.name} rung={rung} first={at === 0} />
        ))}
      </ol>
      <div className="ladder-notes" aria-hidden="true">
        {sources > 0 ? (
          <>
            <span style={{flexGrow: sources}}>{sources} sources</span>
            <span style={{flexGrow: all.length - sources}}>
              {all.length - sources} derived, in topological order
            </span>
          </>
        ) : null}
      </div>
      <Holders chains={chains} absent={all.filter(one => one.state === 'absent')} total={all.length} />
    </section>
  );
}

function stateWords(node: CollectionNode): string {
  if (isStale(node)) return freshnessOf(node, Date.now())?.words ?? 'not current';
  const items = `${node.size.toLocaleString('en')} items`;
  if (node.state === 'listing' || node.progress !== undefined) return waitingWords(node);
  if (node.state !== undefined && node.state !== 'synced' && !node.synced) return node.state;
  if (node.state === 'not installed') return 'not installed';
  if (node.waitingFor !== undefined) return `waits for ${node.waitingFor}`;
  return node.synced ? `synced, ${items}` : 'waiting';
}

function RungCell({rung, first}: {rung: Rung; first: boolean}) {
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

function Holders({chains, absent, total}: {chains: CollectionNode[][]; absent: Rung[]; total: number}) {
  if (total === 0) return <p className="sync-calm">Waiting for the first answer.</p>;
  if (chains.length === 0) return <Calm absent={absent} />;
  const chain = chains[0]!;
  const last = chain.at(-1)!;
  return (
    <div className="holders">
      <Icon name="clock" />
      {chain.map((node, at) => (
        <span key={node.name} className="holder">
          {at > 0 ? <span className="tx-3">waits for</span> : null}
          <ItemChip collection={node.name} kind={node.kind} view="sheet" />
        </span>
      ))}
      <HolderState node={last} />
      {chains.length > 1 ? <span className="tx-3">and {chains.length - 1} more</span> : null}
      {last.hint ? <CopyCommand command={last.hint} plain /> : null}
    </div>
  );
}

/** Nothing waits. In the demo: how to reach its API server from a terminal, which is how one makes something happen. */
function Calm({absent}: {absent: Rung[]}) {
  const cluster = useLink(link => link.session?.cluster);
  return (
    <div className="holders">
      <span>
        Everything that can be read is read.
        {absent.length > 0 ? ` Not installed: ${absent.map(one => one.node.name).join(', ')}.` : ''}
      </span>
      {cluster?.kind === 'demo' && cluster.kubeconfig ? (
        <CopyCommand command={`kubectl --kubeconfig ${cluster.kubeconfig} -n shop get pods`} plain />
      ) : null}
    </div>
  );
}

function HolderState({node}: {node: CollectionNode}) {
  if (isStale(node)) return <Word tone="stale">{freshnessOf(node, Date.now())?.words}</Word>;
  if (node.state === 'forbidden') return <Word tone="error">403 forbidden</Word>;
  if (node.state === 'unreachable') return <Word tone="error">does not answer</Word>;
  if (node.state === 'listing' || node.progress !== undefined)
    return <Word tone="stale">{waitingWords(node)}</Word>;
  return <Word tone="stale">{node.state ?? 'waiting'}</Word>;
}

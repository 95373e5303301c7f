// The panel of a collection: kind, size, state, inputs and outputs.
import type {CollectionNode, GraphEdge} from '@krtscope/shared/graph.ts';
import {navigate} from '../store/app.ts';
import {useCollection, useGraph} from '../stream/use-subscription.ts';
import {Button} from '../ui/controls/Button.tsx';
import {CopyCommand} from '../ui/controls/CopyButton.tsx';
import {kindWords} from '../ui/indicators/collection-kind.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {ToneWord} from '../ui/indicators/outcome-state.tsx';
import {EmptyState} from '../ui/layout/Panel.tsx';
import {Age} from '../ui/text/Age.tsx';
import './collection-panel.css';

export function CollectionPanel({name}: {name: string}) {
  const node = useCollection(name);
  const graph = useGraph();
  if (node === undefined) {
    return graph === null ? null : (
      <EmptyState title={`There is no collection ${name}`}>Press Ctrl K to see all collections.</EmptyState>
    );
  }
  return (
    <div className="inspector-scroll collection-panel">
      <div className="inspector-facts bar gap-6">
        <ToneWord>
          {node.size.toLocaleString('en')} {node.size === 1 ? 'item' : 'items'}
        </ToneWord>
        {node.synced ? (
          <ToneWord>synced</ToneWord>
        ) : (
          <ToneWord tone="stale">{node.state ?? 'waiting'}</ToneWord>
        )}
        {node.failed > 0 ? <ToneWord tone="error">{node.failed} failed</ToneWord> : null}
      </div>
      <p className="collection-words">
        {kindWords[node.kind]}
        {node.resource
          ? `, ${[node.resource.group, node.resource.version].filter(Boolean).join('/')} ${node.resource.kind}`
          : ''}
      </p>
      <CollectionTrouble node={node} />
      <dl className="collection-numbers">
        <dt>runs</dt>
        <dd>{node.runs.toLocaleString('en')}</dd>
        <dt>last minute</dt>
        <dd>
          {node.rate} {node.rate === 1 ? 'run' : 'runs'}, {node.equal} equal
        </dd>
        {node.last ? (
          <>
            <dt>newest</dt>
            <dd>
              {node.last.key}, <Age at={node.last.at} ago />
            </dd>
          </>
        ) : null}
      </dl>
      <EdgeList title="Reads from" edges={graph?.edges.filter(edge => edge.to === name) ?? []} end="from" />
      <EdgeList title="Read by" edges={graph?.edges.filter(edge => edge.from === name) ?? []} end="to" />
      <div className="inspector-buttons row gap-6">
        <Button size="small" look="primary" keys="2" onClick={() => navigate({view: 'sheet'})}>
          Rows
        </Button>
        <Button size="small" keys="g" onClick={() => navigate({view: 'graph'})}>
          Graph
        </Button>
      </div>
    </div>
  );
}

function CollectionTrouble({node}: {node: CollectionNode}) {
  if (node.reason === undefined && node.waitingFor === undefined) return null;
  return (
    <div className="collection-trouble column gap-6">
      {node.waitingFor === undefined ? null : (
        <p>
          waiting for <ItemChip collection={node.waitingFor} />
        </p>
      )}
      {node.reason === undefined ? null : <p>{node.reason}</p>}
      {node.hint === undefined ? null : <CopyCommand command={node.hint} />}
    </div>
  );
}

function EdgeList({title, edges, end}: {title: string; edges: GraphEdge[]; end: 'from' | 'to'}) {
  if (edges.length === 0) return null;
  return (
    <section aria-label={title}>
      <p className="label relation-label">{title}</p>
      {edges.map(edge => (
        <div key={`${edge.from} ${edge.to} ${edge.kind}`} className="relation column">
          <ItemChip collection={edge[end]} side={end === 'from' ? 'cause' : 'effect'} />
          <span className="relation-note mono">
            {edge.filters.length > 0 ? edge.filters.join(' · ') : edge.kind}
          </span>
        </div>
      ))}
    </section>
  );
}

// One node on the canvas: HTML over the outline of its kind, with live numbers.

import type {CollectionNode} from '@krtscope/shared/graph.ts';
import {Handle, type NodeProps, Position} from '@xyflow/react';
import {type MouseEvent, memo, type ReactNode, useEffect, useRef} from 'react';
import {freshnessOf, isStale} from '../../freshness/freshness.ts';
import {useCollection, useGraph} from '../../stream/use-subscription.ts';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {ageText} from '../../ui/text/Age.tsx';
import {shortenMiddle} from '../../ui/text/shorten-middle.ts';
import {syncWaitText} from '../../ui/text/sync-wait-text.ts';
import {SupposedBadge} from '../../what-if/SupposedCell.tsx';
import {useWavePlayback} from '../../why/wave-playback.ts';
import {groupSummary} from '../drawing/collection-groups.ts';
import {isBroken, isWaiting} from '../drawing/node-rank.ts';
import {itemId, type SceneNode} from '../drawing/scene.ts';
import {type GraphContextValue, useGraphContext} from '../graph-context.ts';
import {type Activity, useActivity} from './activity.ts';
import {useAgingNow} from './aging-clock.ts';
import {heatStep} from './heat.ts';
import {NodeBody} from './NodeBody.tsx';
import {nodeOutline, nodePadding} from './node-outline.ts';
import './graph-node.css';

export const GraphNode = memo(function GraphNode({data}: NodeProps) {
  const node = data.node as SceneNode;
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className="graph-handle" />
      {node.item ? (
        <ItemBox node={node} item={node.item} />
      ) : node.drawn?.members ? (
        <GroupBox node={node} members={node.drawn.members} />
      ) : (
        <CollectionBox node={node} />
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} className="graph-handle" />
    </>
  );
});

function CollectionBox({node}: {node: SceneNode}) {
  return <CollectionFrame node={node} collection={useCollection(node.id) ?? node.drawn!.collection} />;
}

/** Apart from CollectionBox, because it is drawn again with every change of the graph. */
function GroupBox({node, members}: {node: SceneNode; members: readonly CollectionNode[]}) {
  const graph = useGraph();
  const names = new Set(members.map(member => member.name));
  const live = graph?.collections.filter(one => names.has(one.name)) ?? [];
  return <CollectionFrame node={node} collection={groupSummary(node.id, live.length > 0 ? live : members)} />;
}

function CollectionFrame({node, collection}: {node: SceneNode; collection: CollectionNode}) {
  const graph = useGraphContext();
  const now = useAgingNow(collection.last?.at);
  const activity = useActivity(collection, now);
  const state = graph.moment === null ? nodeState(collection, activity) : pastState(collection, graph);
  const selected = graph.focus === node.id;
  const heat = heatStep(collection, graph.heat, graph.heatMost);
  const dim =
    (graph.finding && !graph.found.has(node.id)) || (graph.focus !== undefined && node.cone === 'off');
  const near = graph.hovered !== undefined && isNear(node, graph.hovered);
  return (
    <NodeFrame
      node={node}
      label={nodeLabel(collection, graph.inputs(node.id), now, node.drawn?.members?.length)}
      className={`${state} ${selected ? 'node-selected' : ''} ${dim ? 'node-dim' : ''} ${graph.finding && graph.found.has(node.id) ? 'node-found' : ''} ${near ? 'node-near' : ''} ${heat === undefined ? '' : `heat-${heat}`}`}
    >
      <NodeBody node={node} collection={collection} now={now} selected={selected} activity={activity} />
      <SupposedBadge collection={collection.name} />
    </NodeFrame>
  );
}

/** The focusable frame: outline, chips above, tabs below, stubs at the sides. */
function NodeFrame({
  node,
  label,
  className,
  children,
}: {
  node: SceneNode;
  label: string;
  className: string;
  children: ReactNode;
}) {
  const graph = useGraphContext();
  const playing = useWavePlayback(
    ({step}) => step !== null && (node.id === step.collection || node.id === itemId(step)),
  );
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (graph.walked.current !== node.id) return;
    graph.walked.current = undefined;
    button.current?.focus();
  });
  const {width, height} = node.size;
  const shape = nodeOutline(node.kind, width, height);
  const pad = nodePadding(node.kind);
  const stub = graph.stubs.get(node.id);
  return (
    <div
      className={`node node-${node.kind} ${className} ${playing ? 'node-playing' : ''}`}
      style={{width, height}}
      data-node={node.id}
    >
      <svg
        className="node-shape"
        width={width + 12}
        height={height + 4}
        viewBox={`-2 -2 ${width + 12} ${height + 4}`}
        aria-hidden="true"
      >
        {shape.behind.map(d => (
          <path key={d} d={d} className="node-behind" />
        ))}
        <path d={shape.body} className="node-outline" />
        {node.kind === 'source' ? <path d={shape.behind[0]!} className="node-behind" /> : null}
      </svg>
      {node.drawn ? <QuietWires {...node.drawn.quiet} /> : null}
      <button
        ref={button}
        type="button"
        className="node-button"
        tabIndex={graph.roving === node.id ? 0 : -1}
        aria-label={label}
        aria-pressed={node.drawn?.members ? undefined : node.cone === 'self'}
        aria-expanded={node.drawn?.members ? false : undefined}
        onClick={onKeyboardClick(() => graph.pick(node))}
        onFocus={() => {
          graph.focusNode(node.id);
          graph.hover(node.id);
        }}
        onBlur={() => graph.hover(undefined)}
      />
      <div
        className="node-content column"
        style={{paddingLeft: pad.left, paddingRight: pad.right}}
        aria-hidden="true"
      >
        {children}
      </div>
      {node.drawn && node.drawn.indexes.length > 0 ? (
        <div className="node-tabs" aria-hidden="true">
          {node.drawn.indexes.slice(0, 2).map(index => (
            <span key={index} className="node-tab" title={`index ${index}`}>
              # {index}
            </span>
          ))}
        </div>
      ) : null}
      {stub?.up ? <StubButton side="up" names={stub.up} of={node.id} /> : null}
      {stub?.down ? <StubButton side="down" names={stub.down} of={node.id} /> : null}
    </div>
  );
}

/** Handles Enter, Space and screen readers. press-tracker.ts handles the pointer. */
function onKeyboardClick(act: () => void): (event: MouseEvent) => void {
  return event => {
    if (event.detail === 0) act();
  };
}

/** Counts the wires that are drawn only under the pointer. */
function QuietWires({reads, readers}: {reads: string[]; readers: string[]}) {
  if (reads.length + readers.length === 0) return null;
  return (
    <div className="node-quiet" aria-hidden="true">
      {reads.length > 0 ? (
        <span className="node-chip" title={`Also reads ${reads.join(', ')}`}>
          reads {reads.length} more
        </span>
      ) : null}
      {readers.length > 0 ? (
        <span className="node-chip" title={`Also read by ${readers.join(', ')}`}>
          read by {readers.length} more
        </span>
      ) : null}
    </div>
  );
}

/** True for the other end of a quiet wire of the hovered node. */
function isNear({drawn}: SceneNode, hovered: string): boolean {
  return (
    drawn !== undefined && (drawn.quiet.reads.includes(hovered) || drawn.quiet.readers.includes(hovered))
  );
}

function StubButton({side, names, of}: {side: 'up' | 'down'; names: string[]; of: string}) {
  const {open, wired} = useGraphContext();
  // At the corner if the side has a wire, because the chip would cover the wire.
  const corner = wired(of)[side] ? 'node-stub-corner' : '';
  const words = names.length === 1 ? names[0]! : `+${names.length}`;
  return (
    <button
      type="button"
      className={`node-stub ellipsis node-stub-${side} ${corner} nopan`}
      tabIndex={-1}
      title={`Show ${names.join(', ')}`}
      aria-label={`Show ${names.length === 1 ? names[0] : `${names.length} more`} ${side === 'up' ? 'read by' : 'that read'} ${of}`}
      data-stub={JSON.stringify(names)}
      onClick={onKeyboardClick(() => open(names))}
    >
      {side === 'up' ? '‹ ' : ''}
      {words}
      {side === 'down' ? ' ›' : ''}
    </button>
  );
}

function ItemBox({node, item}: {node: SceneNode; item: NonNullable<SceneNode['item']>}) {
  const slash = item.key.lastIndexOf('/');
  return (
    <NodeFrame
      node={node}
      label={`${item.collection} ${item.missing ? 'no match for ' : ''}${item.key}${item.outcome ? `, ${item.outcome}` : ''}`}
      className={`node-item ${item.missing ? 'node-missing' : ''} ${item.focus ? 'node-selected' : ''} ${item.outcome === 'failed' ? 'node-error' : ''}`}
    >
      <span className="node-line">
        <span className="node-key" title={item.key}>
          {item.missing ? 'no match' : shortenMiddle(item.key.slice(slash + 1), 20)}
        </span>
        {item.outcome && item.outcome !== 'added' ? <StateGlyph outcome={item.outcome} /> : null}
      </span>
      <span className="node-line node-caption">
        <KindShape kind={node.kind} size={12} /> {item.collection}
        {item.missing ? (
          <span className="node-ns" title={item.key}>
            {item.key}
          </span>
        ) : slash > 0 ? (
          <span className="node-ns">{shortenMiddle(item.key.slice(0, slash), 14)}</span>
        ) : null}
      </span>
    </NodeFrame>
  );
}

export function nodeState(collection: CollectionNode, activity: Activity): string {
  if (isBroken(collection)) return 'node-error';
  if (isWaiting(collection)) return 'node-stale';
  return activity === 'news' ? 'node-changed' : '';
}

function pastState(collection: CollectionNode, {counts, writes}: GraphContextValue): string {
  if (isBroken(collection)) return 'node-error';
  if (isWaiting(collection)) return 'node-stale';
  return writes.has(collection.name) || (counts.get(collection.name)?.changed ?? 0) > 0 ? 'node-changed' : '';
}

/** The text for screen readers. */
function nodeLabel(
  collection: CollectionNode,
  ends: {inputs: number; outputs: number},
  now: number,
  members: number | undefined,
): string {
  const parts = [
    collection.name,
    ...(members === undefined ? [] : [`group of ${members} collections`]),
    `${collection.size.toLocaleString('en')} ${collection.size === 1 ? 'item' : 'items'}`,
    `${ends.inputs} ${ends.inputs === 1 ? 'input' : 'inputs'}`,
    `${ends.outputs} ${ends.outputs === 1 ? 'output' : 'outputs'}`,
  ];
  if (collection.failed > 0) parts.push(`${collection.failed} failed`);
  if (collection.state === 'forbidden') parts.push('not permitted');
  else if (!collection.synced) parts.push(syncWaitText(collection, true));
  else if (isStale(collection)) parts.push(freshnessOf(collection, now)?.words ?? 'not current');
  // Whole minutes, because screen readers read a changed label again.
  else if (collection.last)
    parts.push(
      `${collection.last.outcome} ${Math.floor((now - collection.last.at) / 60_000) === 0 ? 'just now' : `${ageText(now - collection.last.at)} ago`}`,
    );
  return parts.join(', ');
}

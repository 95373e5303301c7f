// The strip on the left: all collections in topological order, with the wires of the selected one.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {memo, useMemo} from 'react';
import {select} from '../../store/navigation.ts';
import {useRovingFocus} from '../../ui/hooks/use-roving-focus.ts';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {useNow} from '../../ui/text/Age.tsx';
import {isBroken, isWaiting} from '../drawing/node-rank.ts';
import type {GraphContextValue} from '../graph-context.ts';
import {activityLog} from '../nodes/activity.ts';
import {shortName} from '../nodes/node-size.ts';
import {stripWires, topologicalOrder} from './topological-order.ts';
import {useRowsInView} from './use-rows-in-view.ts';
import './collection-strip.css';

const ROW = 26;
const HEAD = 6;
/** Names that are longer do not fit in the narrow strip. */
const LONG_NAME = 24;

export function CollectionStrip({
  graph,
  focus,
  drawn,
  wave,
}: {
  graph: Graph;
  focus: string | undefined;
  drawn: ReadonlySet<string>;
  /** The wave of a past moment. */
  wave: Pick<GraphContextValue, 'counts' | 'writes'> | undefined;
}) {
  const now = useNow();
  const {list, onKeyDown} = useRovingFocus<HTMLDivElement>('.gstrip-row');
  const order = useMemo(() => topologicalOrder(graph), [graph]);
  const wires = useMemo(() => stripWires(order, graph, focus), [order, graph, focus]);
  const {first, last} = useRowsInView(list, order.length);
  // Only one row is a Tab stop. Otherwise Tab would need hundreds of presses to reach the drawing.
  const chosen = order.findIndex(({name}) => name === focus);
  const stop = chosen >= first && chosen < last ? chosen : first;
  const isLong = order.some(({name}) => name.length > LONG_NAME);
  const near = new Set(wires.flatMap(wire => [wire.from, wire.to]));
  return (
    <nav className={`gstrip column ${isLong ? 'gstrip-wide' : ''}`} aria-label="Collections">
      <header className="gstrip-head bar">
        <span className="label">Collections</span>
        <span>topological</span>
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows are buttons, their keys are heard here */}
      <div className="gstrip-list" ref={list} onKeyDown={onKeyDown}>
        <svg className="gstrip-wires" width={26} height={order.length * ROW + HEAD * 2} aria-hidden="true">
          {wires.map(wire => (
            <StripWireLine key={`${wire.from} ${wire.to}`} {...wire} />
          ))}
        </svg>
        <div style={{height: first * ROW}} />
        {order.slice(first, last).map((node, position) => (
          <StripRow
            key={node.name}
            node={node}
            selected={node.name === focus}
            stop={first + position === stop}
            near={near.has(first + position)}
            away={!drawn.has(node.name)}
            fresh={wave ? outcomeInWave(node.name, wave) : freshOutcome(node, now)}
          />
        ))}
        <div style={{height: (order.length - last) * ROW}} />
      </div>
    </nav>
  );
}

function freshOutcome(node: CollectionNode, now: number): RunOutcome | undefined {
  return activityLog.activityOf(node, now) === 'news' ? node.last?.outcome : undefined;
}

function outcomeInWave(
  name: string,
  wave: Pick<GraphContextValue, 'counts' | 'writes'>,
): RunOutcome | undefined {
  const count = wave.counts.get(name);
  if (!count) return wave.writes.has(name) ? 'changed' : undefined;
  return count.failed > 0 ? 'failed' : count.changed > 0 ? 'changed' : 'equal';
}

const StripRow = memo(function StripRow({
  node,
  selected,
  stop,
  near,
  away,
  fresh,
}: {
  node: CollectionNode;
  selected: boolean;
  stop: boolean;
  near: boolean;
  away: boolean;
  fresh: RunOutcome | undefined;
}) {
  return (
    <button
      type="button"
      className={`gstrip-row ${selected ? 'gstrip-selected' : ''} ${near || fresh !== undefined ? 'gstrip-near' : ''} ${away ? 'gstrip-away' : ''}`}
      tabIndex={stop ? 0 : -1}
      aria-current={selected ? 'true' : undefined}
      onClick={() => select({collection: node.name})}
    >
      <KindShape kind={node.kind} />
      <CollectionName name={node.name} />
      <StripState node={node} fresh={fresh} />
      <span className="gstrip-count">
        {node.state === 'forbidden' ? '—' : node.size.toLocaleString('en')}
      </span>
    </button>
  );
});

/** Of a long name the prefix is shortened: many collections differ only in the last part. */
function CollectionName({name}: {name: string}) {
  const last = shortName(name);
  const prefix = name.slice(0, name.length - last.length);
  return (
    <span className="gstrip-name" title={name}>
      {prefix === '' ? null : <span className="gstrip-prefix ellipsis">{prefix}</span>}
      <span className="ellipsis">{last}</span>
    </span>
  );
}

function StripState({node, fresh}: {node: CollectionNode; fresh: RunOutcome | undefined}) {
  if (node.state === 'forbidden')
    return (
      <span className="gstrip-error">
        <Icon name="lock" size={12} />
      </span>
    );
  if (isBroken(node)) return <StateGlyph tone="error" size={8} />;
  if (isWaiting(node)) return <StateGlyph tone="stale" size={9} />;
  return fresh === undefined ? null : <StateGlyph outcome={fresh} size={8} />;
}

function StripWireLine({from, to, side}: {from: number; to: number; side: 'cause' | 'effect'}) {
  const a = HEAD + from * ROW + ROW / 2;
  const b = HEAD + to * ROW + ROW / 2;
  const bow = Math.min(20, 7 + Math.abs(to - from) * 1.2);
  return (
    <g className={`gstrip-wire gstrip-${side}`}>
      <path d={`M4 ${a}C${4 + bow} ${a} ${4 + bow} ${b} 7 ${b}`} />
      <circle cx={3.5} cy={a} r={2} />
      <path className="gstrip-wire-head" d={`M2 ${b}l6-3v6z`} />
    </g>
  );
}

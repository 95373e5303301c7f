// The Strip: all collections in topological order, with one-hop wires of the selected one. Click selects.
import type {Graph} from '@krtscope/shared/graph.ts';
import {useMemo, useRef} from 'react';
import {select} from '../store/hooks.ts';
import {useNow} from '../ui/Age.tsx';
import {Icon} from '../ui/Icon.tsx';
import {KindShape} from '../ui/kind.tsx';
import {outcomeTone, StateGlyph} from '../ui/state.tsx';
import {isBroken, isWaiting} from './rank.ts';
import {stripWires, topological} from './topology.ts';

const ROW = 26;
const HEAD = 6;

export function Strip({
  graph,
  focus,
  drawn,
}: {
  graph: Graph;
  focus: string | undefined;
  drawn: ReadonlySet<string>;
}) {
  const now = useNow();
  const list = useRef<HTMLDivElement>(null);
  const order = useMemo(() => topological(graph), [graph]);
  const wires = useMemo(() => stripWires(order, graph, focus), [order, graph, focus]);
  const near = new Set(wires.flatMap(wire => [wire.from, wire.to]));
  return (
    <nav className="gstrip" aria-label="Collections">
      <header className="gstrip-head">
        <span className="label">Collections</span>
        <span>topological</span>
      </header>
      <div className="gstrip-list" ref={list}>
        <svg className="gstrip-wires" width={26} height={order.length * ROW + HEAD * 2} aria-hidden="true">
          {wires.map(wire => (
            <StripWire key={`${wire.from} ${wire.to}`} {...wire} />
          ))}
        </svg>
        {order.map((node, position) => {
          const fresh =
            node.last && now - node.last.at < 60_000 && outcomeTone[node.last.outcome] === 'changed';
          return (
            <button
              key={node.name}
              type="button"
              className={`gstrip-row ${node.name === focus ? 'gstrip-selected' : ''} ${near.has(position) || fresh ? 'gstrip-near' : ''} ${drawn.has(node.name) ? '' : 'gstrip-away'}`}
              aria-current={node.name === focus ? 'true' : undefined}
              onClick={() => select({collection: node.name})}
            >
              <KindShape kind={node.kind} />
              <span className="gstrip-name">{node.name}</span>
              {isBroken(node) ? (
                node.state === 'forbidden' ? (
                  <span className="gstrip-error">
                    <Icon name="lock" size={12} />
                  </span>
                ) : (
                  <StateGlyph tone="error" size={8} />
                )
              ) : isWaiting(node) ? (
                <StateGlyph tone="stale" size={9} />
              ) : fresh ? (
                <StateGlyph outcome={node.last!.outcome} size={8} />
              ) : null}
              <span className="gstrip-count">
                {node.state === 'forbidden' ? '—' : node.size.toLocaleString('en')}
              </span>
            </button>
          );
        })}
      </div>
    </nav>
  );
}

function StripWire({from, to, side}: {from: number; to: number; side: 'cause' | 'effect'}) {
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

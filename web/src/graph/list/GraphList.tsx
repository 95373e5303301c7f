// The graph as a tree, for keyboards and screen readers.

import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {type KeyboardEvent, type ReactNode, useMemo, useRef, useState} from 'react';
import {select} from '../../store/navigation.ts';
import {KindMark, KindShape} from '../../ui/indicators/collection-kind.tsx';
import {OutcomeWord, ToneWord} from '../../ui/indicators/outcome-state.tsx';
import {useNow} from '../../ui/text/Age.tsx';
import {syncWaitText} from '../../ui/text/sync-wait-text.ts';
import type {Drawing} from '../drawing/drawing.ts';
import {buildTree} from './collection-tree.ts';
import './graph-list.css';

export function GraphList({
  graph,
  drawing,
  focus,
  foot,
}: {
  graph: Graph;
  drawing: Drawing;
  focus: string | undefined;
  foot: ReactNode;
}) {
  const now = useNow();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => buildTree(drawing, focus, closed), [drawing, focus, closed]);
  const live = new Map(graph.collections.map(node => [node.name, node]));
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const current = Math.min(at, rows.length - 1);
  const turn = (path: string, shut: boolean) =>
    setClosed(old => (shut ? new Set([...old, path]) : new Set([...old].filter(one => one !== path))));
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current];
    const go = (next: number) => {
      const to = Math.max(0, Math.min(rows.length - 1, next));
      setAt(to);
      list.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[to]?.focus();
    };
    if (event.key === 'ArrowDown') go(current + 1);
    else if (event.key === 'ArrowUp') go(current - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(rows.length - 1);
    else if (event.key === 'ArrowRight' && row)
      row.children > 0 && closed.has(row.path) ? turn(row.path, false) : go(current + 1);
    else if (event.key === 'ArrowLeft' && row)
      row.children > 0 && !closed.has(row.path)
        ? turn(row.path, true)
        : go(rows.findLastIndex((one, i) => i < current && one.depth < row.depth));
    else if (event.key === 'Enter' && row) select({collection: row.name});
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className="graph-list column" aria-label="Graph as a list">
      <div
        ref={list}
        role="tree"
        aria-label="Collections and their inputs"
        className="tree"
        onKeyDown={onKeyDown}
      >
        {rows.map((row, position) => {
          const node = live.get(row.name) ?? row.node;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
            <div
              key={row.path}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-expanded={row.children > 0 ? !closed.has(row.path) : undefined}
              aria-selected={row.name === focus}
              tabIndex={position === current ? 0 : -1}
              className={`tree-row row gap-8 ${row.name === focus ? 'tree-selected' : ''} ${row.side ? `tree-${row.side}` : ''}`}
              style={{paddingLeft: `calc(12px + ${row.depth} * var(--indent))`}}
              onFocus={() => setAt(position)}
              onClick={() => select({collection: row.name})}
            >
              <span className="tree-side">
                {row.side === 'cause' ? '◂' : row.side === 'effect' ? '▸' : ''}
              </span>
              <KindShape kind={node.kind} />
              <span className="tree-name" title={row.name}>
                {row.name}
              </span>
              <KindMark kind={node.kind} />
              <span className="tree-count">{node.size.toLocaleString('en')}</span>
              {row.how === '' ? null : (
                <span className="tree-how" title={row.how}>
                  {row.how}
                </span>
              )}
              <ListState node={node} now={now} />
              {row.again ? <span className="tree-again">shown above</span> : null}
            </div>
          );
        })}
      </div>
      <div className="canvas-foot list-foot">{foot}</div>
    </section>
  );
}

function ListState({node, now}: {node: CollectionNode; now: number}) {
  if (node.state === 'forbidden') return <ToneWord tone="error">403: not allowed to list</ToneWord>;
  if (node.failed > 0) return <ToneWord tone="error">{node.failed} failed</ToneWord>;
  if (!node.synced) return <ToneWord tone="stale">{syncWaitText(node)}</ToneWord>;
  if (node.last && now - node.last.at < 60_000) return <OutcomeWord outcome={node.last.outcome} />;
  return <span className="tree-rate">{node.rate > 0 ? `${node.rate}/min` : 'idle'}</span>;
}

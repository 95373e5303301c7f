// A tree with the keys of a tree: arrows move, open and close, Enter selects. One row is a Tab stop.
import {type KeyboardEvent, type ReactNode, useMemo, useRef, useState} from 'react';
import type {TreeRow} from './collection-tree.ts';
import './graph-list.css';

export function TreeList({
  label,
  rowsOf,
  focus,
  onPick,
  foot,
  children,
}: {
  label: string;
  /** The rows, without those below closed ones. Stable while the drawing is the same. */
  rowsOf: (closed: ReadonlySet<string>) => TreeRow[];
  focus: string | undefined;
  onPick: (name: string) => void;
  foot: ReactNode;
  /** What a row shows. */
  children: (row: TreeRow) => ReactNode;
}) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(closed), [rowsOf, closed]);
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
    else if (event.key === 'Enter' && row) onPick(row.name);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className="graph-list column" aria-label="Graph as a list">
      <div ref={list} role="tree" aria-label={label} className="tree" onKeyDown={onKeyDown}>
        {rows.map((row, position) => (
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
            onClick={() => onPick(row.name)}
          >
            <span className="tree-side">{row.side === 'cause' ? '◂' : row.side === 'effect' ? '▸' : ''}</span>
            {children(row)}
            {row.again ? <span className="tree-again">shown above</span> : null}
          </div>
        ))}
      </div>
      <div className="canvas-foot list-foot">{foot}</div>
    </section>
  );
}

/** How the row depends on the row above it. */
export function TreeEdgeWords({row}: {row: TreeRow}) {
  return row.how === '' ? null : (
    <span className="tree-how" title={row.how}>
      {row.how}
    </span>
  );
}

// The two header lines: a collection's kind, name, count and newest state; below them its fields.
// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, so the ARIA grid is spelled out
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell

import type {CollectionNode} from '@krtscope/shared/graph.ts';
import {useContext} from 'react';
import {freshnessOf, isStale} from '../../freshness/freshness.ts';
import {toast} from '../../store/app.ts';
import {useParam} from '../../store/navigation.ts';
import {KindMark, KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {outcomeTone, StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {ageText} from '../../ui/text/Age.tsx';
import {syncWaitText} from '../../ui/text/sync-wait-text.ts';
import {type FieldColumn, fieldLabel, groupWidths, headerWidth} from '../columns/columns.ts';
import {DraftColumnContext} from './draft-column.ts';
import {RECENT_MS} from './SheetCell.tsx';
import type {NewestChange} from './use-line-frame.ts';
import './sheet-head.css';
import {plural} from '../../ui/text/plural.ts';

const HEAD_HEIGHT = 56;
/** Height of the line with freshness clocks, shown while a column is behind. */
const CLOCKS_HEIGHT = 22;

export function headHeight(
  columns: readonly FieldColumn[],
  nodes: ReadonlyMap<string, CollectionNode>,
): number {
  return hasStale(columns, nodes) ? HEAD_HEIGHT + CLOCKS_HEIGHT : HEAD_HEIGHT;
}

function hasStale(columns: readonly FieldColumn[], nodes: ReadonlyMap<string, CollectionNode>): boolean {
  return columns.some(({collection}) => {
    const node = nodes.get(collection);
    return node !== undefined && isStale(node);
  });
}

export function SheetHead({
  columns,
  nodes,
  root,
  now,
  newest,
  width,
  onFailed,
}: {
  columns: readonly FieldColumn[];
  nodes: ReadonlyMap<string, CollectionNode>;
  root: string;
  now: number;
  /** The newest change of each collection at a past moment; live, the graph tells it. */
  newest: ReadonlyMap<string, NewestChange> | undefined;
  width: number;
  onFailed: (collection: string) => void;
}) {
  const [sort, setSort] = useParam('sort');
  const ghost = useContext(DraftColumnContext);
  const groups = groupWidths(columns);
  const unsorted = `rows follow ${root}: sort by one of its columns`;
  const turn = (field: string) => setSort(sort === field ? `-${field}` : sort === `-${field}` ? null : field);
  return (
    <div className="head" style={{width}} role="rowgroup">
      <div className="head-names" role="row" aria-rowindex={1}>
        <div className="gutter" role="columnheader" aria-label="row" />
        {groups.map(({collection, width: own, span}) => (
          <div
            key={collection}
            role="columnheader"
            aria-colspan={span}
            className={`head-name bar ${collection === root ? 'cell-key' : ''}`}
            style={{width: own}}
            title={collection}
          >
            <HeadName
              node={nodes.get(collection)}
              name={collection}
              room={own - headerWidth(collection)}
              now={now}
              last={newest ? newest.get(collection) : nodes.get(collection)?.last}
              onFailed={onFailed}
            />
          </div>
        ))}
        {ghost ? (
          <div role="columnheader" className="ghost ghost-head" style={{width: ghost.width}}>
            {ghost.name}
          </div>
        ) : null}
      </div>
      {hasStale(columns, nodes) ? (
        <div className="head-clocks" role="presentation">
          <div className="gutter" />
          {groups.map(({collection, width: own}) => (
            <HeadClock
              key={collection}
              node={nodes.get(collection)}
              width={own}
              frozen={collection === root}
              now={now}
            />
          ))}
          {ghost ? <div className="ghost" style={{width: ghost.width}} /> : null}
        </div>
      ) : null}
      <div className="head-fields" role="row" aria-rowindex={2}>
        <div className="gutter" role="columnheader" aria-label="row" />
        {columns.map((column, position) => {
          const sortable = column.collection === root;
          const direction =
            sort === column.field || (sort === null && column.field === 'key')
              ? 'ascending'
              : sort === `-${column.field}`
                ? 'descending'
                : 'none';
          return (
            <div
              key={`${column.collection} ${column.field}`}
              role="columnheader"
              aria-colindex={position + 2}
              aria-sort={sortable ? direction : undefined}
              className={`head-field ellipsis ${column.last ? 'cell-last' : ''} ${position === 0 ? 'cell-key' : ''}`}
              style={{width: column.width}}
              title={column.field}
            >
              {sortable ? (
                <button
                  type="button"
                  className="head-sort inline-row bare-button gap-4"
                  onClick={() => turn(column.field)}
                >
                  {fieldLabel(column.field)}
                  {sort?.replace(/^-/, '') === column.field ? (
                    <Icon name={direction === 'descending' ? 'down' : 'up'} size={11} />
                  ) : null}
                </button>
              ) : (
                <button
                  type="button"
                  className="head-sort inline-row bare-button gap-4"
                  title={`${column.field}: ${unsorted}`}
                  onClick={() => toast(unsorted)}
                >
                  {fieldLabel(column.field)}
                </button>
              )}
            </div>
          );
        })}
        {ghost ? (
          <div role="columnheader" className="ghost ghost-fields" style={{width: ghost.width}}>
            {ghost.fields}
          </div>
        ) : null}
      </div>
    </div>
  );
}

/** Freshness of one column: a source's last news, or the source that holds this column back. */
function HeadClock({
  node,
  width,
  frozen,
  now,
}: {
  node: CollectionNode | undefined;
  width: number;
  frozen: boolean;
  now: number;
}) {
  const fresh = node && freshnessOf(node, now);
  const words = [fresh?.words, fresh?.since].filter(Boolean).join(', ');
  return (
    <div
      className={`head-clock bar gap-6 ${fresh?.stale ? 'head-clock-stale' : ''} ${frozen ? 'cell-key' : ''}`}
      style={{width}}
      title={words}
    >
      {fresh?.stale ? <Icon name="clock" size={12} /> : null}
      <span>{fresh?.words}</span>
      {fresh?.since && width > 230 ? <em>{fresh.since}</em> : null}
    </div>
  );
}

function HeadName({
  node,
  name,
  room,
  now,
  last,
  onFailed,
}: {
  node: CollectionNode | undefined;
  name: string;
  /** Room left beside name and kind mark. */
  room: number;
  now: number;
  last: NewestChange | undefined;
  onFailed: (collection: string) => void;
}) {
  if (!node) return <span className="head-title">{name}</span>;
  return (
    <>
      <KindShape kind={node.kind} />
      <span className="head-title" title={`${name}, ${plural(node.size, 'item')}`}>
        {name}
      </span>
      <KindMark kind={node.kind} />
      <HeadState node={node} room={room} now={now} last={last} onFailed={onFailed} />
    </>
  );
}

function HeadState({
  node,
  room,
  now,
  last,
  onFailed,
}: {
  node: CollectionNode;
  room: number;
  now: number;
  last: NewestChange | undefined;
  onFailed: (collection: string) => void;
}) {
  if (node.state === 'forbidden')
    return (
      <span className="head-state inline-row gap-5 head-error" title={node.reason}>
        <Icon name="lock" size={13} /> not permitted
      </span>
    );
  if (node.state === 'not installed' || node.state === 'left out')
    return <span className="head-state inline-row gap-5">{node.state}</span>;
  if (!node.synced)
    return (
      <span className="head-state inline-row gap-5 head-stale" title={node.reason}>
        <Icon name="clock" size={13} />
        {syncWaitText(node, true)}
      </span>
    );
  const news =
    last !== undefined && now - last.at < RECENT_MS && outcomeTone[last.outcome] === 'changed'
      ? last
      : undefined;
  const count = node.size.toLocaleString('en');
  return (
    <>
      {room > count.length * 7 + 8 ? <span className="head-count">{count}</span> : null}
      {node.failed > 0 ? (
        <button
          type="button"
          className="head-failed inline-row gap-5 bare-button"
          onClick={() => onFailed(node.name)}
        >
          <StateGlyph tone="error" size={8} /> {node.failed} failed
        </button>
      ) : news && room > count.length * 7 + 52 ? (
        <span className="head-news inline-row gap-5" title={`${news.key} ${news.outcome}`}>
          <StateGlyph outcome={news.outcome} size={8} /> {ageText(now - news.at)}
        </span>
      ) : null}
    </>
  );
}

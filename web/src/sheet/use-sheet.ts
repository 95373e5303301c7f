// The sheet's live state for one screen: its query, the rows on screen, and the rows that wait behind the pill.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Sheet, SheetColumn} from '@krtscope/shared/sheet.ts';
import {useContext, useMemo, useState} from 'react';
import {useNarrow} from '../app/use-narrow.ts';
import {setParams, useApp} from '../store/app.ts';
import {useNamespace, useParam, useSelection} from '../store/navigation.ts';
import {useMomentClock} from '../stream/moment-clock.ts';
import {useRequestedMoment} from '../stream/requested-moment.ts';
import {useGraph, useSubscription} from '../stream/use-subscription.ts';
import {useStableValue} from '../ui/hooks/use-stable-value.ts';
import {useServerNow} from '../ui/text/Age.tsx';
import {bestRoot, formatColumns, parseColumns, requestedColumns, rootOf} from './columns/columns.ts';
import {splitFilter} from './filter/filter-text.ts';
import {DraftColumnContext} from './grid/draft-column.ts';
import type {LiveRows} from './rows/live-rows.ts';
import {foldSpills} from './rows/sheet-lines.ts';
import type {SheetQuestion} from './rows/use-line-search.ts';
import {useLiveRows} from './rows/use-live-rows.ts';

/** Above this many rows the sheet opens grouped, with folded groups. */
export const AUTO_GROUP_ROWS = 2000;
export const MAX_WINDOW_ROWS = 600;

/**
 * How rows are grouped. A draft's column turns grouping off, because folded groups would hide its results. A
 * single namespace is not grouped either: its one folded group would hide every row.
 */
export function groupingFor(
  requested: string | null,
  size: number,
  drafting: boolean,
  filter: string,
): string | null {
  if (requested !== null) return requested === 'none' ? null : requested;
  const one = splitFilter(filter).some(({head}) => /^(ns:|-n|--namespace)$/.test(head));
  return size > AUTO_GROUP_ROWS && !drafting && !one ? 'namespace' : null;
}

/** The root collection: from the URL, else where the selection's chain begins, else the longest chain. */
export function useRoot(graph: Graph | null): string | undefined {
  const {collection} = useSelection();
  const [chosen] = useParam('root');
  const [last, setLast] = useState<string | undefined>(undefined);
  const ghost = useContext(DraftColumnContext);
  if (graph === null) return undefined;
  const known = (name: string | null | undefined) => graph.collections.some(node => node.name === name);
  if (ghost && known(ghost.root)) return ghost.root;
  const root =
    chosen !== null && known(chosen)
      ? chosen
      : collection !== null && known(collection)
        ? rootOf(graph, collection)
        : known(last)
          ? last
          : bestRoot(graph);
  if (root !== last) setLast(root);
  return root;
}

export interface SheetState {
  live: LiveRows | undefined;
  /** The moment of the rows on screen. It lags behind the page's moment while the answer is on its way. */
  moment: number | null;
  /** The query without its window. */
  question: SheetQuestion | null;
  failure: ApiFailure | undefined;
  fresh: boolean;
  /** All columns that the root offers, including those the user hid. */
  offered: readonly SheetColumn[];
  folded: ReadonlySet<string>;
  grouped: string | null;
  accept: () => void;
  toggleGroup: (name: string) => void;
}

export function useSheet(
  root: string | undefined,
  window: {offset: number; count: number},
  /** Beside Why the sheet draws only the root and the selected collection. */
  compact: boolean,
  onShift: (lines: number) => void,
): SheetState {
  const graph = useGraph();
  const selected = useApp(state => state.route.collection);
  const [namespace] = useNamespace();
  const [q] = useParam('q');
  const [sort] = useParam('sort');
  const [group] = useParam('group');
  const [cols] = useParam('cols');
  const size = graph?.collections.find(node => node.name === root)?.size ?? 0;
  const offered = useOfferedColumns(root);
  const choice = parseColumns(cols, selected);
  const columns = requestedColumns(choice, offered.known);
  const moment = useRequestedMoment(state => state.moment);
  const since = useSinceFilter();
  const filter = [namespace === null ? '' : `ns:${namespace}`, since ?? '', q ?? '']
    .filter(Boolean)
    .join(' ');
  const grouped = groupingFor(group, size, useContext(DraftColumnContext) !== null, filter);
  const folding = useFoldedGroups(root, group === null && grouped !== null);
  const shape = JSON.stringify([root, since === null, columns, filter, sort, grouped, [...folding.folded]]);
  const question = useStableValue<SheetQuestion | null>(
    root === undefined || since === null
      ? null
      : {
          ask: 'sheet',
          root,
          columns,
          q: filter || undefined,
          sort: sort ?? undefined,
          ...(grouped !== null && {group: grouped, folded: [...folding.folded]}),
        },
    shape,
  );
  const subscription = useSubscription(question && {...question, ...window});
  offered.learn(subscription.answer, columns !== undefined);
  folding.learn(subscription.answer);
  // The first answer to a column choice only lists the columns. Drawing it would make columns jump.
  const learning = columns === undefined && formatColumns(choice) !== null;
  const narrow = useNarrow();
  const answer = useMemo(() => {
    if (!subscription.answer || !(narrow || compact)) return subscription.answer;
    return foldSpills(subscription.answer, compact && selected !== null ? [selected] : []);
  }, [subscription.answer, narrow, compact, selected]);
  // Rows of another moment replace the list instead of updating it in place.
  const identity = JSON.stringify([moment, narrow, compact && selected, shape]);
  const {live, accept, ...drawn} = useLiveRows(learning ? undefined : answer, {identity, moment}, onShift);
  return {
    live,
    moment: drawn.moment,
    question,
    failure: subscription.failure,
    fresh: subscription.fresh,
    offered: offered.known ?? subscription.answer?.columns ?? [],
    folded: folding.folded,
    grouped,
    accept,
    toggleGroup: folding.toggle,
  };
}

/** The start of a range selected in the Timeline, as an age; null until the server's clock is known. */
function useSinceFilter(): string | null {
  const [since] = useParam('since');
  const paused = useRequestedMoment(state => state.moment !== null);
  const clock = useMomentClock(state => state.at);
  const live = useServerNow();
  const from = Number(since);
  if (since === null || !(from > 0)) return '';
  if (paused && clock === null) return null;
  // Live, repeat the query every 30 s: an age that grows every second would be a new query each time.
  const now = clock ?? Math.ceil(live / 30_000) * 30_000;
  return `changed<${Math.ceil((now - from) / 1000)}s`;
}

/** The server's default columns, remembered so that a hidden one can return. */
function useOfferedColumns(root: string | undefined) {
  const [defaults, setDefaults] = useState<{root: string; columns: readonly SheetColumn[]} | null>(null);
  const known = defaults !== null && defaults.root === root ? defaults.columns : undefined;
  const learn = (answer: Sheet | undefined, chosen: boolean) => {
    if (!answer || answer.root !== root || known !== undefined || chosen) return;
    setDefaults({root: answer.root, columns: answer.columns});
  };
  return {known, learn};
}

/** Folded groups: those in the URL. Where the sheet folded by itself: all groups that the user did not open. */
function useFoldedGroups(root: string | undefined, byItself: boolean) {
  const [shut] = useParam('folded');
  const [open] = useParam('open');
  const selected = useApp(state => state.route.key?.split('/')[0]);
  const [names, setNames] = useState<{root: string | undefined; list: string[]}>({root, list: []});
  const known = names.root === root ? names.list : none;
  const folded = useMemo(() => {
    if (!byItself) return new Set(splitNames(shut));
    // Keep the selection's group open so that the selection stays visible.
    const opened = new Set([...splitNames(open), ...(selected === undefined ? [] : [selected])]);
    return new Set(known.filter(name => !opened.has(name)));
  }, [byItself, shut, open, known, selected]);
  const learn = (answer: Sheet | undefined) => {
    const fresh = (answer?.groups ?? []).map(one => one.name).filter(name => !known.includes(name));
    if (!answer || answer.root !== root || fresh.length === 0) return;
    setNames({root, list: [...known, ...fresh]});
  };
  const toggle = (name: string) => {
    const param = byItself ? 'open' : 'folded';
    const now = new Set(splitNames(byItself ? open : shut));
    if (!now.delete(name)) now.add(name);
    setParams({[param]: [...now].map(encodeURIComponent).join(',') || null});
  };
  return {folded, learn, toggle};
}

const none: string[] = [];

function splitNames(text: string | null): string[] {
  return (text ?? '').split(',').filter(Boolean).map(decodeURIComponent);
}

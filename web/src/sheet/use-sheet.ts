// The sheet's live state for one screen: which question is asked, which rows are shown in place, what waits behind the pill.
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

/** Above this many rows the sheet opens grouped and folded. */
export const AUTO_GROUP_ROWS = 2000;
export const MAX_WINDOW_ROWS = 600;

/**
 * By what rows are grouped. Beside a draft's column rows are what one came for: folded groups would hide what it gives.
 * Of one namespace there is one group: folded, it hid the rows that were asked for.
 */
export function groupingFor(
  asked: string | null,
  size: number,
  drafting: boolean,
  filter: string,
): string | null {
  if (asked !== null) return asked === 'none' ? null : asked;
  const one = splitFilter(filter).some(({head}) => /^(ns:|-n|--namespace)$/.test(head));
  return size > AUTO_GROUP_ROWS && !drafting && !one ? 'namespace' : null;
}

/** The root: what the URL says, else where the selection's chain begins, else the longest chain. */
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
  /** The moment of the rows that are drawn: behind the page's own while its answer is on the way. */
  moment: number | null;
  /** What is asked, without the window. */
  question: SheetQuestion | null;
  failure: ApiFailure | undefined;
  fresh: boolean;
  /** All columns the root offers, also those hidden by choice. */
  offered: readonly SheetColumn[];
  folded: ReadonlySet<string>;
  grouped: string | null;
  accept: () => void;
  toggleGroup: (name: string) => void;
}

export function useSheet(
  root: string | undefined,
  window: {offset: number; count: number},
  /** Beside Why: the root and the selection's collection alone are drawn. */
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
          ...(columns && {columns}),
          ...(filter !== '' && {q: filter}),
          ...(sort !== null && {sort}),
          ...(grouped !== null && {group: grouped, folded: [...folding.folded]}),
        },
    shape,
  );
  const held = useSubscription(question && {...question, ...window});
  offered.learn(held.answer, columns !== undefined);
  folding.learn(held.answer);
  // The first answer to a chosen set of columns only tells which there are: drawn, its columns would jump at once.
  const learning = columns === undefined && formatColumns(choice) !== null;
  const narrow = useNarrow();
  const answer = useMemo(() => {
    if (!held.answer || !(narrow || compact)) return held.answer;
    return foldSpills(held.answer, compact && selected !== null ? [selected] : []);
  }, [held.answer, narrow, compact, selected]);
  // Rows of one moment never follow those of another: they are another picture.
  const identity = JSON.stringify([moment, narrow, compact && selected, shape]);
  const {live, accept, ...drawn} = useLiveRows(learning ? undefined : answer, {identity, moment}, onShift);
  return {
    live,
    moment: drawn.moment,
    question,
    failure: held.failure,
    fresh: held.fresh,
    offered: offered.known ?? held.answer?.columns ?? [],
    folded: folding.folded,
    grouped,
    accept,
    toggleGroup: folding.toggle,
  };
}

/** From a marked stretch of the Timeline: rows that changed after a time, as an age; null while the clock is not known. */
function useSinceFilter(): string | null {
  const [since] = useParam('since');
  const paused = useRequestedMoment(state => state.moment !== null);
  const clock = useMomentClock(state => state.at);
  const live = useServerNow();
  const from = Number(since);
  if (since === null || !(from > 0)) return '';
  if (paused && clock === null) return null;
  // Live it is asked anew every half a minute: an age that grew every second would be another question each time.
  const now = clock ?? Math.ceil(live / 30_000) * 30_000;
  return `changed<${Math.ceil((now - from) / 1000)}s`;
}

/** The server's own columns, remembered so that a hidden one can come back. */
function useOfferedColumns(root: string | undefined) {
  const [kept, setKept] = useState<{root: string; columns: readonly SheetColumn[]} | null>(null);
  const known = kept !== null && kept.root === root ? kept.columns : undefined;
  const learn = (answer: Sheet | undefined, chosen: boolean) => {
    if (!answer || answer.root !== root || known !== undefined || chosen) return;
    setKept({root: answer.root, columns: answer.columns});
  };
  return {known, learn};
}

/** Folded groups: those in the URL, or, where the sheet folded by itself, all that were not opened. */
function useFoldedGroups(root: string | undefined, byItself: boolean) {
  const [shut] = useParam('folded');
  const [open] = useParam('open');
  const selected = useApp(state => state.route.key?.split('/')[0]);
  const [names, setNames] = useState<{root: string | undefined; list: string[]}>({root, list: []});
  const known = names.root === root ? names.list : none;
  const folded = useMemo(() => {
    if (!byItself) return new Set(splitNames(shut));
    // The group of the selection is open: it would be nowhere to be seen.
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

// The sheet's live state for one screen: which question is asked, which rows are shown in place, what waits behind the pill.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Column, Sheet} from '@krtscope/shared/sheet.ts';
import {useCallback, useEffect, useMemo, useRef, useState} from 'react';
import {useNarrow} from '../app/use-narrow.ts';
import {setParams, useApp} from '../store/app.ts';
import {useMoment, useNamespace, useParam, useSelection} from '../store/hooks.ts';
import {useGraph, useSubscription} from '../stream/hooks.ts';
import {serverNow} from '../stream/link.ts';
import {askedColumns, bestRoot, formatColumns, parseColumns, rootOf} from './columns.ts';
import {foldSpills} from './lines.ts';
import {acceptRows, anchorShift, dropGone, followRows, type LiveRows, openRows} from './live-rows.ts';
import type {SheetQuestion} from './use-seek.ts';

/** Above this many rows the sheet opens grouped and folded. */
export const MANY = 2000;
export const LIMIT = 600;
/** How long a removed row is still shown, with the word for it. */
const GONE = 2500;

export interface SheetChoice {
  graph: Graph;
  root: string;
  filter: string;
  group: string | null;
  sort: string | null;
  columns: string | null;
}

/** The root: what the URL says, else where the selection's chain begins, else the longest chain. */
export function useRoot(graph: Graph | null): string | undefined {
  const {collection} = useSelection();
  const [chosen] = useParam('root');
  const last = useRef<string | undefined>(undefined);
  if (graph === null) return undefined;
  const known = (name: string | null | undefined) => graph.collections.some(node => node.name === name);
  if (chosen !== null && known(chosen)) last.current = chosen;
  else if (collection !== null && known(collection)) last.current = rootOf(graph, collection);
  else if (last.current === undefined || !known(last.current)) last.current = bestRoot(graph);
  return last.current;
}

export interface SheetState {
  live: LiveRows | undefined;
  /** What is asked, without the window. */
  question: SheetQuestion | null;
  failure: ApiFailure | undefined;
  fresh: boolean;
  /** All columns the root offers, also those hidden by choice. */
  offered: readonly Column[];
  folded: ReadonlySet<string>;
  grouped: string | null;
  accept: () => void;
  toggleGroup: (name: string) => void;
}

export function useSheet(
  root: string | undefined,
  window: {offset: number; count: number},
  onShift: (lines: number) => void,
): SheetState {
  const graph = useGraph();
  const selected = useApp(state => state.place.collection);
  const [namespace] = useNamespace();
  const [q] = useParam('q');
  const [sort] = useParam('sort');
  const [group] = useParam('group');
  const [cols] = useParam('cols');
  const size = graph?.collections.find(node => node.name === root)?.size ?? 0;
  const grouped = group === 'none' ? null : (group ?? (size > MANY ? 'namespace' : null));
  const folding = useFolded(root, group === null && grouped !== null);
  const offered = useOffered(root);
  const choice = parseColumns(cols, selected);
  const columns = askedColumns(choice, offered.known);
  const since = useSince();
  const filter = [namespace === null ? '' : `ns:${namespace}`, since, q ?? ''].filter(Boolean).join(' ');
  const shape = JSON.stringify([root, columns, filter, sort, grouped, [...folding.folded]]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: shape stands for all of them
  const question = useMemo(
    (): SheetQuestion | null =>
      root === undefined
        ? null
        : {
            ask: 'sheet',
            root,
            ...(columns && {columns}),
            ...(filter !== '' && {q: filter}),
            ...(sort !== null && {sort}),
            ...(grouped !== null && {group: grouped, folded: [...folding.folded]}),
          },
    [shape],
  );
  const held = useSubscription(question && {...question, ...window});
  offered.learn(held.answer, columns !== undefined);
  folding.learn(held.answer);
  // The first answer to a chosen set of columns only tells which there are: drawn, its columns would jump at once.
  const learning = columns === undefined && formatColumns(choice) !== null;
  const narrow = useNarrow();
  const answer = useMemo(
    () => (held.answer && narrow ? foldSpills(held.answer) : held.answer),
    [held.answer, narrow],
  );
  const {live, accept} = useLiveRows(
    learning ? undefined : answer,
    narrow ? `narrow ${shape}` : shape,
    window.offset,
    onShift,
  );
  return {
    live,
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

/** From a marked stretch of the Timeline: rows that changed after a time, as the age the server compares with. */
function useSince(): string {
  const [since] = useParam('since');
  const {moment} = useMoment();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment is asked anew, and ages count from then
  return useMemo(() => {
    const from = Number(since);
    return since === null || !(from > 0) ? '' : `changed<${Math.ceil((serverNow() - from) / 1000)}s`;
  }, [since, moment]);
}

/** The server's own columns, remembered so that a hidden one can come back. */
function useOffered(root: string | undefined) {
  const known = useRef<{root: string | undefined; columns: readonly Column[] | undefined}>({
    root,
    columns: undefined,
  });
  const [, redraw] = useState(0);
  if (known.current.root !== root) known.current = {root, columns: undefined};
  const learn = (answer: Sheet | undefined, chosen: boolean) => {
    if (!answer || answer.root !== root || known.current.columns) return;
    if (chosen) return;
    known.current = {root, columns: answer.columns};
    queueMicrotask(() => redraw(n => n + 1));
  };
  return {known: known.current.columns, learn};
}

/** Folded groups: those in the URL, or, where the sheet folded by itself, all that were not opened. */
function useFolded(root: string | undefined, byItself: boolean) {
  const [shut] = useParam('folded');
  const [open] = useParam('open');
  const selected = useApp(state => state.place.key?.split('/')[0]);
  const [names, setNames] = useState<{root: string | undefined; list: string[]}>({root, list: []});
  const known = names.root === root ? names.list : none;
  const folded = useMemo(() => {
    if (!byItself) return new Set(list(shut));
    // The group of the selection is open: it would be nowhere to be seen.
    const opened = new Set([...list(open), ...(selected === undefined ? [] : [selected])]);
    return new Set(known.filter(name => !opened.has(name)));
  }, [byItself, shut, open, known, selected]);
  const learn = (answer: Sheet | undefined) => {
    const fresh = (answer?.groups ?? []).map(one => one.name).filter(name => !known.includes(name));
    if (!answer || answer.root !== root || fresh.length === 0) return;
    queueMicrotask(() => setNames({root, list: [...known, ...fresh]}));
  };
  const toggle = (name: string) => {
    const param = byItself ? 'open' : 'folded';
    const now = new Set(list(byItself ? open : shut));
    if (!now.delete(name)) now.add(name);
    setParams({[param]: [...now].map(encodeURIComponent).join(',') || null});
  };
  return {folded, learn, toggle};
}

const none: string[] = [];

function list(text: string | null): string[] {
  return (text ?? '').split(',').filter(Boolean).map(decodeURIComponent);
}

function useLiveRows(
  answer: Sheet | undefined,
  identity: string,
  offset: number,
  onShift: (lines: number) => void,
) {
  const state = useRef<{identity: string; offset: number; live: LiveRows | undefined}>({
    identity,
    offset,
    live: undefined,
  });
  const [, redraw] = useState(0);
  const before = state.current;
  let shift = 0;
  if (answer !== undefined && answer !== before.live?.newest) {
    const moved =
      before.identity === identity &&
      before.live !== undefined &&
      answer.offset !== before.live.newest.offset;
    const same = before.identity === identity && before.live !== undefined && !moved;
    if (moved && before.live)
      shift = anchorShift(before.live.sheet.rows, answer.rows, before.live.sheet.offset);
    state.current = {identity, offset, live: same ? followRows(before.live!, answer) : openRows(answer)};
  }
  const pending = useRef(0);
  pending.current = shift;
  useEffect(() => {
    if (pending.current !== 0) onShift(pending.current);
    pending.current = 0;
  });
  const gone = state.current.live?.gone.size ?? 0;
  useEffect(() => {
    if (gone === 0) return;
    const leave = setTimeout(() => {
      const {live} = state.current;
      if (live) state.current = {...state.current, live: dropGone(live)};
      redraw(n => n + 1);
    }, GONE);
    return () => clearTimeout(leave);
  }, [gone]);
  const accept = useCallback(() => {
    const {live} = state.current;
    if (!live) return;
    state.current = {...state.current, live: acceptRows(live)};
    redraw(n => n + 1);
  }, []);
  return {live: state.current.live, accept};
}

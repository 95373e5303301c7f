// The draft over live data: first the rows in view, then all. What stood there stays until something better is known.

import type {FormulaCheck, Preview, PreviewRow, Shadow} from '@krtscope/shared/formulas.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {useEffect, useLayoutEffect, useReducer, useRef} from 'react';
import {RequestError} from '../../stream/http.ts';
import type {Draft} from '../draft/drafts.ts';
import type {FormulaCompileError} from '../editor/CodeEditor.tsx';
import {failureOf, requestPreview} from '../formula-api.ts';

/** From the last key to the question: with the answer it stays under the 300 ms that feel like at once. */
const TYPING_DELAY = 120;
/** A cluster that moves all the time is followed once a second. */
const REFRESH_INTERVAL = 1_000;
const RETRY_DELAY = 1_000;
const MAX_ROWS_IN_VIEW = 120;
const STOPPED = 'stopped';

/** A row, the text it comes from, and which run of it. */
export interface PreviewedRow extends PreviewRow {
  code: string;
  run: number;
}

export interface PreviewState {
  /** By input; the rows of the newest code that ran, and of what is not known anew yet. */
  rows: ReadonlyMap<string, PreviewedRow>;
  /** The code that `rows` belong to; another one is being typed. */
  code: string | null;
  /** Everything below is of all rows, not only of those in view. */
  whole: boolean;
  total: number;
  failed: number;
  checks: FormulaCheck[];
  shadow: Shadow | undefined;
  /** Milliseconds a row, over what ran. */
  pace: number | null;
  busy: boolean;
  refusal: {code: string; message: string; errors: FormulaCompileError[]} | null;
  failure: ApiFailure | null;
}

const noPreview: PreviewState = {
  rows: new Map(),
  code: null,
  whole: false,
  total: 0,
  failed: 0,
  checks: [],
  shadow: undefined,
  pace: null,
  busy: false,
  refusal: null,
  failure: null,
};

type PreviewInput = Pick<Draft, 'id' | 'code' | 'kind'> & {
  input?: string;
  shadow?: string;
  of?: {name: string};
};

/** `version` changes when the data under it did, `turn` when the person asks for a run now. */
export function usePreview(
  ground: PreviewInput | null,
  keys: readonly string[],
  version: unknown,
  turn: number,
): PreviewState {
  const [state, set] = useReducer(
    (held: PreviewState, change: Partial<PreviewState>) => ({...held, ...change}),
    noPreview,
  );
  const latest = useRef({keys, state});
  useLayoutEffect(() => {
    latest.current = {keys, state};
  });
  const asked = useRef<{id: string; code: string; version: unknown; turn: number; at: number}>({
    id: '',
    code: '',
    version: null,
    turn: 0,
    at: 0,
  });
  /** The text that had to be ended. Not what is shown of it: that stands until another text has an answer. */
  const stopped = useRef<string | null>(null);
  const runs = useRef(0);
  const {id, code, kind, input, shadow, of} = ground ?? {id: '', code: '', kind: 'one' as const};
  const name = of?.name;

  // Another draft, another input: rows of the last one would be lies.
  const bench = `${id} ${kind} ${input}`;
  const last = useRef(bench);
  useEffect(() => {
    if (last.current !== bench) set(noPreview);
    last.current = bench;
  }, [bench]);

  useEffect(() => {
    if (id === '' || (kind !== 'singleton' && input === undefined)) return;
    if (code.trim() === '') {
      const message = 'there is no formula: write (ctx, item) => …';
      set({busy: false, failure: null, refusal: {code, message, errors: []}});
      return;
    }
    const before = asked.current;
    const typed = before.id !== bench || before.code !== code;
    const wait =
      before.turn !== turn
        ? 0
        : typed
          ? TYPING_DELAY
          : Math.max(TYPING_DELAY, REFRESH_INTERVAL - (Date.now() - before.at));
    // A text that had to be ended is not tried again because the cluster moved.
    if (!typed && before.turn === turn && stopped.current === code) return;
    const abort = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const ask = {
      code,
      kind,
      ...(input !== undefined && kind !== 'singleton' && {input}),
      ...(name !== undefined && {name}),
    };
    const run = async () => {
      asked.current = {id: bench, code, version, turn, at: Date.now()};
      set({busy: true});
      const own = ++runs.current;
      try {
        const near = latest.current.keys.slice(0, MAX_ROWS_IN_VIEW);
        if (kind !== 'singleton' && near.length > 0) {
          const first = rejectIfStopped(await requestPreview({...ask, keys: near}, abort.signal));
          set({...mergeRows(latest.current.state, first.rows, code, own), failure: null, refusal: null});
        }
        const all = rejectIfStopped(
          await requestPreview({...ask, ...(shadow !== undefined && {shadow})}, abort.signal),
        );
        const {rows, ...rest} = mergeRows(latest.current.state, all.rows, code, own);
        set({
          ...rest,
          // What this run did not look at is asked for when somebody does.
          rows: new Map([...rows].filter(([, row]) => row.run === own)),
          whole: true,
          total: all.total,
          failed: all.failed,
          checks: all.checks ?? [],
          shadow: all.shadow,
          busy: false,
          failure: null,
          refusal: null,
        });
      } catch (error) {
        if (abort.signal.aborted) return;
        const failure = failureOf(error);
        if (failure.code === STOPPED) stopped.current = code;
        if (failure.errors && failure.errors.length > 0)
          set({
            busy: false,
            failure: null,
            refusal: {code, message: failure.message, errors: failure.errors},
          });
        else set({busy: false, failure, refusal: null});
        if (failure.code === 'engine-restarting' || failure.code === 'no-answer')
          retry = setTimeout(() => void run(), RETRY_DELAY);
      }
    };
    const timer = setTimeout(() => void run(), wait);
    return () => {
      clearTimeout(timer);
      clearTimeout(retry);
      abort.abort();
    };
  }, [bench, id, code, kind, input, shadow, name, version, turn]);

  // Rows that scrolled into view and that the answer for all did not hold.
  const unknown = keys.filter(key => !state.rows.has(key)).slice(0, MAX_ROWS_IN_VIEW);
  const settled = state.code === code && state.whole && !state.busy;
  const missing = settled && unknown.length > 0 ? unknown.join('\n') : '';
  useEffect(() => {
    if (missing === '' || kind === 'singleton' || input === undefined) return;
    const abort = new AbortController();
    requestPreview({code, kind, input, keys: missing.split('\n')}, abort.signal).then(
      more => set(mergeRows(latest.current.state, more.rows, code, runs.current)),
      () => {},
    );
    return () => abort.abort();
  }, [missing, code, kind, input]);

  return state;
}

/** Rows of another run leave when all are known anew, not before: nothing blinks. */
function mergeRows(
  held: PreviewState,
  rows: readonly PreviewRow[],
  code: string,
  run: number,
): Pick<PreviewState, 'rows' | 'code' | 'pace'> {
  const next = new Map(held.rows);
  let spent = 0;
  for (const row of rows) {
    next.set(row.input, {...row, code, run});
    spent += row.ms;
  }
  return {rows: next, code, pace: rows.length > 0 ? spent / rows.length : held.pace};
}

/** A draft that had to be ended has no rows worth showing: what stood there stays. */
function rejectIfStopped(answer: Preview): Preview {
  const check = answer.checks?.find(one => one.code === 'ends' && !one.holds);
  if (check === undefined) return answer;
  throw new RequestError(
    {
      code: STOPPED,
      message: check.message,
      hint: 'Everything else goes on; it runs again when you change it.',
    },
    200,
  );
}

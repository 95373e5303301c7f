// Runs the draft over live data: first the rows in view, then all. Old rows stay until new ones arrive.

import type {
  FormulaCheck,
  FormulaParam,
  ParamValues,
  Preview,
  PreviewRow,
  Shadow,
} from '@krtscope/shared/formulas.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {useEffect, useLayoutEffect, useMemo, useReducer, useRef} from 'react';
import {RequestError} from '../../stream/http.ts';
import type {Draft} from '../draft/drafts.ts';
import type {FormulaCompileError} from '../editor/CodeEditor.tsx';
import {failureOf, requestPreview} from '../formula-api.ts';

/** Wait after the last key. With the answer this stays under 300 ms, which feels instant. */
const TYPING_DELAY = 120;
/** Runs at most once a second while the cluster keeps changing. */
const REFRESH_INTERVAL = 1_000;
const RETRY_DELAY = 1_000;
const MAX_ROWS_IN_VIEW = 120;
const STOPPED = 'stopped';

/** A row with the code and the run that produced it. */
interface PreviewedRow extends PreviewRow {
  code: string;
  run: number;
}

export interface PreviewState {
  /** By input. Rows of older code stay until the new code has run for them. */
  rows: ReadonlyMap<string, PreviewedRow>;
  /** The code of `rows`. The draft may be newer. */
  code: string | null;
  /** True when the fields below cover all rows, not only the rows in view. */
  whole: boolean;
  total: number;
  failed: number;
  checks: FormulaCheck[];
  shadow: Shadow | undefined;
  /** Milliseconds for each row. */
  pace: number | null;
  busy: boolean;
  refusal: {code: string; message: string; errors: FormulaCompileError[]} | null;
  failure: ApiFailure | null;
  /** The parameters of the code that ran last. */
  params: readonly FormulaParam[];
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
  params: [],
};

type PreviewInput = Pick<Draft, 'id' | 'code' | 'kind'> & {
  input?: string;
  shadow?: string;
  of?: {name: string};
  params?: ParamValues;
};

/** `version` changes with the data, `turn` when the reader asks for a run now. */
export function usePreview(
  draft: PreviewInput,
  keys: readonly string[],
  version: unknown,
  turn: number,
): PreviewState {
  const [state, set] = useReducer(
    (current: PreviewState, change: Partial<PreviewState>) => ({...current, ...change}),
    noPreview,
  );
  const latest = useRef({keys, state});
  useLayoutEffect(() => {
    latest.current = {keys, state};
  });
  const lastRequest = useRef<{
    id: string;
    code: string;
    params: string;
    version: unknown;
    turn: number;
    at: number;
  }>({
    id: '',
    code: '',
    params: '',
    version: null,
    turn: 0,
    at: 0,
  });
  /** The code that the server had to stop. */
  const stopped = useRef<string | null>(null);
  const runs = useRef(0);
  const {id, code, kind, input, shadow, of} = draft;
  const name = of?.name;
  const paramText = JSON.stringify(draft.params ?? {});
  // A value without its parameter is refused, and the code may have lost it since.
  const known = state.params;
  const params = useMemo(
    () => fittingParams(JSON.parse(paramText) as ParamValues, known),
    [paramText, known],
  );

  // Another draft or input: the old rows would be wrong.
  const inputId = `${id} ${kind} ${input}`;
  const last = useRef(inputId);
  useEffect(() => {
    if (last.current !== inputId) set(noPreview);
    last.current = inputId;
  }, [inputId]);

  useEffect(() => {
    if (kind !== 'singleton' && input === undefined) return;
    if (code.trim() === '') {
      const message = 'the formula is empty: write (ctx, item) => …';
      set({busy: false, failure: null, refusal: {code, message, errors: []}});
      return;
    }
    const before = lastRequest.current;
    const typed = before.id !== inputId || before.code !== code || before.params !== paramText;
    const wait =
      before.turn !== turn
        ? 0
        : typed
          ? TYPING_DELAY
          : Math.max(TYPING_DELAY, REFRESH_INTERVAL - (Date.now() - before.at));
    // A change of the cluster does not start stopped code again.
    if (!typed && before.turn === turn && stopped.current === code) return;
    const abort = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const ask = {
      code,
      kind,
      input: kind === 'singleton' ? undefined : input,
      name,
      params,
    };
    const run = async () => {
      lastRequest.current = {id: inputId, code, params: paramText, version, turn, at: Date.now()};
      set({busy: true});
      const own = ++runs.current;
      try {
        const near = latest.current.keys.slice(0, MAX_ROWS_IN_VIEW);
        if (kind !== 'singleton' && near.length > 0) {
          const first = rejectIfStopped(await requestPreview({...ask, keys: near}, abort.signal));
          set({...mergeRows(latest.current.state, first.rows, code, own), failure: null, refusal: null});
        }
        const all = rejectIfStopped(await requestPreview({...ask, shadow}, abort.signal));
        const {rows, ...rest} = mergeRows(latest.current.state, all.rows, code, own);
        set({
          ...rest,
          // Drop rows of older runs. They are requested again when they scroll into view.
          rows: new Map([...rows].filter(([, row]) => row.run === own)),
          whole: true,
          total: all.total,
          failed: all.failed,
          checks: all.checks ?? [],
          params: all.params ?? [],
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
  }, [inputId, code, kind, input, shadow, name, params, paramText, version, turn]);

  // Rows that scrolled into view and were not part of the answer.
  const unknown = keys.filter(key => !state.rows.has(key)).slice(0, MAX_ROWS_IN_VIEW);
  const settled = state.code === code && state.whole && !state.busy;
  const missing = settled && unknown.length > 0 ? unknown.join('\n') : '';
  useEffect(() => {
    if (missing === '' || kind === 'singleton' || input === undefined) return;
    const abort = new AbortController();
    requestPreview({code, kind, input, params, keys: missing.split('\n')}, abort.signal).then(
      more => set(mergeRows(latest.current.state, more.rows, code, runs.current)),
      () => {},
    );
    return () => abort.abort();
  }, [missing, code, kind, input, params]);

  return state;
}

/** The values of parameters that the code has. The first run of a draft knows none yet and sends all. */
function fittingParams(values: ParamValues, known: readonly FormulaParam[]): ParamValues | undefined {
  const fitting = Object.entries(values).filter(
    ([name]) => known.length === 0 || known.some(one => one.name === name),
  );
  return fitting.length === 0 ? undefined : Object.fromEntries(fitting);
}

/** Keeps the rows of older runs, so that the column does not blink. */
function mergeRows(
  current: PreviewState,
  rows: readonly PreviewRow[],
  code: string,
  run: number,
): Pick<PreviewState, 'rows' | 'code' | 'pace'> {
  const next = new Map(current.rows);
  let spent = 0;
  for (const row of rows) {
    next.set(row.input, {...row, code, run});
    spent += row.ms;
  }
  return {rows: next, code, pace: rows.length > 0 ? spent / rows.length : current.pace};
}

/** Code that the server stopped has no useful rows: keep the old ones. */
function rejectIfStopped(answer: Preview): Preview {
  const check = answer.checks?.find(one => one.code === 'ends' && !one.holds);
  if (check === undefined) return answer;
  throw new RequestError(
    {
      code: STOPPED,
      message: check.message,
      hint: 'Nothing else is affected. Change the formula to run it again.',
    },
    200,
  );
}

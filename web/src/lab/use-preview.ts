// The draft over live data: first the rows in view, then all. What stood there stays until something better is known.
import {useEffect, useReducer, useRef} from 'react';
import {
  askPreview,
  type Check,
  type FormulaFailure,
  failureOf,
  type PreviewRow,
  type Shadow,
} from './answers.ts';
import type {Draft} from './drafts.ts';
import type {Refusal} from './editor/CodeEditor.tsx';

/** From the last key to the question: with the answer it stays under the 300 ms that feel like at once. */
const PAUSE = 120;
/** A cluster that moves all the time is followed once a second. */
const FOLLOW = 1_000;
const RETRY = 1_000;
const IN_VIEW = 80;

export interface PreviewState {
  /** By input; the rows of the newest code that ran, and of what is not known anew yet. */
  rows: ReadonlyMap<string, PreviewRow>;
  /** The code that `rows` belong to; another one is being typed. */
  code: string | null;
  /** Everything below is of all rows, not only of those in view. */
  whole: boolean;
  total: number;
  failed: number;
  checks: Check[];
  shadow: Shadow | undefined;
  /** Milliseconds a row, over what ran. */
  pace: number | null;
  busy: boolean;
  refusal: {code: string; message: string; errors: Refusal[]} | null;
  failure: FormulaFailure | null;
}

export const noPreview: PreviewState = {
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

type Ground = Pick<Draft, 'id' | 'code' | 'kind'> & {input?: string; shadow?: string; of?: {name: string}};

/** `version` changes when the data under it did, `turn` when the person asks for a run now. */
export function usePreview(
  ground: Ground | null,
  keys: readonly string[],
  version: unknown,
  turn: number,
): PreviewState {
  const [state, set] = useReducer(
    (held: PreviewState, change: Partial<PreviewState>) => ({...held, ...change}),
    noPreview,
  );
  const latest = useRef({keys, state});
  latest.current = {keys, state};
  const asked = useRef({id: '', code: '', turn: 0, at: 0});
  const {id, code, kind, input, shadow, of} = ground ?? {id: '', code: '', kind: 'one' as const};

  // Another draft, another input: rows of the last one would be lies.
  const own = `${id} ${kind} ${input}`;
  const last = useRef(own);
  useEffect(() => {
    if (last.current !== own) set(noPreview);
    last.current = own;
  }, [own]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: version and turn only ask again
  useEffect(() => {
    if (id === '' || code.trim() === '' || (kind !== 'singleton' && input === undefined)) return;
    const before = asked.current;
    const typed = before.id !== own || before.code !== code;
    const wait =
      before.turn !== turn ? 0 : typed ? PAUSE : Math.max(PAUSE, FOLLOW - (Date.now() - before.at));
    const abort = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const ask = {code, kind, ...(input !== undefined && {input}), ...(of && {name: of.name})};
    const run = async () => {
      asked.current = {id: own, code, turn, at: Date.now()};
      set({busy: true});
      try {
        const near = latest.current.keys.slice(0, IN_VIEW);
        if (kind !== 'singleton' && near.length > 0) {
          const first = await askPreview({...ask, keys: near}, abort.signal);
          set({...took(latest.current.state, first.rows, code, false), failure: null, refusal: null});
        }
        const all = await askPreview({...ask, ...(shadow !== undefined && {shadow})}, abort.signal);
        set({
          ...took(latest.current.state, all.rows, code, all.rows.length >= all.total),
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
        if (failure.errors && failure.errors.length > 0)
          set({
            busy: false,
            failure: null,
            refusal: {code, message: failure.message, errors: failure.errors},
          });
        else set({busy: false, failure, refusal: null});
        if (failure.code === 'engine-restarting' || failure.code === 'no-answer')
          retry = setTimeout(() => void run(), RETRY);
      }
    };
    const timer = setTimeout(() => void run(), wait);
    return () => {
      clearTimeout(timer);
      clearTimeout(retry);
      abort.abort();
    };
  }, [own, id, code, kind, input, shadow, of?.name, version, turn]);

  // Rows that scrolled into view and that the answer for all did not hold.
  const unknown = keys.filter(key => !state.rows.has(key)).slice(0, IN_VIEW);
  const missing = state.code === code && state.whole && unknown.length > 0 ? unknown.join('\n') : '';
  useEffect(() => {
    if (missing === '' || kind === 'singleton' || input === undefined) return;
    const abort = new AbortController();
    askPreview({code, kind, input, keys: missing.split('\n')}, abort.signal).then(
      more => set(took(latest.current.state, more.rows, code, false)),
      () => {},
    );
    return () => abort.abort();
  }, [missing, code, kind, input]);

  return state;
}

/** Rows of another code leave when all are known anew, not before: nothing blinks. */
function took(
  held: PreviewState,
  rows: readonly PreviewRow[],
  code: string,
  complete: boolean,
): Pick<PreviewState, 'rows' | 'code' | 'pace'> {
  const next = new Map(complete ? [] : held.rows);
  let spent = 0;
  for (const row of rows) {
    next.set(row.input, row);
    spent += row.ms;
  }
  return {rows: next, code, pace: rows.length > 0 ? spent / rows.length : held.pace};
}

// React hooks for the stream: subscriptions, answers by HTTP, pulses, collection kinds.
import type {AnswerTo} from '@krtscope/shared/answers.ts';
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {Topic} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import type {CollectionNodeKind} from '@krtscope/shared/vocabulary.ts';
import {useCallback, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore} from 'react';
import {create} from 'zustand';
import {useApp} from '../store/app.ts';
import {stream} from './client.ts';
import {apiPath, RequestError, request} from './http.ts';
import {useRequestedMoment} from './requested-moment.ts';
import {useConnection} from './server-connection.ts';
import type {StreamQuestion, SubscriptionState} from './subscriptions.ts';

const topicsWithoutMoment = new Set<Topic>(['trace', 'timeline']);
const noSubscription: SubscriptionState = {answer: undefined, failure: undefined, fresh: false};

/**
 * The live answer to a query; null sends no query. Adds the page's moment as `at` unless the query has its own
 * (`at: undefined` means live). Equal queries share one subscription.
 */
export function useSubscription<Q extends StreamQuestion>(
  question: Q | null,
): SubscriptionState<AnswerTo<Q['ask']>> {
  const moment = useRequestedMoment(state => state.moment);
  const text = question === null ? null : JSON.stringify(withMoment(question, moment));
  const stable = useMemo(() => (text === null ? null : (JSON.parse(text) as StreamQuestion)), [text]);
  const subscribe = useCallback(
    (listener: () => void) => (stable === null ? () => {} : stream.subscriptions.onAnswer(stable, listener)),
    [stable],
  );
  const state = useSyncExternalStore(subscribe, () =>
    stable === null ? noSubscription : stream.subscriptions.stateOf(stable),
  );
  return state as SubscriptionState<AnswerTo<Q['ask']>>;
}

function withMoment(question: StreamQuestion, moment: number | null): StreamQuestion {
  if (moment === null || topicsWithoutMoment.has(question.ask) || 'at' in question) return question;
  return {...question, at: moment} as StreamQuestion;
}

/** The last answer of the same topic while the next one is on its way, so that nothing blinks. */
export function useLastAnswer<T>(state: SubscriptionState<T>): T | undefined {
  const [last, setLast] = useState(state.answer);
  // Adopt the answer during render: an effect would draw the gap first.
  if (state.answer !== undefined && state.answer !== last) setLast(state.answer);
  return state.answer ?? last;
}

interface HttpAnswerState<T> {
  answer: T | undefined;
  failure: ApiFailure | undefined;
  loading: boolean;
  again(): void;
}

/**
 * The answer of a GET path under /api/v1, with `session` and `at` added; null sends no request. The old answer
 * stays until the new one arrives. A new `version` asks again.
 */
export function useAnswer<T>(path: string | null, version: unknown = null): HttpAnswerState<T> {
  const session = useApp(state => state.route.session);
  const moment = useRequestedMoment(state => state.moment);
  const resets = useConnection(link => link.resets);
  const [state, setState] = useState<{answer?: T; failure?: ApiFailure; loading: boolean}>({loading: true});
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn(n => n + 1), []);
  // Some paths have no past; a trace and a difference name their own moments and refuse another one.
  const at = path !== null && /^\/(sessions?|contexts|kinds|trace|diff)\b/.test(path) ? null : moment;
  const address = path === null ? null : apiPath(path, {session, at});
  // The same path with another version or moment, or after a reset, is another query.
  const question = useMemo(() => ({address, version, turn, resets}), [address, version, turn, resets]);
  useEffect(() => {
    const {address} = question;
    if (address === null) {
      setState({loading: false});
      return;
    }
    const abort = new AbortController();
    setState(old => ({...old, loading: true}));
    request<T>(address, {signal: abort.signal}).then(
      answer => setState({answer, loading: false}),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const failure: ApiFailure =
          error instanceof RequestError
            ? error.failure
            : {code: 'internal', message: String(error), hint: 'Reload the page.'};
        setState({failure, loading: false});
        // An engine that restarts answers again within seconds.
        if (failure.code === 'engine-restarting' || failure.code === 'no-answer') setTimeout(again, 1000);
      },
    );
    return () => abort.abort();
  }, [question, again]);
  return {answer: state.answer, failure: state.failure, loading: state.loading, again};
}

/** Calls back for every batch that the graph subscription reports, oldest first. */
export function usePulses(listener: (pulse: BatchPulse, skipped: number) => void): void {
  const heard = useEffectEvent(listener);
  useEffect(() => stream.subscriptions.onPulse((pulse, skipped) => heard(pulse, skipped)), []);
}

export const useGraphStore = create<{nodes: Map<string, CollectionNode>; graph: Graph | null}>()(() => ({
  nodes: new Map(),
  graph: null,
}));

/** Mounted once, by the shell: keeps the collections' kinds for every chip. */
export function useGraphFeed(): void {
  const {answer} = useSubscription({ask: 'graph'});
  useEffect(() => {
    if (answer === undefined) return;
    useGraphStore.setState({graph: answer, nodes: new Map(answer.collections.map(one => [one.name, one]))});
  }, [answer]);
}

/** The graph at the moment on screen; null before the first answer. */
export function useGraph(): Graph | null {
  return useGraphStore(state => state.graph);
}

export function useCollection(name: string | null): CollectionNode | undefined {
  return useGraphStore(state => (name === null ? undefined : state.nodes.get(name)));
}

/** A join, a map or an index: its rows follow its inputs. It has no formula and no writer. */
export function useHasNoFormula(name: string): boolean {
  const kind = useKind(name);
  return kind === 'join' || kind === 'map' || kind === 'index';
}

export function useKind(name: string): CollectionNodeKind {
  return useGraphStore(state => state.nodes.get(name)?.kind ?? 'derived');
}

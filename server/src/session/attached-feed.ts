// Polls the krtz document of another program and reports the differences. Rows stay as they are while the
// document is missing.
import {isDeepStrictEqual} from 'node:util';
import type {ProgramCollection} from '@krtscope/shared/programs/program.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {hideSecrets} from '../attach/hide-secrets.ts';
import {type KrtzDocument, KrtzReader} from '../attach/krtz-document.ts';
import {KRTZ_ADDRESS_HINT, type KrtzProblem, requestKrtz} from '../attach/krtz-request.ts';
import type {EngineHandle} from '../engine/link/engine-link.ts';
import {hiddenCollections} from '../engine/link/hidden-collections.ts';
import type {SessionConnection} from './connection-state.ts';
import {ProgramRows} from './programs/program-rows.ts';
import {unreadyReasons} from './readiness.ts';
import type {SessionFeed} from './session-feed.ts';
import {dumpedDocuments} from './types/openapi-documents.ts';

/** Milliseconds between two documents. A slow document is requested less often, because it blocks its program. */
const POLL_MS = 2000;
const POLL_COST_FACTOR = 10;
/** Unsettled batches of the engine process from which the next document is skipped. */
const MAX_UNSETTLED = 50;
/** Smallest step of time that is reported. */
const STEP_MS = 5000;

export interface AttachedFeedOptions {
  name: string;
  url: URL;
  /** Undefined if secrets are shown. */
  redact: (<T>(object: T, kind?: string) => T) | undefined;
}

export class AttachedFeed implements SessionFeed {
  readonly cluster: SessionAnswer['cluster'];
  readonly namespaces = [];
  readonly documents = dumpedDocuments;
  readonly #options: AttachedFeedOptions;
  readonly #reader = new KrtzReader();
  readonly #rows = new ProgramRows();
  readonly #ended = new AbortController();
  #collections: readonly ProgramCollection[] = [];
  /** Each input as text, by collection and key. */
  #inputs = new Map<string, string>();
  #connection: SessionConnection = {state: 'connecting', since: Date.now()};
  #asOf: number | undefined;
  #reportedAsOf = 0;
  #engine: EngineHandle | undefined;
  #changed: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #pollAgain = false;

  constructor(options: AttachedFeedOptions) {
    this.#options = options;
    // Omit the query string, which may contain a secret.
    const server = `${options.url.origin}${options.url.pathname}`;
    this.cluster = {kind: 'attached', context: options.name, server, version: ''};
  }

  get connection(): SessionConnection {
    return this.#connection;
  }

  get freshness(): {asOf: number; current: boolean} | undefined {
    if (this.#asOf === undefined) return undefined;
    return {asOf: this.#asOf, current: this.#connection.state === 'connected'};
  }

  start(engine: EngineHandle, changed: () => void): void {
    this.#engine = engine;
    this.#changed = changed;
    this.retry();
  }

  async notReadyReasons(engine: EngineHandle): Promise<string[]> {
    const {state, reason} = this.#connection;
    if (state !== 'connected') return [reason ?? 'no document has arrived yet'];
    return unreadyReasons(engine);
  }

  retry(): void {
    // The running request may have started before the user fixed the problem.
    if (this.#polling !== undefined) this.#pollAgain = true;
    else void this.poll();
  }

  /** Polls now. Resolves when the result is reported. */
  poll(): Promise<void> {
    this.#polling ??= this.#pollOnce().finally(() => {
      this.#polling = undefined;
      if (this.#pollAgain) this.retry();
    });
    return this.#polling;
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#timer);
    await this.#polling;
  }

  async #pollOnce(): Promise<void> {
    clearTimeout(this.#timer);
    this.#pollAgain = false;
    const engine = this.#engine;
    const {signal} = this.#ended;
    if (engine === undefined || signal.aborted) return;
    const began = Date.now();
    const startedAt = performance.now();
    const isBehind = engine.unsettled > MAX_UNSETTLED;
    const problem = isBehind ? undefined : await this.#fetchDocument(engine, began);
    if (signal.aborted) return;
    const wait = Math.max(POLL_MS, (performance.now() - startedAt) * POLL_COST_FACTOR);
    this.#timer = setTimeout(() => void this.poll(), wait);
    if (!isBehind) this.#updateConnection(problem, engine, Date.now() + wait);
  }

  async #fetchDocument(engine: EngineHandle, began: number): Promise<KrtzProblem | undefined> {
    const answer = await requestKrtz(this.#options.url, this.#ended.signal);
    if ('reason' in answer) return answer;
    if (this.#ended.signal.aborted) return undefined;
    try {
      this.#reportDocument(engine, this.#reader.read(answer.text), answer.text.length);
    } catch (error) {
      return {reason: (error as Error).message, hint: KRTZ_ADDRESS_HINT};
    }
    this.#asOf = began;
    return undefined;
  }

  #reportDocument(engine: EngineHandle, document: KrtzDocument, bytes: number): void {
    const at = Date.now();
    const {redact} = this.#options;
    const items =
      redact === undefined
        ? document.items
        : document.items.map(([collection, key, value]): KrtzDocument['items'][number] => {
            return [collection, key, hideSecrets(value, collection, redact)];
          });
    this.#reportGraph(engine, document.collections, at);
    const inputs = this.#changedInputs(document.inputs);
    const snapshot = {type: 'snapshot' as const, sequence: 0, at, items, inputs, last: true};
    for (const {changes, told} of this.#rows.snapshot(snapshot, bytes)) engine.applyReported(changes, told);
  }

  #reportGraph(engine: EngineHandle, collections: ProgramCollection[], received: number): void {
    if (isDeepStrictEqual(collections, this.#collections)) return;
    const names = new Set(collections.map(({name}) => name));
    const dropped = this.#collections.map(({name}) => name).filter(name => !names.has(name));
    for (const changes of this.#rows.drop(dropped, received)) engine.apply(changes);
    this.#collections = collections;
    const row = {key: 'graph', collections};
    engine.apply([{collection: hiddenCollections.graph, key: 'graph', event: 'update', new: row, received}]);
  }

  /** Inputs that changed. A big program has hundreds of thousands of inputs. */
  #changedInputs(inputs: KrtzDocument['inputs']): KrtzDocument['inputs'] {
    const previous = this.#inputs;
    this.#inputs = new Map();
    return inputs.filter(({collection, input, outputs, fetches}) => {
      const id = `${collection}\n${input}`;
      const now = JSON.stringify([outputs.toSorted(), fetches.map(fetch => fetch.collection).sort()]);
      this.#inputs.set(id, now);
      return previous.get(id) !== now;
    });
  }

  #updateConnection(problem: KrtzProblem | undefined, engine: EngineHandle, retryAt: number): void {
    const now = Date.now();
    const {state: previous, since, reason} = this.#connection;
    if (problem === undefined) {
      if (previous === 'lost') this.#markGap(engine, since, now, reason ?? '');
      if (previous !== 'connected') this.#connection = {state: 'connected', since: now};
    } else {
      const state = this.#asOf === undefined ? 'unreachable' : 'lost';
      this.#connection = {state, since: previous === state ? since : now, ...problem, retryAt};
    }
    // Report each failure, because the page shows the seconds until the next try.
    const unchanged = problem === undefined && previous === 'connected';
    if (unchanged && (this.#asOf ?? 0) - this.#reportedAsOf < STEP_MS) return;
    this.#reportedAsOf = this.#asOf ?? 0;
    this.#changed();
  }

  #markGap(engine: EngineHandle, from: number, to: number, reason: string): void {
    const seconds = ((to - from) / 1000).toFixed(1);
    engine.gap({
      kind: 'program',
      from,
      to,
      sequence: engine.sequence,
      text: `The document of ${this.#options.name} was missing for ${seconds} s (${reason}). All changes in that time appear as one.`,
    });
  }
}

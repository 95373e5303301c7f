// Somebody else's krtz document as a feed: asked for again and again, compared with the one before, and what differs is
// told as seen. A document that does not come leaves the rows as they were, and says why.
import {isDeepStrictEqual} from 'node:util';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {ProgramCollection} from '@krtscope/shared/program.ts';
import type {Session as SessionAnswer} from '@krtscope/shared/session.ts';
import {hideSecrets} from '../attach/hide-secrets.ts';
import {type KrtzDocument, KrtzReader} from '../attach/krtz-document.ts';
import {type KrtzProblem, requestKrtz, WHERE} from '../attach/krtz-request.ts';
import {hidden} from '../engine/link/hidden.ts';
import type {Engine} from '../engine/link/link.ts';
import type {Connection} from './connection.ts';
import type {Feed} from './feed.ts';
import {ProgramRows} from './programs/program-rows.ts';
import {dumpedDocuments} from './types/documents.ts';
import {unsettled} from './unsettled.ts';
import {SILENT_MS, within} from './within.ts';

/** Between two documents; a slow one is asked for less often, for its program is held up by it. */
const EVERY_MS = 2000;
const SHARE = 10;
/** Batches that the engine process has not taken before the next document is put off. */
const BEHIND = 50;
/** A step of the time that is worth telling. */
const STEP_MS = 5000;

export interface AttachedOptions {
  name: string;
  url: URL;
  /** Absent: secrets are shown. */
  redact: (<T>(object: T, kind?: string) => T) | undefined;
}

export class AttachedFeed implements Feed {
  readonly cluster: SessionAnswer['cluster'];
  readonly namespaces = [];
  readonly documents = dumpedDocuments;
  readonly #options: AttachedOptions;
  readonly #reader = new KrtzReader();
  readonly #rows = new ProgramRows();
  readonly #ended = new AbortController();
  #collections: readonly ProgramCollection[] = [];
  /** What was told of each input, as text, by collection and key. */
  #inputs = new Map<string, string>();
  #connection: Connection = {state: 'connecting', since: Date.now()};
  #asOf: number | undefined;
  #toldAsOf = 0;
  #engine: Engine | undefined;
  #changed: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(options: AttachedOptions) {
    this.#options = options;
    // What stands behind the question mark may be a secret.
    const server = `${options.url.origin}${options.url.pathname}`;
    this.cluster = {kind: 'attached', context: options.name, server, version: ''};
  }

  get connection(): Connection {
    return this.#connection;
  }

  get freshness(): {asOf: number; current: boolean} | undefined {
    if (this.#asOf === undefined) return undefined;
    return {asOf: this.#asOf, current: this.#connection.state === 'connected'};
  }

  start(engine: Engine, changed: () => void): void {
    this.#engine = engine;
    this.#changed = changed;
    this.retry();
  }

  async unsettled(engine: Engine): Promise<string[]> {
    const {state, reason} = this.#connection;
    if (state !== 'connected') return [reason ?? 'the document has not come yet'];
    try {
      return unsettled((await within(SILENT_MS, engine.ask({ask: 'graph'}))) as Graph);
    } catch (error) {
      return [(error as Error).message];
    }
  }

  retry(): void {
    // What is under way may have been asked before whatever was mended.
    if (this.#looking !== undefined) this.#again = true;
    else void this.look();
  }

  /** Asks now; resolves when what came of it is told. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
      if (this.#again) this.retry();
    });
    return this.#looking;
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #lookOnce(): Promise<void> {
    clearTimeout(this.#timer);
    this.#again = false;
    const engine = this.#engine;
    const {signal} = this.#ended;
    if (engine === undefined || signal.aborted) return;
    const began = Date.now();
    const isBehind = engine.unsettled > BEHIND;
    const problem = isBehind ? undefined : await this.#take(engine, began);
    if (signal.aborted) return;
    const wait = Math.max(EVERY_MS, (Date.now() - began) * SHARE);
    this.#timer = setTimeout(() => void this.look(), wait);
    if (!isBehind) this.#become(problem, engine, Date.now() + wait);
  }

  async #take(engine: Engine, began: number): Promise<KrtzProblem | undefined> {
    const answer = await requestKrtz(this.#options.url, this.#ended.signal);
    if ('reason' in answer) return answer;
    if (this.#ended.signal.aborted) return undefined;
    try {
      this.#tell(engine, this.#reader.read(answer.text), answer.text.length);
    } catch (error) {
      return {reason: (error as Error).message, hint: WHERE};
    }
    this.#asOf = began;
    return undefined;
  }

  #tell(engine: Engine, document: KrtzDocument, bytes: number): void {
    const at = Date.now();
    const {redact} = this.#options;
    const items =
      redact === undefined
        ? document.items
        : document.items.map(([collection, key, value]): KrtzDocument['items'][number] => {
            return [collection, key, hideSecrets(value, collection, redact)];
          });
    this.#tellGraph(engine, document.collections, at);
    const inputs = this.#news(document.inputs);
    const snapshot = {type: 'snapshot' as const, sequence: 0, at, items, inputs, last: true};
    for (const {changes, told} of this.#rows.snapshot(snapshot, bytes)) engine.tell(changes, told);
  }

  #tellGraph(engine: Engine, collections: ProgramCollection[], received: number): void {
    if (isDeepStrictEqual(collections, this.#collections)) return;
    const names = new Set(collections.map(({name}) => name));
    const dropped = this.#collections.map(({name}) => name).filter(name => !names.has(name));
    for (const changes of this.#rows.drop(dropped, received)) engine.apply(changes);
    this.#collections = collections;
    const row = {key: 'graph', collections};
    engine.apply([{collection: hidden.graph, key: 'graph', event: 'update', new: row, received}]);
  }

  /** Inputs that are not as they were told: a big program has hundreds of thousands. */
  #news(inputs: KrtzDocument['inputs']): KrtzDocument['inputs'] {
    const before = this.#inputs;
    this.#inputs = new Map();
    return inputs.filter(({collection, input, outputs, fetches}) => {
      const id = `${collection}\n${input}`;
      const now = JSON.stringify([outputs.toSorted(), fetches.map(fetch => fetch.collection).sort()]);
      this.#inputs.set(id, now);
      return before.get(id) !== now;
    });
  }

  #become(problem: KrtzProblem | undefined, engine: Engine, retryAt: number): void {
    const now = Date.now();
    const {state: before, since, reason} = this.#connection;
    if (problem === undefined) {
      if (before === 'lost') this.#markGap(engine, since, now, reason ?? '');
      if (before !== 'connected') this.#connection = {state: 'connected', since: now};
    } else {
      const state = this.#asOf === undefined ? 'unreachable' : 'lost';
      this.#connection = {state, since: before === state ? since : now, ...problem, retryAt};
    }
    // A failure is told each time: somebody looks at the seconds until the next try.
    const told = problem === undefined && before === 'connected';
    if (told && (this.#asOf ?? 0) - this.#toldAsOf < STEP_MS) return;
    this.#toldAsOf = this.#asOf ?? 0;
    this.#changed();
  }

  #markGap(engine: Engine, from: number, to: number, reason: string): void {
    const seconds = ((to - from) / 1000).toFixed(1);
    engine.gap({
      kind: 'program',
      from,
      to,
      sequence: engine.sequence,
      text: `The document of ${this.#options.name} did not come for ${seconds} s (${reason}); what changed meanwhile was seen at once.`,
    });
  }
}

// A program as a feed: what it says goes to the session's engine as it is, until it goes; then it stays as it was.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {FromProgram} from '@krtscope/shared/programs/program.ts';
import {programCloses} from '@krtscope/shared/programs/program-limits.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import {hiddenCollections} from '../../engine/link/hidden-collections.ts';
import type {ProgramChannel} from '../../engine/link/programs.ts';
import type {SessionConnection} from '../connection-state.ts';
import {ENGINE_TIMEOUT_MS, withEngineTimeout} from '../engine-timeout.ts';
import {describeUnreadyCollections} from '../readiness.ts';
import type {SessionFeed} from '../session-feed.ts';
import {dumpedDocuments} from '../types/openapi-documents.ts';
import {ControllerTracker} from './controller-tracker.ts';
import type {ProgramRefusal} from './parse-message.ts';
import {ProgramRows} from './program-rows.ts';

export type ProgramHello = Extract<FromProgram, {type: 'hello'}>;

/** What the engine process has not taken before nothing more is read from the program, and when it goes on. */
const MAX_UNSETTLED = {batches: 200, bytes: 32 * 1024 * 1024};
const LOOK_MS = 25;

export class ProgramFeed implements SessionFeed {
  readonly namespaces = [];
  readonly documents = dumpedDocuments;
  readonly #rows = new ProgramRows();
  readonly #controllers: ControllerTracker;
  #engine: EngineHandle | undefined;
  #changed: () => void = () => {};
  #hello: ProgramHello;
  #channel: ProgramChannel | undefined;
  #collectionNames = new Set<string>();
  #since = Date.now();
  #lastMessageAt = Date.now();
  #closed = false;
  /** Weights of what was handed on, oldest first; as many of them as the engine has not settled are under way. */
  #weights: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(hello: ProgramHello, channel: ProgramChannel) {
    this.#hello = hello;
    this.#channel = channel;
    this.#controllers = new ControllerTracker(hello.name);
  }

  get cluster(): SessionAnswer['cluster'] {
    const {name, version = '', pid, started} = this.#hello;
    return {
      kind: 'program',
      context: name,
      server: '',
      version,
      ...(pid === undefined ? {} : {pid}),
      ...(started === undefined ? {} : {started}),
    };
  }

  get connection(): SessionConnection {
    if (this.#channel !== undefined) return {state: 'connected', since: this.#since};
    return {
      state: 'lost',
      since: this.#since,
      reason: `${this.#hello.name} is not connected; this is what it said last`,
      hint: 'start it again with KRTSCOPE_URL, and it goes on here',
    };
  }

  get freshness(): {asOf: number; current: boolean} {
    const isHeard = this.#channel !== undefined;
    return {asOf: isHeard ? Date.now() : this.#lastMessageAt, current: isHeard};
  }

  get instance(): string {
    return this.#hello.instance;
  }

  get isConnected(): boolean {
    return this.#channel !== undefined;
  }

  /** Since when it is as it is, connected or not. */
  get since(): number {
    return this.#since;
  }

  start(engine: EngineHandle, changed: () => void): void {
    this.#engine = engine;
    this.#changed = changed;
    this.#reportProgram();
  }

  async notReadyReasons(engine: EngineHandle): Promise<string[]> {
    const {state, reason} = this.connection;
    if (state !== 'connected') return [reason ?? 'the program is not connected'];
    try {
      return describeUnreadyCollections(
        (await withEngineTimeout(ENGINE_TIMEOUT_MS, engine.ask({ask: 'graph'}))) as Graph,
      );
    } catch (error) {
      return [(error as Error).message];
    }
  }

  retry(): void {}

  /** The user has closed the session: the program is not to come back by itself. */
  async stop(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const channel = this.#channel;
    this.#channel = undefined;
    channel?.say({type: 'refused', code: 'closed', message: 'the session was closed', retry: false});
    channel?.close(programCloses.refused, 'the session was closed');
  }

  /** Another channel: the same program whose socket was cut, or the next start of it. */
  reconnect(hello: ProgramHello, channel: ProgramChannel): void {
    const before = this.#channel;
    before?.say({type: 'refused', code: 'replaced', message: 'it has connected again', retry: false});
    before?.close(programCloses.replaced, 'it has connected again');
    const isRestart = hello.instance !== this.#hello.instance;
    const now = Date.now();
    const away = before === undefined ? Math.max(0, now - this.#since) : 0;
    const lasted = `for ${(away / 1000).toFixed(1)} s`;
    const pids = [this.#hello.pid, hello.pid].map(pid => pid ?? '?').join(' to ');
    this.#engine?.gap({
      kind: 'program',
      from: now - away,
      to: now,
      sequence: this.#engine.sequence,
      text: isRestart
        ? `${hello.name} was restarted (process ${pids}), away ${lasted}.`
        : `The connection to ${hello.name} was lost ${lasted}; what it did meanwhile was not heard.`,
    });
    this.#hello = hello;
    this.#channel = channel;
    this.#since = now;
    this.#rows.forgetSnapshot();
    this.#reportProgram();
    this.#changed();
  }

  /** It is not heard any more. Only its own channel can say so. */
  disconnect(channel: ProgramChannel): void {
    if (this.#channel !== channel) return;
    this.#channel = undefined;
    this.#since = Date.now();
    if (this.#closed) return;
    this.#engine?.apply(this.#controllers.markAway());
    this.#reportProgram();
    this.#changed();
  }

  /** One message after the hello. What it gives back is said to the program, and it is heard no more. */
  take(message: FromProgram, bytes: number): ProgramRefusal | undefined {
    const engine = this.#engine;
    if (engine === undefined || message.type === 'hello')
      return {code: 'bad-message', message: 'hello comes once, and first', retry: false};
    this.#lastMessageAt = Date.now();
    const refusal = this.#check(message) ?? this.#handle(engine, message, bytes);
    if (refusal === undefined) this.#applyBackpressure(engine);
    return refusal;
  }

  #handle(engine: EngineHandle, message: FromProgram, bytes: number): ProgramRefusal | undefined {
    switch (message.type) {
      case 'collections':
        this.#collections(engine, message);
        return undefined;
      case 'batch': {
        const {changes, told} = this.#rows.batch(message, bytes);
        if (changes.length > 0 || told.runs.length > 0 || told.synced.length > 0)
          this.#sendWeighed(engine, () => engine.applyReported(changes, told), bytes);
        return this.#limitRefusal();
      }
      case 'snapshot':
        for (const {changes, told} of this.#rows.snapshot(message, bytes))
          this.#sendWeighed(engine, () => engine.applyReported(changes, told), bytes / 4);
        return this.#limitRefusal();
      case 'gap': {
        const {text, dropped} = message;
        const now = Date.now();
        const lasted = Math.min(3_600_000, Math.max(0, message.to - message.from));
        engine.gap({
          kind: 'program',
          from: now - lasted,
          to: now,
          sequence: engine.sequence,
          text: `${this.#hello.name}: ${text}; ${dropped} messages were dropped, and everything was listed again`,
        });
        return undefined;
      }
      case 'hello':
        return undefined;
      default:
        this.#sendWeighed(engine, () => engine.apply(this.#controllers.take(message)), bytes);
        return undefined;
    }
  }

  /** Names that nobody has told of, and names that are krtscope's own. */
  #check(message: FromProgram): ProgramRefusal | undefined {
    const bad = (text: string): ProgramRefusal => ({code: 'bad-message', message: text, retry: true});
    if (message.type === 'collections') {
      const own = message.collections.find(({name}) => name.startsWith('krtscope:'));
      if (own !== undefined)
        return bad(`"${own.name}" is a name of krtscope's own; call the collection otherwise`);
      const names = new Set(message.collections.map(({name}) => name));
      return names.size === message.collections.length ? undefined : bad('two collections have one name');
    }
    const named =
      message.type === 'batch'
        ? [...message.changes, ...message.runs].map(({collection}) => collection)
        : message.type === 'snapshot'
          ? [...message.items.map(([collection]) => collection), ...message.inputs.map(one => one.collection)]
          : [];
    const unknown = named.find(name => !this.#collectionNames.has(name));
    if (unknown === undefined) return undefined;
    return bad(`a ${message.type} names the collection "${unknown}", which "collections" has not told of`);
  }

  #limitRefusal(): ProgramRefusal | undefined {
    const message = this.#rows.excess;
    return message === undefined ? undefined : {code: 'too-large', message, retry: false};
  }

  #collections(engine: EngineHandle, {collections}: Extract<FromProgram, {type: 'collections'}>): void {
    const names = new Set(collections.map(({name}) => name));
    const dropped = [...this.#collectionNames].filter(name => !names.has(name));
    this.#collectionNames = names;
    const now = Date.now();
    for (const changes of this.#rows.drop(dropped, now))
      this.#sendWeighed(engine, () => engine.apply(changes), 0);
    const row = {key: 'graph', collections};
    this.#sendWeighed(
      engine,
      () => engine.apply([updateChange(hiddenCollections.graph, 'graph', row, now)]),
      0,
    );
  }

  #reportProgram(): void {
    const {name, instance, version, pid, started} = this.#hello;
    const row = {key: 'program', name, instance, version, pid, started, connected: this.isConnected};
    this.#engine?.apply([updateChange(hiddenCollections.program, 'program', row, Date.now())]);
  }

  #sendWeighed(engine: EngineHandle, tell: () => void, bytes: number): void {
    const before = engine.unsettled;
    tell();
    if (engine.unsettled > before) this.#weights.push(bytes);
  }

  /** A program that says more than the engine can take is read more slowly, and no memory grows. */
  #applyBackpressure(engine: EngineHandle): void {
    if (this.#timer !== undefined || !this.#isBehind(engine)) return;
    this.#channel?.pause();
    const look = (): void => {
      this.#timer = undefined;
      if (this.#isBehind(engine) && !this.#closed) this.#timer = setTimeout(look, LOOK_MS);
      else this.#channel?.resume();
    };
    this.#timer = setTimeout(look, LOOK_MS);
  }

  #isBehind(engine: EngineHandle): boolean {
    const {unsettled: batches} = engine;
    this.#weights = batches === 0 ? [] : this.#weights.slice(-batches);
    return (
      batches > MAX_UNSETTLED.batches ||
      this.#weights.reduce((sum, one) => sum + one, 0) > MAX_UNSETTLED.bytes
    );
  }
}

function updateChange(collection: string, key: string, row: object, received: number) {
  return {collection, key, event: 'update' as const, new: row, received};
}

// Feeds the reports of a program to its session's engine. The last state stays when the program goes.
import type {FromProgram} from '@krtscope/shared/programs/program.ts';
import {programCloses} from '@krtscope/shared/programs/program-limits.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import {hiddenCollections} from '../../engine/link/hidden-collections.ts';
import type {ProgramChannel} from '../../engine/link/programs.ts';
import type {Telemetry} from '../../telemetry/telemetry.ts';
import type {SessionConnection} from '../connection-state.ts';
import {unreadyReasons} from '../readiness.ts';
import type {SessionFeed} from '../session-feed.ts';
import {dumpedDocuments} from '../types/openapi-documents.ts';
import {ControllerTracker} from './controller-tracker.ts';
import type {ProgramRefusal} from './parse-message.ts';
import {ProgramRows} from './program-rows.ts';

export type ProgramHello = Extract<FromProgram, {type: 'hello'}>;

/** Unsettled work of the engine process at which the program is paused. */
const MAX_UNSETTLED = {batches: 200, bytes: 32 * 1024 * 1024};
const CHECK_MS = 25;

export class ProgramFeed implements SessionFeed {
  readonly namespaces = [];
  readonly documents = dumpedDocuments;
  readonly #rows = new ProgramRows();
  readonly #controllers: ControllerTracker;
  readonly #telemetry: Telemetry | undefined;
  #engine: EngineHandle | undefined;
  #changed: () => void = () => {};
  #hello: ProgramHello;
  #channel: ProgramChannel | undefined;
  #collectionNames = new Set<string>();
  #since = Date.now();
  #lastMessageAt = Date.now();
  #closed = false;
  /** Sizes of the sent batches, oldest first. The last `unsettled` of them are not settled yet. */
  #weights: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(hello: ProgramHello, channel: ProgramChannel, telemetry?: Telemetry) {
    this.#telemetry = telemetry;
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
      pid,
      started,
    };
  }

  get connection(): SessionConnection {
    if (this.#channel !== undefined) return {state: 'connected', since: this.#since};
    return {
      state: 'lost',
      since: this.#since,
      reason: `${this.#hello.name} is not connected; its last state is shown`,
      hint: 'start it again with KRTSCOPE_URL to continue here',
    };
  }

  get freshness(): {asOf: number; current: boolean} {
    const connected = this.#channel !== undefined;
    return {asOf: connected ? Date.now() : this.#lastMessageAt, current: connected};
  }

  get instance(): string {
    return this.#hello.instance;
  }

  get isConnected(): boolean {
    return this.#channel !== undefined;
  }

  /** Since when it is connected or disconnected. */
  get since(): number {
    return this.#since;
  }

  start(engine: EngineHandle, changed: () => void): void {
    this.#engine = engine;
    this.#changed = changed;
    this.#reportProgram();
  }

  async notReadyReasons(engine: EngineHandle, brief: boolean): Promise<string[]> {
    const {state, reason} = this.connection;
    if (state !== 'connected') return [reason ?? 'the program is not connected'];
    return unreadyReasons(engine, brief);
  }

  retry(): void {}

  /** Closes the session and tells the program not to come back. */
  async stop(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const channel = this.#channel;
    this.#channel = undefined;
    channel?.say({type: 'refused', code: 'closed', message: 'the session was closed', retry: false});
    channel?.close(programCloses.refused, 'the session was closed');
  }

  /** Continues with another channel: after a lost socket or a restart of the program. */
  reconnect(hello: ProgramHello, channel: ProgramChannel): void {
    const previous = this.#channel;
    previous?.say({type: 'refused', code: 'replaced', message: 'the program connected again', retry: false});
    previous?.close(programCloses.replaced, 'the program connected again');
    const isRestart = hello.instance !== this.#hello.instance;
    const now = Date.now();
    const away = previous === undefined ? Math.max(0, now - this.#since) : 0;
    const lasted = `for ${(away / 1000).toFixed(1)} s`;
    const pids = [this.#hello.pid, hello.pid].map(pid => pid ?? '?').join(' to ');
    this.#engine?.gap({
      kind: 'program',
      from: now - away,
      to: now,
      sequence: this.#engine.sequence,
      text: isRestart
        ? `${hello.name} was restarted (process ${pids}), away ${lasted}.`
        : `The connection to ${hello.name} was lost ${lasted}. Its reports of that time are missing.`,
    });
    this.#hello = hello;
    this.#channel = channel;
    this.#since = now;
    this.#engine?.allowRest(false);
    this.#rows.forgetSnapshot();
    this.#reportProgram();
    this.#changed();
  }

  /** Marks the program as disconnected, if this is its present channel. */
  disconnect(channel: ProgramChannel): void {
    if (this.#channel !== channel) return;
    this.#channel = undefined;
    this.#since = Date.now();
    if (this.#closed) return;
    this.#engine?.apply(this.#controllers.markAway());
    this.#reportProgram();
    this.#engine?.allowRest(true);
    this.#changed();
  }

  /** Handles one message after the hello. A refusal is sent to the program and ends it. */
  take(message: FromProgram, bytes: number): ProgramRefusal | undefined {
    const engine = this.#engine;
    if (engine === undefined || message.type === 'hello')
      return {code: 'bad-message', message: 'hello must be the first message, and only once', retry: false};
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
          this.#sendCounted(engine, () => engine.applyReported(changes, told), bytes);
        return this.#limitRefusal();
      }
      case 'snapshot':
        for (const {changes, told} of this.#rows.snapshot(message, bytes))
          this.#sendCounted(engine, () => engine.applyReported(changes, told), bytes / 4);
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
          text: `${this.#hello.name}: ${text}; ${dropped} messages were dropped, and everything was sent again`,
        });
        return undefined;
      }
      case 'hello':
        return undefined;
      default:
        if (message.type === 'facts') this.#telemetry?.takeFacts(this.#hello.name, message.facts);
        this.#sendCounted(engine, () => engine.apply(this.#controllers.take(message)), bytes);
        return undefined;
    }
  }

  /** Refuses names that were not announced, and names that krtscope uses itself. */
  #check(message: FromProgram): ProgramRefusal | undefined {
    const bad = (text: string): ProgramRefusal => ({code: 'bad-message', message: text, retry: true});
    if (message.type === 'collections') {
      const own = message.collections.find(({name}) => name.startsWith('krtscope:'));
      if (own !== undefined) return bad(`"${own.name}" is reserved for krtscope; rename the collection`);
      const names = new Set(message.collections.map(({name}) => name));
      return names.size === message.collections.length
        ? undefined
        : bad('two collections have the same name');
    }
    const mentioned =
      message.type === 'batch'
        ? [...message.changes, ...message.runs].map(({collection}) => collection)
        : message.type === 'snapshot'
          ? [...message.items.map(([collection]) => collection), ...message.inputs.map(one => one.collection)]
          : [];
    const unknown = mentioned.find(name => !this.#collectionNames.has(name));
    if (unknown === undefined) return undefined;
    return bad(`a ${message.type} names the collection "${unknown}", which "collections" did not announce`);
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
      this.#sendCounted(engine, () => engine.apply(changes), 0);
    const row = {key: 'graph', collections};
    this.#sendCounted(
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

  #sendCounted(engine: EngineHandle, send: () => void, bytes: number): void {
    const unsettled = engine.unsettled;
    send();
    if (engine.unsettled > unsettled) this.#weights.push(bytes);
  }

  /** Pauses a program that reports more than the engine can handle, so that memory stays bounded. */
  #applyBackpressure(engine: EngineHandle): void {
    if (this.#timer !== undefined || !this.#isBehind(engine)) return;
    this.#channel?.pause();
    const check = (): void => {
      this.#timer = undefined;
      if (this.#isBehind(engine) && !this.#closed) this.#timer = setTimeout(check, CHECK_MS);
      else this.#channel?.resume();
    };
    this.#timer = setTimeout(check, CHECK_MS);
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

// The engine process as the rest of main sees it: starts it, feeds it, keeps what must outlive it, and brings it
// back when it dies. Never runs a formula and never decodes a record.
import {randomUUID} from 'node:crypto';
import type {Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Gap, Kept} from '@krtscope/shared/timeline.ts';
import {type Command, type CommandAnswer, type CommandName, type Culprit, ruleOf} from '../link/commands.ts';
import {
  type Engine,
  EngineFailure,
  type EngineState,
  type RecordedSession,
  restarting,
  type SourceChange,
  type SourceFresh,
  type SourceReport,
  type UpdateWithoutId,
} from '../link/link.ts';
import type {FromHost, ToHost} from '../link/messages.ts';
import {unpack} from '../link/packing.ts';
import type {ToldBatch, ToldChange} from '../link/told.ts';
import {Announced} from './announced.ts';
import {Blocks} from './blocks.ts';
import {Life} from './life.ts';
import {Objects} from './objects.ts';
import type {EngineOptions, OpenOptions} from './options.ts';
import {Requests} from './requests.ts';
import {Restoring, readsPast} from './restoring.ts';
import {Spare} from './spare.ts';
import {Standing} from './standing.ts';

/** An engine that was opened from a file, with what the file says of itself. */
export interface OpenedEngine extends Engine {
  readonly redacted: boolean;
  readonly session: RecordedSession;
}

export function startEngine(options: EngineOptions): Engine {
  return new Supervisor(options);
}

/** No cluster: the state and the history of a `.krtrec`. Rejects with an EngineFailure that says what is wrong with the file. */
export async function openRecording(bytes: Uint8Array, options: OpenOptions): Promise<OpenedEngine> {
  const engine = new Supervisor(
    {...options, historyRuns: 0, historyMb: 0, redacted: true, sources: []},
    Uint8Array.from(bytes),
  );
  try {
    await engine.opened;
  } catch (error) {
    await engine.stop();
    throw error;
  }
  return engine;
}

const SILENCE_MS = 20_000;
/** Twice the patience so many times at most: a formula that never ends must not look like one that takes long for ever. */
const MOST_PATIENT = 4;
/** Messages under way to the engine process; the rest waits in Objects, where it costs no second copy. */
const WINDOW = 4;
/** Reading a full recording back takes a second: pages that wait for the present come first. */
const RESTORE_MS = 250;
/** What an object takes in a new engine process, with everything that is made from it and its first runs. */
const OBJECT_KB = 24;
/** How often a process that waits takes in a sample of the objects. */
const LESSONS = 3;
const SPARE_MS = 10_000;
/** A life shorter than this counts as another failure in a row. */
const HEALTHY_MS = 10_000;

class Supervisor implements OpenedEngine {
  readonly opened: Promise<void>;
  readonly #options: EngineOptions;
  readonly #file: Uint8Array | undefined;
  readonly #objects = new Objects();
  readonly #blocks = new Blocks();
  readonly #requests = new Requests();
  readonly #standing = new Standing();
  readonly #listeners = new Set<(state: EngineState) => void>();
  readonly #quarantines = new Set<(culprit: Culprit, message: string) => void>();
  readonly #gaps: Gap[] = [];
  readonly #fresh = new Map<string, SourceFresh>();
  #opening: {resolve(): void; reject(failure: EngineFailure): void} | undefined;
  #life: Life;
  #state: EngineState = 'starting';
  #sequence: number;
  #kept: Kept;
  #recording: string;
  #redacted: boolean;
  #session: RecordedSession;
  #born = 0;
  #failures = 0;
  #underway: number[] = [];
  #death: {at: number; reason: string} | undefined;
  /** How the last process ended. */
  #last = {reason: '', slow: false, innocent: false};
  /** How often in a row one was ended for taking long: the next gets twice the time. */
  #slowness = 0;
  #retry: NodeJS.Timeout | undefined;
  #readers = 0;
  readonly #restoring = new Restoring();
  readonly #announced = new Announced(
    () => this.#life.pid,
    ({name}) => this.#life.kill(`the formula ${name} did not come to an end within a second`),
  );
  readonly #spare: Spare;
  #stopped = false;

  constructor(options: EngineOptions, file?: Uint8Array) {
    this.#options = options;
    this.#file = file;
    this.#spare = new Spare({
      afterMs: options.spareMs ?? SPARE_MS,
      fork: () => this.#fork(true),
      lessons: () => (options.graph === undefined && !options.told ? this.#objects.samples(LESSONS) : []),
    });
    this.#recording = options.recording ?? randomUUID();
    this.#sequence = options.firstSequence ?? 0;
    this.#redacted = options.redacted;
    this.#session = {name: options.name};
    const {historyRuns: runs, historyMb: megabytes} = options;
    const newest = this.#sequence;
    this.#kept = {runs: 0, bytes: 0, oldest: newest, newest, since: Date.now(), limits: {runs, megabytes}};
    this.opened = new Promise((resolve, reject) => {
      this.#opening = {resolve, reject};
    });
    // Only openRecording awaits it; a failure elsewhere must not end main.
    this.opened.catch(() => {});
    this.#life = this.#start();
  }

  get recording(): string {
    return this.#recording;
  }
  get state(): EngineState {
    return this.#state;
  }
  get sequence(): number {
    return this.#sequence;
  }
  get kept(): Kept {
    return this.#kept;
  }
  get gaps(): readonly Gap[] {
    return this.#gaps;
  }
  get redacted(): boolean {
    return this.#redacted;
  }
  get session(): RecordedSession {
    return this.#session;
  }
  /** The process that lives now: tests end it to see the next one come. */
  get pid(): number {
    return this.#life.pid;
  }
  /** The process that waits to take over, if there is one. */
  get sparePid(): number | undefined {
    return this.#spare.pid;
  }

  onState(listener: (state: EngineState) => void): () => void {
    const own = (state: EngineState) => listener(state);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  onQuarantine(listener: (culprit: Culprit, message: string) => void): () => void {
    this.#quarantines.add(listener);
    return () => this.#quarantines.delete(listener);
  }

  async ask(question: Question): Promise<unknown> {
    if (readsPast(question)) await this.#restoring.done;
    return this.#request(id => ({type: 'ask', id, question}));
  }

  subscribe(
    question: Question,
    on: (update: UpdateWithoutId, sequence: number) => void,
    onFailure: (failure: ApiFailure) => void,
  ): () => void {
    const id = this.#requests.subscribe({question, on, onFailure});
    if (this.#state !== 'restarting') this.#send({type: 'subscribe', id, question});
    return () => {
      if (this.#requests.unsubscribe(id)) this.#send({type: 'unsubscribe', id});
    };
  }

  apply(changes: SourceChange[]): void {
    if (changes.length === 0) return;
    const {size} = this.#objects.aside;
    this.#objects.add({changes});
    if (size !== this.#objects.aside.size) this.#tellAside();
    this.#feed();
  }

  tell(changes: ToldChange[], told: ToldBatch): void {
    this.#objects.add({changes, told});
    this.#feed();
  }

  get unsettled(): number {
    return this.#objects.pending;
  }

  sourceState(collection: string, report: SourceReport): void {
    // In its place among the changes: "synced" must not overtake the objects it speaks of.
    this.#objects.add({source: collection, report});
    this.#feed();
  }

  freshen(sources: readonly SourceFresh[]): void {
    for (const fresh of sources) this.#fresh.set(fresh.collection, fresh);
    this.#send({type: 'fresh', sources: [...sources]});
  }

  gap(gap: Gap): void {
    this.#gaps.push(gap);
    this.#send({type: 'gap', gap});
  }

  command<N extends CommandName>(command: Extract<Command, {command: N}>): Promise<CommandAnswer<N>> {
    if (this.#stopped) return Promise.reject(closed());
    const {message, answer} = this.#standing.tell(command);
    const {forgets} = ruleOf(command);
    if (forgets !== undefined) this.#objects.forget(forgets);
    // Also to one that still takes its objects in: it has been told what stood, and would never hear of this.
    this.#life.send(message);
    return answer as Promise<CommandAnswer<N>>;
  }

  async *krtz(indent = 0): AsyncGenerator<string> {
    this.#readers += 1;
    const reader = this.#readers;
    try {
      for (let pieces = 0; ; pieces++) {
        const text = (await this.#request(id => ({type: 'read', id, reader, pieces, indent}))) as
          | string
          | null;
        if (text === null) return;
        yield text;
      }
    } finally {
      this.#send({type: 'read-end', reader});
    }
  }

  async export(session: RecordedSession = this.#session): Promise<Uint8Array> {
    await this.#restoring.done;
    return (await this.#request(id => ({type: 'export', id, session}))) as Uint8Array;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#announced.stop();
    this.#restoring.end();
    this.#requests.failAll(closed());
    this.#standing.failAll(closed());
    await Promise.all([this.#life.stop(), this.#spare.stop()]);
  }

  #start(): Life {
    this.#born = Date.now();
    this.#underway = [];
    const {reason} = this.#last;
    for (const {collection, key} of this.#objects.rewind(this.#last)) {
      const text = `${collection}/${key} was set aside: the engine process died of it twice (${reason}); its next change is tried again.`;
      this.#gaps.push({kind: 'engine', from: this.#born, to: this.#born, sequence: this.#sequence, text});
      this.#options.log?.('an object was set aside', {session: this.#options.name, collection, key});
    }
    const replays = this.#death !== undefined;
    const life = this.#spare.take() ?? this.#fork(replays);
    if (this.#file !== undefined) {
      // Unpacking holds it twice, reading it as objects once more; buffers are outside the heap's limit.
      const unpackedMb = Math.ceil(this.#options.memoryMb / 4);
      life.send({type: 'open', bytes: this.#file, unpackedMb});
      return life;
    }
    const {name, historyRuns, historyMb, redacted, sources, graph, told} = this.#options;
    life.send({
      type: 'start',
      options: {
        name,
        recording: this.#recording,
        firstSequence: this.#sequence,
        historyRuns,
        historyMb,
        redacted,
        sources,
        resumes: replays,
        ...(graph === undefined ? {} : {graph}),
        ...(told === undefined ? {} : {told}),
      },
    });
    for (const message of this.#standing.messages()) life.send(message);
    // Written while the process still starts: it reads all of it in order once it is up.
    if (replays) life.sendInTurns(this.#replay(), () => life === this.#life && !this.#stopped);
    return life;
  }

  #fork(replays: boolean): Life {
    const life: Life = new Life({
      memoryMb: this.#options.memoryMb,
      ...(replays ? {heldMb: Math.ceil((this.#objects.size * OBJECT_KB) / 1024)} : {}),
      silenceMs: (this.#options.silenceMs ?? SILENCE_MS) * 2 ** this.#slowness,
      onMessage: message => {
        if (life === this.#life) this.#take(message);
      },
      onEnd: (reason, slow) => {
        if (!this.#spare.lost(life)) this.#ended(reason, slow);
      },
    });
    return life;
  }

  *#replay(): Iterable<ToHost> {
    for (const chunk of this.#objects.chunks()) yield {type: 'replay', objects: JSON.stringify(chunk)};
    yield {type: 'replay-end', reports: this.#objects.reports(), rows: this.#blocks.rows};
  }

  #take(message: FromHost): void {
    if ('sequence' in message) this.#sequence = Math.max(this.#sequence, message.sequence);
    if (this.#requests.take(message)) return;
    if (this.#standing.take(message, (command, failure) => this.#unobeyed(command, failure))) return;
    switch (message.type) {
      case 'started':
        if (this.#death === undefined) this.#ready();
        return;
      case 'settled':
        if (message.kept !== undefined) this.#kept = message.kept;
        this.#blocks.keep(unpack(message.blocks), message.drop);
        this.#blocks.keepRows(message.rows);
        if (message.lives !== undefined) this.#blocks.lives = message.lives;
        this.#objects.settle(message.through);
        this.#underway = this.#underway.filter(id => id > message.through);
        this.#feed();
        return;
      case 'running':
        this.#announced.note({name: message.formula, hash: message.hash});
        return;
      case 'rested':
        this.#announced.rest();
        return;
      case 'replayed':
        this.#replayed();
        return;
      case 'restored':
        this.#restoring.end();
        return;
      case 'opened':
        this.#recording = message.recording;
        this.#redacted = message.redacted;
        this.#kept = message.kept;
        this.#session = message.session;
        this.#gaps.splice(0, this.#gaps.length, ...message.gaps);
        if (this.#death !== undefined)
          for (const again of this.#requests.subscriptions()) this.#life.send(again);
        this.#death = undefined;
        this.#ready();
        this.#opening?.resolve();
        return;
      case 'refused':
        this.#opening?.reject(
          new EngineFailure({
            code: 'bad-query',
            message: message.message,
            hint: 'take a .krtrec that this version of krtscope wrote: GET /api/v1/recording, or Export in the Timeline',
          }),
        );
        return;
      case 'broken':
        this.#options.log?.('the engine process reports an error', {
          session: this.#options.name,
          error: message.message,
        });
        return;
      default:
        return;
    }
  }

  #tellAside(): void {
    const aside = [...this.#objects.aside.values()].map(({change: {collection, key}, reason}) => ({
      collection,
      key,
      reason,
    }));
    this.#send({type: 'aside', aside});
  }

  #unobeyed({command}: Command, {message}: ApiFailure): void {
    this.#options.log?.('a command that stood is refused by the new engine process', {
      session: this.#options.name,
      command,
      message,
    });
  }

  #ready(): void {
    this.#become('ready');
    this.#send({type: 'fresh', sources: [...this.#fresh.values()]});
    this.#tellAside();
    this.#feed();
  }

  /** What the last process had settled is in, as one batch: the state is the one its records end with. */
  #replayed(): void {
    const death = this.#death;
    this.#death = undefined;
    if (death === undefined) return;
    const now = Date.now();
    const took = now - death.at;
    this.#gaps.push({
      kind: 'engine',
      from: death.at,
      to: now,
      sequence: this.#sequence,
      text: `The engine process was away for ${took} ms: ${death.reason}. ${this.#objects.size} objects were taken in again.`,
    });
    for (const message of this.#requests.subscriptions()) this.#life.send(message);
    this.#restoring.begin();
    this.#become('ready');
    this.#send({type: 'fresh', sources: [...this.#fresh.values()]});
    this.#tellAside();
    this.#feed();
    const life = this.#life;
    this.#retry = setTimeout(() => this.#giveBack(life), RESTORE_MS);
    this.#options.log?.('the engine process is back', {session: this.#options.name, milliseconds: took});
  }

  #giveBack(life: Life): void {
    if (life !== this.#life || this.#stopped) return;
    for (const blocks of this.#blocks.chunks()) life.send({type: 'restore', blocks});
    const {lives} = this.#blocks;
    life.send({type: 'restore-end', gaps: [...this.#gaps], oldest: this.#kept.oldest, lives});
  }

  #ended(reason: string, slow: boolean): void {
    if (this.#stopped) return;
    this.#slowness = slow ? Math.min(MOST_PATIENT, this.#slowness + 1) : 0;
    clearTimeout(this.#retry);
    const now = Date.now();
    const culprit = this.#announced.take();
    this.#last = {reason, slow, innocent: culprit !== undefined};
    this.#death ??= {at: now, reason: culprit === undefined ? reason : quarantineWords(culprit, reason)};
    this.#become('restarting');
    if (culprit !== undefined) this.#quarantine(culprit, reason);
    else {
      this.#failures = now - this.#born > HEALTHY_MS ? 0 : this.#failures + 1;
      this.#standing.died();
    }
    // Who waited for the past is told like everybody else that the process is away.
    this.#restoring.end();
    this.#requests.failAll(restarting());
    this.#opening?.reject(
      new EngineFailure({
        code: 'internal',
        message: `the engine process ended: ${reason}`,
        hint: 'try again',
      }),
    );
    // At once the first time; a process that dies again and again must not take the machine with it.
    const delay = this.#failures <= 1 ? 0 : Math.min(5000, 250 * 2 ** (this.#failures - 2));
    this.#options.log?.('the engine process ended and is started again', {
      session: this.#options.name,
      reason,
      delay,
    });
    this.#retry = setTimeout(() => {
      if (!this.#stopped) this.#life = this.#start();
    }, delay);
  }

  /** One death is enough: what it does to the next process is known. */
  #quarantine(culprit: Culprit, reason: string): void {
    const message = quarantineWords(culprit, reason);
    this.#standing.quarantine(culprit, {message});
    for (const listener of [...this.#quarantines]) listener(culprit, message);
  }

  #feed(): void {
    if (this.#state === 'restarting' || this.#death !== undefined) return;
    while (this.#underway.length < WINDOW) {
      const next = this.#objects.take();
      if (next === undefined) return;
      this.#underway.push(next.through);
      this.#life.send({type: 'apply', through: next.through, entries: JSON.stringify(next.entries)});
    }
  }

  #request(message: (id: number) => ToHost): Promise<unknown> {
    if (this.#state === 'restarting' || this.#stopped) return Promise.reject(restarting());
    return this.#requests.ask(sent => this.#life.send(sent), message);
  }

  #send(message: ToHost): void {
    if (this.#state !== 'restarting') this.#life.send(message);
  }

  #become(state: EngineState): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === 'ready' && this.#file === undefined && !this.#stopped) this.#spare.prepare();
    for (const listener of [...this.#listeners]) listener(state);
  }
}

function quarantineWords({name}: Culprit, reason: string): string {
  const said = reason.includes(name) ? reason : `the engine process ended while ${name} ran: ${reason}`;
  return `${said}; it is quarantined until its code is changed`;
}

function closed(): EngineFailure {
  return new EngineFailure({
    code: 'engine-restarting',
    message: 'the session has been closed',
    hint: 'open it again from Connect',
  });
}

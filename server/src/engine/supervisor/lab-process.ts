// The lab process as main sees it. Drafts run there one after the other. A draft that hangs or kills the process gets
// an error, and no other part of krtscope is affected.
import type {ChildProcess} from 'node:child_process';
import {EngineFailure} from '../link/engine-link.ts';
import type {
  FromLab,
  LabDraft,
  LabDraftResult,
  LabModuleResult,
  ModuleDraft,
  ToLab,
} from '../link/lab-messages.ts';
import {cpuTimeOf} from './cpu-time.ts';
import {forkHost, labEntry} from './fork.ts';
import {sendTo} from './send-to.ts';
import {Watchdog} from './watchdog.ts';

/** A draft ended its process. `input` is the row that ran, if it is known. */
export class DraftStopped extends Error {
  override readonly name = 'DraftStopped';
  readonly input: string | undefined;
  readonly more: number;

  constructor(reason: string, input: string | undefined, more: number) {
    super(reason);
    this.input = input;
    this.more = more;
  }
}

/** Provides the rows of a collection that a draft names. */
export interface LabRowSource {
  /** Calls `give` until the lab's copy is current. `since` is the result of the last call. */
  bring(
    collection: string,
    since: string | undefined,
    give: (rows: Omit<Extract<ToLab, {type: 'rows'}>, 'type' | 'collection'>) => void,
  ): Promise<string>;
}

const MEMORY_MB = 1024;
/** CPU time without a message until a draft is ended. It includes loading a first draft's code. */
const PATIENCE_MS = 800;
/** The same limit in elapsed time. */
const WALL_CLOCK_LIMIT_MS = 5000;
/** Time without a message during the start or while it takes in rows. */
const SILENCE_MS = 60_000;
const MAX_QUEUE = 32;
/** Collections that so many drafts did not name are dropped. */
const IDLE = 20;

interface RunningLabDraft {
  readonly id: number;
  /** Takes the lab's answer as JSON. */
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
  input: string | undefined;
  more: number;
}

export class LabProcess {
  readonly #source: LabRowSource;
  readonly #silenceMs: number;
  #child: ChildProcess | undefined;
  #ready: Promise<void> = Promise.resolve();
  #watchdog: Watchdog | undefined;
  #copies = new Map<string, {since: string; used: number}>();
  #running: RunningLabDraft | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #ids = 0;
  #reason = '';
  #stopped = false;

  constructor(source: LabRowSource, {silenceMs = SILENCE_MS}: {silenceMs?: number} = {}) {
    this.#source = source;
    this.#silenceMs = silenceMs;
  }

  /** The process that drafts run in, for tests. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Rejects with DraftStopped, or with EngineFailure if the draft cannot be tried. `names` are the collections that
   * it reads.
   */
  async try(draft: LabDraft, names: readonly string[]): Promise<LabDraftResult> {
    return JSON.parse(await this.#inTurn(names, id => ({type: 'try', id, draft}))) as LabDraftResult;
  }

  /** Like `try`, for a module: builds it and runs all its collections. */
  async tryModule(module: ModuleDraft): Promise<LabModuleResult> {
    const message = (id: number): ToLab => ({type: 'try-module', id, module});
    return JSON.parse(await this.#inTurn(module.brought, message)) as LabModuleResult;
  }

  #inTurn(names: readonly string[], message: (id: number) => ToLab): Promise<string> {
    if (this.#waiting >= MAX_QUEUE) {
      return Promise.reject(
        new EngineFailure({
          code: 'too-many',
          message: 'too many drafts are waiting',
          hint: 'try again in a second',
        }),
      );
    }
    this.#waiting += 1;
    const turn = this.#queue.then(() => this.#try(names, message));
    this.#queue = turn.then(
      () => {},
      () => {},
    );
    return turn.finally(() => {
      this.#waiting -= 1;
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const child = this.#child;
    if (child === undefined) return;
    const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
    child.kill('SIGKILL');
    await exited;
  }

  async #try(names: readonly string[], message: (id: number) => ToLab): Promise<string> {
    if (this.#stopped)
      throw new EngineFailure({code: 'internal', message: 'the session is closed', hint: 'open it again'});
    if (this.#child === undefined) this.#start();
    await this.#ready;
    await this.#bring(names);
    return await new Promise<string>((resolve, reject) => {
      this.#ids += 1;
      this.#running = {id: this.#ids, resolve, reject, timer: undefined, input: undefined, more: 0};
      this.#arm();
      this.#send(message(this.#ids));
    });
  }

  async #bring(names: readonly string[]): Promise<void> {
    const now = this.#ids;
    const child = this.#child;
    for (const name of names) {
      const since = this.#copies.get(name)?.since;
      const newer = await this.#source.bring(name, since, rows => {
        if (child === this.#child) this.#send({type: 'rows', collection: name, ...rows});
      });
      // The process has changed in the meantime. Its answer never comes, and later drafts must not wait for it.
      if (child !== this.#child) throw createRowsFailure(name);
      this.#copies.set(name, {since: newer, used: now});
    }
    for (const [name, {used}] of this.#copies) {
      if (used >= now - IDLE) continue;
      this.#copies.delete(name);
      this.#send({type: 'drop', collection: name});
    }
  }

  #start(): void {
    const child = forkHost({memoryMb: MEMORY_MB, entry: labEntry});
    this.#child = child;
    this.#reason = '';
    this.#copies = new Map();
    this.#watchdog = new Watchdog({
      pid: child.pid ?? 0,
      limitMb: MEMORY_MB + 512,
      silenceMs: this.#silenceMs,
      // The lab sends nothing on its own. Without a ping, its silence means nothing, and the next draft must not be
      // blamed.
      ping: () => {
        if (this.#waiting === 0) this.#watchdog?.noteMessage();
      },
      onTrouble: reason => this.#end(reason),
    });
    this.#ready = new Promise((resolve, reject) => {
      child.on('message', message => {
        const fromLab = message as FromLab;
        if (child !== this.#child) return;
        this.#watchdog?.noteMessage();
        if (fromLab.type === 'ready') resolve();
        else this.#take(fromLab);
      });
      child.on('exit', (code, signal) => {
        reject(new Error('the lab process did not start'));
        this.#lost(child, code, signal);
      });
      child.on('error', ({message}) => {
        reject(
          new EngineFailure({
            code: 'internal',
            message: `the lab process could not be started: ${message}`,
            hint: 'free some memory and try again',
          }),
        );
        // A process that failed to start has no exit event either. The next draft starts another.
        if (child.pid === undefined) this.#lost(child, null, null);
      });
    });
    this.#ready.catch(() => {});
    child.stderr?.resume();
  }

  #take(message: Exclude<FromLab, {type: 'ready'}>): void {
    const running = this.#running;
    if (running === undefined || running.id !== message.id) return;
    if (message.type === 'running') {
      running.input = message.input;
      running.more = message.more;
      this.#arm();
      return;
    }
    clearTimeout(running.timer);
    this.#running = undefined;
    if (message.type === 'tried') running.resolve(message.answer);
    else running.reject(new DraftStopped(message.message, undefined, 0));
  }

  #arm(): void {
    const running = this.#running;
    if (running === undefined) return;
    clearTimeout(running.timer);
    const since = performance.now();
    const worked = cpuTimeOf(this.#child?.pid ?? 0);
    const look = () => {
      const now = cpuTimeOf(this.#child?.pid ?? 0);
      const hasWorked = now === undefined || worked === undefined ? PATIENCE_MS : now - worked;
      // The process waited for its turn on a busy machine. That is not the draft's fault.
      if (hasWorked < PATIENCE_MS / 2 && performance.now() - since < WALL_CLOCK_LIMIT_MS) {
        running.timer = setTimeout(look, PATIENCE_MS / 4);
        return;
      }
      this.#end(`it did not end within ${PATIENCE_MS / 1000} s and was stopped`);
    };
    running.timer = setTimeout(look, PATIENCE_MS);
  }

  #end(reason: string): void {
    this.#reason = reason;
    this.#child?.kill('SIGKILL');
  }

  #lost(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (child !== this.#child) return;
    this.#watchdog?.stop();
    this.#child = undefined;
    this.#copies = new Map();
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    running?.reject(
      new DraftStopped(this.#reason || exitReasonOf(code, signal), running.input, running.more),
    );
    // Start at once, so that the next draft finds a ready process.
    if (running !== undefined && !this.#stopped) this.#start();
  }

  #send(message: ToLab): void {
    if (this.#child !== undefined) sendTo(this.#child, message);
  }
}

function createRowsFailure(collection: string): EngineFailure {
  return new EngineFailure({
    code: 'internal',
    message: `the lab process ended while it took in the rows of ${collection}`,
    hint: `try again; if it fails each time, the rows exceed its limit of ${MEMORY_MB} MB`,
  });
}

/** V8 aborts a process that exceeds its heap limit. */
function exitReasonOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL')
    return `the formula ran out of memory (limit ${MEMORY_MB} MB) and was stopped`;
  return `its process ended (${signal ?? `exit code ${code}`})`;
}

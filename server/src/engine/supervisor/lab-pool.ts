// Two lab processes with one queue, so that a draft that hangs does not hold up the next one. The first process takes the
// oldest draft and the second one the newest, so that many drafts that hang do not hold it up either.
// A tab's newest draft replaces its own older one in the queue.
import {EngineFailure} from '../link/engine-link.ts';
import type {LabDraft, LabDraftResult, LabModuleResult, ModuleDraft} from '../link/lab-messages.ts';
import {DraftStopped, LabProcess, type LabRowSource} from './lab-process.ts';

const SIZE = 2;
const MAX_QUEUE = 32;
/** Stopped drafts that are remembered. */
const MAX_STOPPED = 200;

export interface TrialOptions {
  /** The browser tab of the draft. */
  readonly tab?: string;
  /** Aborts when the client leaves. A draft that still waits is then dropped. */
  readonly signal?: AbortSignal;
}

interface PendingTrial {
  readonly tab: string | undefined;
  /** Whether an equal draft was stopped before. Such drafts wait until the others are done. */
  readonly suspect: boolean;
  readonly run: (lab: LabProcess) => Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The rows that a stopped draft was tried on. */
export type StoppedDraft = Pick<LabDraft, 'keys' | 'limit'>;

export class LabPool {
  readonly #idle: LabProcess[];
  readonly #labs: readonly LabProcess[];
  readonly #stopped = new Map<string, StoppedDraft>();
  readonly #runningTabs = new Set<string>();
  #queue: PendingTrial[] = [];

  constructor(source: LabRowSource) {
    this.#labs = Array.from({length: SIZE}, () => new LabProcess(source));
    this.#idle = [...this.#labs];
  }

  /**
   * Rejects with DraftStopped, or with EngineFailure if the draft cannot be tried. `names` are the collections that
   * it reads.
   */
  async try(draft: LabDraft, names: readonly string[], options: TrialOptions = {}): Promise<LabDraftResult> {
    const id = stoppedId(draft);
    try {
      const run = (lab: LabProcess) => lab.try(draft, names);
      return (await this.#inTurn(run, options, this.#stopped.has(id))) as LabDraftResult;
    } catch (error) {
      if (error instanceof DraftStopped) this.#recordStop(id, draft);
      throw error;
    }
  }

  /** Like `try`, for a module: builds it and runs all its collections. */
  async tryModule(module: ModuleDraft): Promise<LabModuleResult> {
    return (await this.#inTurn(lab => lab.tryModule(module), {}, false)) as LabModuleResult;
  }

  /** The rows on which an equal draft was stopped, if it was. */
  stoppedDraft(draft: LabDraft): StoppedDraft | undefined {
    return this.#stopped.get(stoppedId(draft));
  }

  async stop(): Promise<void> {
    for (const trial of this.#queue.splice(0)) trial.reject(closedFailure());
    await Promise.all(this.#labs.map(lab => lab.stop()));
  }

  #inTurn(run: PendingTrial['run'], {tab, signal}: TrialOptions, suspect: boolean): Promise<unknown> {
    if (tab !== undefined) this.#dropQueued(trial => trial.tab === tab);
    if (this.#queue.length >= MAX_QUEUE) {
      return Promise.reject(
        new EngineFailure({
          code: 'too-many',
          message: 'too many drafts are waiting',
          hint: 'try again in a second',
        }),
      );
    }
    return new Promise((resolve, reject) => {
      const trial: PendingTrial = {tab, suspect, run, resolve, reject};
      this.#queue.push(trial);
      signal?.addEventListener('abort', () => this.#dropQueued(one => one === trial), {once: true});
      this.#runNext();
    });
  }

  #dropQueued(isDropped: (trial: PendingTrial) => boolean): void {
    const dropped = this.#queue.filter(isDropped);
    this.#queue = this.#queue.filter(trial => !dropped.includes(trial));
    for (const trial of dropped) trial.reject(replacedFailure());
  }

  /** Prefers the first process, which has the rows of earlier drafts, and tabs that have nothing running. */
  #runNext(): void {
    const lab = this.#idle[0];
    const queue = lab === this.#labs[0] ? this.#queue : this.#queue.toReversed();
    const trial =
      queue.find(({tab, suspect}) => !suspect && !(tab !== undefined && this.#runningTabs.has(tab))) ??
      queue.find(({suspect}) => !suspect) ??
      queue[0];
    if (lab === undefined || trial === undefined) return;
    this.#idle.shift();
    this.#queue = this.#queue.filter(one => one !== trial);
    if (trial.tab !== undefined) this.#runningTabs.add(trial.tab);
    void trial
      .run(lab)
      .then(trial.resolve, trial.reject)
      .finally(() => {
        if (trial.tab !== undefined) this.#runningTabs.delete(trial.tab);
        if (lab === this.#labs[0]) this.#idle.unshift(lab);
        else this.#idle.push(lab);
        this.#runNext();
      });
    this.#runNext();
  }

  #recordStop(id: string, {keys, limit}: LabDraft): void {
    this.#stopped.delete(id);
    this.#stopped.set(id, {keys, limit});
    const [oldest] = this.#stopped.keys();
    if (this.#stopped.size > MAX_STOPPED && oldest !== undefined) this.#stopped.delete(oldest);
  }
}

/** The hash of code, kind and input. */
const stoppedId = ({compiled}: LabDraft) => (compiled as {hash?: string}).hash ?? '';

const replacedFailure = () =>
  new EngineFailure({
    code: 'out-of-date',
    message: 'a newer draft of this tab replaced this one',
    hint: 'wait for the answer to the newer draft',
  });

const closedFailure = () =>
  new EngineFailure({code: 'internal', message: 'the session is closed', hint: 'open it again'});

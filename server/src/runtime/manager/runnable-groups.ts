// The groups of a manager: which runnable goes where, in which order they start and in which they stop.

import {isCacheRunnable, isServerRunnable, type Runnable, type RunnableFunction} from './runnable.ts';
import {RunnableGroup} from './runnable-group.ts';

export class RunnableGroups {
  readonly #http: RunnableGroup;
  readonly #webhooks: RunnableGroup;
  readonly #caches: RunnableGroup;
  readonly #others: RunnableGroup;
  readonly #warmup: RunnableGroup;
  readonly #leader: RunnableGroup;
  #stopping = false;

  /** `onError` hears of every runnable that fails. */
  constructor(onError: (error: unknown) => void) {
    const group = (name: string) => new RunnableGroup(name, onError);
    this.#http = group('HTTPServers');
    this.#webhooks = group('Webhooks');
    this.#caches = group('Caches');
    this.#others = group('Others');
    this.#warmup = group('Warmup');
    this.#leader = group('LeaderElection');
  }

  /** Puts a runnable where it belongs; it begins at once where that group has begun. */
  add(given: Runnable | RunnableFunction): void {
    if (this.#stopping) throw new Error("can't accept new runnable: the stop procedure is already engaged");
    const runnable: Runnable = typeof given === 'function' ? {start: given} : given;
    const plain = {runnable, ready: undefined};
    if (isServerRunnable(runnable)) {
      const member = {runnable, ready: () => runnable.ready()};
      if (runnable.serves === 'webhooks') this.#webhooks.add(member);
      else if (runnable.needLeaderElection?.()) this.#leader.add(plain);
      else this.#http.add(member);
      return;
    }
    if (isCacheRunnable(runnable)) {
      const ready = async (signal: AbortSignal) => void (await runnable.cache.waitForSync(signal));
      this.#caches.add({runnable, ready});
      return;
    }
    const {warmup} = runnable;
    if (warmup)
      this.#warmup.add({runnable: {start: signal => warmup.call(runnable, signal)}, ready: undefined});
    if (runnable.needLeaderElection?.() === false) this.#others.add(plain);
    else this.#leader.add(plain);
  }

  /**
   * All but the leader's, each when the one before is ready. Webhooks come before caches: a conversion must
   * answer before the kind can be listed. Probes come first: they answer while a long list is under way.
   */
  async start(signal: AbortSignal): Promise<void> {
    for (const group of [this.#http, this.#webhooks, this.#caches, this.#others, this.#warmup]) {
      if (signal.aborted) return;
      await group.start(signal);
    }
  }

  startLeader(signal: AbortSignal): Promise<void> {
    return this.#leader.start(signal);
  }

  /** Controllers end before the caches they read, servers last: probes answer to the end. */
  async stop(): Promise<void> {
    this.#stopping = true;
    // A manager that is not elected must not become leader now, however long the others take to end.
    this.#leader.prevent();
    const warmup = this.#warmup.stop();
    await this.#others.stop();
    await this.#leader.stop();
    await this.#caches.stop();
    await this.#webhooks.stop();
    await this.#http.stop();
    await warmup;
  }

  /** Tells every group to end and waits for none. */
  abandon(): void {
    this.#stopping = true;
    this.#leader.prevent();
    for (const group of [this.#others, this.#warmup, this.#leader, this.#caches, this.#webhooks, this.#http])
      void group.stop();
  }
}

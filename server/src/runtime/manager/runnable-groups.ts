// The groups of a manager, and their order at start and stop.

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

  /** `onError` receives the error of every failed runnable. */
  constructor(onError: (error: unknown) => void) {
    const group = (name: string) => new RunnableGroup(name, onError);
    this.#http = group('HTTPServers');
    this.#webhooks = group('Webhooks');
    this.#caches = group('Caches');
    this.#others = group('Others');
    this.#warmup = group('Warmup');
    this.#leader = group('LeaderElection');
  }

  /** Adds a runnable to its group. It starts at once if the group has started. */
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
   * Starts all groups except the leader's, each when the previous one is ready. Probes start first, because they must
   * answer during a long list. Webhooks start before caches, because a list may need a conversion.
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

  /** Stops controllers before their caches, and servers last, so that probes answer until the end. */
  async stop(): Promise<void> {
    this.#stopping = true;
    // During the shutdown this process must not become leader.
    this.#leader.prevent();
    const warmup = this.#warmup.stop();
    await this.#others.stop();
    await this.#leader.stop();
    await this.#caches.stop();
    await this.#webhooks.stop();
    await this.#http.stop();
    await warmup;
  }

  /** Stops every group without waiting. */
  abandon(): void {
    this.#stopping = true;
    this.#leader.prevent();
    for (const group of [this.#others, this.#warmup, this.#leader, this.#caches, this.#webhooks, this.#http])
      void group.stop();
  }
}

// A collection of the engine process as rows for a controller in main. Polls its changes twice a second.
import type {LabRowSource} from '../../engine/supervisor/lab-process.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {RowChange, Rows} from '../../runtime/controller/collection-source.ts';

const POLL_MS = 500;

export class EngineRows implements Rows<KubeObject> {
  readonly name: string;
  readonly #source: LabRowSource;
  readonly #rows = new Map<string, KubeObject>();
  readonly #handlers = new Set<(changes: RowChange<KubeObject>[]) => void>();
  readonly #synced = Promise.withResolvers<boolean>();
  #since: string | undefined;

  constructor(name: string, source: LabRowSource) {
    this.name = name;
    this.#source = source;
  }

  getKey(key: string): KubeObject | undefined {
    return this.#rows.get(key);
  }

  list(): KubeObject[] {
    return [...this.#rows.values()];
  }

  waitUntilSynced(stop?: AbortSignal): Promise<boolean> {
    const stopped = new Promise<boolean>(resolve =>
      stop?.addEventListener('abort', () => resolve(false), {once: true}),
    );
    return Promise.race([this.#synced.promise, stopped]);
  }

  registerBatch(handler: (changes: RowChange<KubeObject>[]) => void): {unregisterHandler(): void} {
    this.#handlers.add(handler);
    handler(Array.from(this.#rows, ([key, row]) => ({key, new: row})));
    return {unregisterHandler: () => this.#handlers.delete(handler)};
  }

  /** Polls until the signal aborts, also while the engine process is away. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#poll().catch(() => {});
      await new Promise<void>(resolve => {
        const timer = setTimeout(done, POLL_MS);
        function done() {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        }
        signal.addEventListener('abort', done, {once: true});
      });
    }
  }

  async #poll(): Promise<void> {
    /** Undefined means that the row was removed. */
    const changed = new Map<string, KubeObject | undefined>();
    let complete = false;
    let synced = false;
    const since = await this.#source.bring(this.name, this.#since, part => {
      if (part.reset) changed.clear();
      complete ||= part.reset;
      synced = part.synced;
      for (const [key, row] of JSON.parse(part.rows) as [string, KubeObject][]) changed.set(key, row);
      for (const key of part.gone) changed.set(key, undefined);
    });
    // An unsynced collection has no rows yet, or is empty because its formula must not run.
    // Taken as complete, it would delete the objects in the cluster. Ask again from the last position.
    if (!synced) return;
    this.#since = since;
    if (complete) for (const key of this.#rows.keys()) if (!changed.has(key)) changed.set(key, undefined);
    const changes = [...changed].flatMap(([key, row]) => this.#take(key, row));
    this.#synced.resolve(true);
    if (changes.length > 0) for (const handler of [...this.#handlers]) handler(changes);
  }

  #take(key: string, row: KubeObject | undefined): RowChange<KubeObject>[] {
    const old = this.#rows.get(key);
    if (row !== undefined) {
      this.#rows.set(key, row);
      return [{key, new: row, old}];
    }
    this.#rows.delete(key);
    return old === undefined ? [] : [{key, old}];
  }
}

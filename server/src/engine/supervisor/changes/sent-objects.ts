// Which version of an object the engine process holds once it has taken in everything that it was sent. A change of it can
// then be sent as a patch.
import type {SourceChange} from '../../link/engine-link.ts';

interface SentObject {
  /** The arrival that carried it. */
  readonly id: number;
  /** Undefined after a delete. */
  readonly object: unknown;
}

interface SentName {
  readonly id: number;
  readonly collection: string;
  readonly key: string;
}

export class SentObjects {
  readonly #settled: (collection: string, key: string) => unknown;
  /** Objects that were sent and not settled. */
  readonly #sent = new Map<string, Map<string, SentObject>>();
  #order: SentName[] = [];
  /** Objects of which the process may hold other content in the same version: it ignores a version that it has. */
  readonly #doubtful = new Map<string, Set<string>>();
  /** Collections of which nothing is known any more. */
  readonly #unknown = new Set<string>();

  /** `settled` finds an object that the process has settled. */
  constructor(settled: (collection: string, key: string) => unknown) {
    this.#settled = settled;
  }

  /** These changes are sent now. Adds the object that each one changes to `bases`, where a patch is safe. */
  note(id: number, changes: readonly SourceChange[], bases: Map<SourceChange, object>): void {
    for (const change of changes) {
      const {collection, key, event, new: object} = change;
      if (this.#unknown.has(collection)) continue;
      let sent = this.#sent.get(collection);
      if (sent === undefined) {
        sent = new Map();
        this.#sent.set(collection, sent);
      }
      const last = sent.get(key);
      const base = last === undefined ? this.#settled(collection, key) : last.object;
      if (base !== undefined && event !== 'delete' && this.#isSafe(change, base))
        bases.set(change, base as object);
      sent.set(key, {id, object: event === 'delete' ? undefined : object});
      this.#order.push({id, collection, key});
    }
  }

  #isSafe({collection, key, new: object}: SourceChange, base: unknown): boolean {
    const before = versionOf(base);
    const version = versionOf(object);
    const isDoubtful = this.#doubtful.get(collection)?.delete(key) === true;
    if (before === undefined || version === undefined || before.uid !== version.uid) return false;
    if (before.resourceVersion !== version.resourceVersion) return !isDoubtful;
    const doubtful = this.#doubtful.get(collection) ?? new Set();
    this.#doubtful.set(collection, doubtful.add(key));
    return false;
  }

  settle(through: number): void {
    let done = 0;
    for (const {id, collection, key} of this.#order) {
      if (id > through) break;
      const sent = this.#sent.get(collection);
      if (sent?.get(key)?.id === id) sent.delete(key);
      done += 1;
    }
    if (done > 0) this.#order = this.#order.slice(done);
  }

  /** A new process gets the settled objects. */
  clear(): void {
    this.#sent.clear();
    this.#doubtful.clear();
    this.#unknown.clear();
    this.#order = [];
  }

  /** The source is being dropped. If it stays after all, its objects are sent whole. */
  forget(collection: string): void {
    this.#sent.delete(collection);
    this.#doubtful.delete(collection);
    this.#unknown.add(collection);
  }
}

interface Version {
  readonly uid: unknown;
  readonly resourceVersion: string;
}

function versionOf(object: unknown): Version | undefined {
  const metadata = (object as {metadata?: {uid?: unknown; resourceVersion?: unknown}} | null | undefined)
    ?.metadata;
  const resourceVersion = metadata?.resourceVersion;
  return typeof resourceVersion === 'string' && resourceVersion !== ''
    ? {uid: metadata?.uid, resourceVersion}
    : undefined;
}

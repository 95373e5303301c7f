// The objects that main keeps for a replay: those that the engine process has settled, and those that it has not.
// Changes that repeatedly kill the process are withheld, so that the rest can go in.
import type {SourceChange, SourceReport} from '../../link/engine-link.ts';
import type {Arrival} from '../../link/host-messages.ts';
import {MergedWrites} from './merged-writes.ts';
import {SentObjects} from './sent-objects.ts';

interface UnsettledArrival {
  readonly id: number;
  readonly arrival: Arrival;
  /** The number of processes that ended after they got this and before they settled it. Then it goes alone. */
  readonly tried: number;
  /** The number of those ends that were not timeouts. */
  readonly deaths: number;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly reason?: string;
  /** It was ended because it took too long. */
  readonly slow?: boolean;
  /** A known formula ended it, or it never began. Its input is not to blame. */
  readonly innocent?: boolean;
}

/** An object that is no longer sent to the engine process, and the reason. */
export interface WithheldChange {
  readonly change: SourceChange;
  readonly reason: string;
}

/** The maximum number of arrivals in one message. A replay chunk stays far below V8's longest string. */
const MAX_ARRIVALS = 256;
const MAX_CHANGES = 500;
/** Objects in one replay message. Small, so that the new process can read one while main writes the next. */
const REPLAY_CHUNK = 500;
/** Objects of one kind in a sample, and the total that makes samples useful. */
const SAMPLES_PER_KIND = 500;
const MIN_SAMPLED_OBJECTS = 1000;
/** One death may be chance. A change that was alone at two deaths is the reason. */
const MAX_DEATHS = 2;
/** Arrivals that may wait before several writes to one object are merged. */
const BACKLOG = 1000;

export class ReplayLog {
  readonly #objects = new Map<string, Map<string, unknown>>();
  readonly #reports = new Map<string, SourceReport>();
  readonly #withheld = new Map<string, WithheldChange>();
  readonly #sentObjects = new SentObjects((collection, key) => this.#objects.get(collection)?.get(key));
  #pending: UnsettledArrival[] = [];
  #ids = 0;
  /** How many of `#pending` the current process has got. */
  #sent = 0;
  /**
   * The number of waiting arrivals that triggers the next merge: twice the rest after the last merge, so that it
   * costs little.
   */
  #mergeAt = BACKLOG;

  add(arrival: Arrival): void {
    // A program's report describes the whole batch, so the batch is not split.
    if (!('changes' in arrival) || arrival.told !== undefined) {
      this.#push(arrival, 0, 0);
      return;
    }
    if (this.#withheld.size > 0)
      for (const change of arrival.changes) this.#withheld.delete(objectNameOf(change));
    // Split a list of a hundred thousand, or its batch would be taken for a hang.
    for (let from = 0; from < arrival.changes.length; from += MAX_CHANGES)
      this.#push({changes: arrival.changes.slice(from, from + MAX_CHANGES)}, 0, 0);
    if (this.#pending.length - this.#sent > this.#mergeAt) this.#merge();
  }

  /**
   * Keeps only the last of several waiting writes to one object. An engine that is behind would never catch up
   * otherwise.
   */
  #merge(): void {
    const waiting = this.#pending.slice(this.#sent);
    const merged = new MergedWrites();
    const remaining: UnsettledArrival[] = [];
    for (const pending of waiting.toReversed()) {
      const {arrival} = pending;
      if (!('changes' in arrival)) {
        // A report refers to the writes before it, so those do not merge with later ones.
        merged.startNewGroup(arrival.source);
        remaining.push(pending);
        continue;
      }
      if (arrival.told !== undefined) {
        merged.startNewGroup();
        remaining.push(pending);
        continue;
      }
      const changes = arrival.changes
        .toReversed()
        .filter(change => merged.add(change))
        .toReversed();
      if (changes.length > 0) remaining.push({...pending, arrival: {changes}});
    }
    for (const [at, pending] of remaining.entries())
      if ('changes' in pending.arrival && pending.arrival.told === undefined)
        remaining[at] = {
          ...pending,
          arrival: {changes: pending.arrival.changes.map(one => merged.withWriter(one))},
        };
    this.#pending = [...this.#pending.slice(0, this.#sent), ...remaining.toReversed()];
    this.#mergeAt = Math.max(BACKLOG, 2 * remaining.length);
  }

  /** Takes the objects of an earlier process of krtscope. What came in meanwhile is sent after them. */
  resume(objects: readonly [string, string, unknown][], reports: readonly [string, SourceReport][]): void {
    const pending = this.#pending;
    const settled: SourceChange[] = [];
    const received = Date.now();
    for (const [collection, items] of this.#objects)
      for (const [key, object] of items) settled.push({collection, key, event: 'add', new: object, received});
    const ownReports = [...this.#reports];
    this.#objects.clear();
    this.#reports.clear();
    this.#sentObjects.clear();
    this.#pending = [];
    this.#sent = 0;
    for (const [collection, key, object] of objects)
      this.#write({collection, key, event: 'add', new: object, received});
    for (const [source, report] of reports) this.#reports.set(source, report);
    if (settled.length > 0) this.add({changes: settled});
    for (const [source, report] of ownReports) this.#push({source, report}, 0, 0);
    for (const {arrival} of pending) this.#push(arrival, 0, 0);
  }

  /** The arrivals that the current process has got and not settled. */
  underway(): {ids: number[]; arrivals: Arrival[]} {
    const sent = this.#pending.slice(0, this.#sent);
    return {ids: sent.map(({id}) => id), arrivals: sent.map(({arrival}) => arrival)};
  }

  /** The keys of the settled objects of each source. */
  keys(): Map<string, Set<string>> {
    return new Map([...this.#objects].map(([collection, items]) => [collection, new Set(items.keys())]));
  }

  /** The source is being dropped: nothing more of it is sent. A replay still needs its objects until it is gone. */
  forgetPending(collection: string): void {
    this.#sentObjects.forget(collection);
    this.#pending = this.#pending.map(pending => ({
      ...pending,
      arrival: withoutCollection(pending.arrival, collection),
    }));
  }

  /** The source is gone: none of its objects is sent or replayed any more. */
  forget(collection: string): void {
    this.#objects.delete(collection);
    this.#reports.delete(collection);
    for (const [name, {change}] of this.#withheld)
      if (change.collection === collection) this.#withheld.delete(name);
    this.forgetPending(collection);
  }

  /** The arrivals that the current process has got and not settled yet. */
  sentArrivals(): Arrival[] {
    return this.#pending.slice(0, this.#sent).map(({arrival}) => arrival);
  }

  /**
   * Unsent arrivals for one message; undefined if there are none, or if they must wait. `bases` are the objects that the
   * process holds before some of the changes.
   */
  take():
    | {through: number; ids: number[]; arrivals: Arrival[]; bases: ReadonlyMap<SourceChange, object>}
    | undefined {
    if (this.#sent > 0 && (this.#pending[this.#sent - 1] as UnsettledArrival).tried > 0) return undefined;
    const arrivals: Arrival[] = [];
    const ids: number[] = [];
    const bases = new Map<SourceChange, object>();
    let count = 0;
    while (this.#sent < this.#pending.length && arrivals.length < MAX_ARRIVALS && count < MAX_CHANGES) {
      const {id, arrival, tried} = this.#pending[this.#sent] as UnsettledArrival;
      // Send a suspect alone: if the process dies again, this is the reason.
      if (tried > 0 && (this.#sent > 0 || arrivals.length > 0)) break;
      arrivals.push(arrival);
      ids.push(id);
      if ('changes' in arrival) this.#sentObjects.note(id, arrival.changes, bases);
      count += 'changes' in arrival ? arrival.changes.length : 1;
      this.#sent += 1;
      if (tried > 0) break;
    }
    const through = ids.at(-1);
    return through === undefined ? undefined : {through, ids, arrivals, bases};
  }

  /** The engine process has settled and recorded everything up to this id. */
  settle(through: number): void {
    let done = 0;
    for (const {id, arrival} of this.#pending) {
      if (id > through) break;
      if ('changes' in arrival) for (const change of arrival.changes) this.#write(change);
      else this.#reports.set(arrival.source, arrival.report);
      done += 1;
    }
    if (done === 0) return;
    this.#sentObjects.settle(through);
    this.#pending = this.#pending.slice(done);
    this.#sent = Math.max(0, this.#sent - done);
  }

  /**
   * Prepares for a new process. Unsettled arrivals are sent again after the replay, first those that the old process
   * did not get. Only the last write to an object counts. Nothing is withheld if the process took too long (`slow`)
   * or had another reason to end (`innocent`). Returns the changes that are withheld from now on.
   */
  rewind({reason = '', slow = false, innocent = false}: ProcessEnd = {}): SourceChange[] {
    const suspects = this.#pending.slice(0, this.#sent);
    const others = this.#pending.slice(this.#sent);
    this.#sentObjects.clear();
    this.#pending = [];
    this.#sent = 0;
    const aside = [...suspects, ...others].some(isReported)
      ? this.#rewindTold(suspects, others, slow, innocent)
      : this.#rewindWrites(suspects, others, slow, innocent);
    for (const change of aside) this.#withheld.set(objectNameOf(change), {change, reason});
    return aside;
  }

  /** Sends a program's batches again, each whole and in its place, because reports describe whole batches. */
  #rewindTold(
    suspects: readonly UnsettledArrival[],
    others: readonly UnsettledArrival[],
    slow: boolean,
    innocent: boolean,
  ): SourceChange[] {
    const aside: SourceChange[] = [];
    const tries = innocent ? 0 : 1;
    for (const {arrival, tried, deaths} of suspects) {
      const died = deaths + (slow ? 0 : tries);
      if (suspects.length === 1 && died >= MAX_DEATHS && 'changes' in arrival) aside.push(...arrival.changes);
      else this.#push(arrival, tried + tries, died);
    }
    for (const {arrival, tried, deaths} of others) this.#push(arrival, tried, deaths);
    return aside;
  }

  #rewindWrites(
    suspects: readonly UnsettledArrival[],
    others: readonly UnsettledArrival[],
    slow: boolean,
    innocent: boolean,
  ): SourceChange[] {
    const last = lastWrites([...suspects, ...others]);
    const left = (changes: readonly SourceChange[]) =>
      changes.filter(change => last.has(change)).map(change => last.withWriter(change));
    const sendAgain = (arrivals: readonly UnsettledArrival[], tried: number) => {
      for (const {arrival, tried: before, deaths} of arrivals) {
        if (!('changes' in arrival)) this.#push(arrival, 0, 0);
        else this.#pushChanges(left(arrival.changes), before + tried, deaths + (slow ? 0 : tried));
      }
    };
    sendAgain(others, 0);
    const aside: SourceChange[] = [];
    const [suspect] = suspects;
    const alone = suspects.length === 1 ? suspect : undefined;
    const changes =
      alone !== undefined && 'changes' in alone.arrival ? left(alone.arrival.changes) : undefined;
    // One of several is the reason. Sending each alone shows which, and makes each short.
    if (innocent) sendAgain(suspects, 0);
    else if (alone === undefined || changes === undefined || alone.tried + 1 < MAX_DEATHS)
      sendAgain(suspects, 1);
    else if (changes.length > 1)
      for (const change of changes) this.#pushChanges([change], alone.tried, alone.deaths);
    else if (slow || alone.deaths + 1 < MAX_DEATHS) sendAgain(suspects, 1);
    else aside.push(...changes);
    return aside;
  }

  get withheld(): ReadonlyMap<string, WithheldChange> {
    return this.#withheld;
  }

  reports(): [string, SourceReport][] {
    return [...this.#reports];
  }

  /** All objects in chunks of `[collection, key, object]`. */
  *chunks(): Iterable<[string, string, unknown][]> {
    let chunk: [string, string, unknown][] = [];
    for (const [collection, objects] of this.#objects) {
      for (const [key, object] of objects) {
        chunk.push([collection, key, object]);
        if (chunk.length < REPLAY_CHUNK) continue;
        yield chunk;
        chunk = [];
      }
    }
    if (chunk.length > 0) yield chunk;
  }

  /** Samples of each kind, repeated `times`. Empty if a replay takes no time anyway. */
  *samples(times: number): Iterable<[string, string, unknown][]> {
    if (this.size < MIN_SAMPLED_OBJECTS) return;
    for (let i = 0; i < times; i++) {
      const sample: [string, string, unknown][] = [];
      for (const [collection, objects] of this.#objects) {
        const first = objects.size > (i + 1) * SAMPLES_PER_KIND ? i * SAMPLES_PER_KIND : 0;
        for (const [key, object] of objects.entries().drop(first).take(SAMPLES_PER_KIND)) {
          sample.push([collection, key, object]);
        }
      }
      yield sample;
    }
  }

  get pending(): number {
    return this.#pending.length;
  }

  /** The arrivals that the current process has not got. */
  get unsent(): number {
    return this.#pending.length - this.#sent;
  }

  /** Waiting for more would not make the next message larger. */
  get fillsMessage(): boolean {
    if (this.unsent >= MAX_ARRIVALS) return true;
    const next = this.#pending[this.#sent]?.arrival;
    return next !== undefined && 'changes' in next && next.changes.length >= MAX_CHANGES;
  }

  get size(): number {
    let size = 0;
    for (const objects of this.#objects.values()) size += objects.size;
    return size;
  }

  #push(arrival: Arrival, tried: number, deaths: number): void {
    this.#ids += 1;
    this.#pending.push({id: this.#ids, arrival, tried, deaths});
  }

  #pushChanges(changes: SourceChange[], tried: number, deaths: number): void {
    if (changes.length > 0) this.#push({changes}, tried, deaths);
  }

  #write({collection, key, event, new: object}: SourceChange): void {
    let objects = this.#objects.get(collection);
    if (objects === undefined) {
      objects = new Map();
      this.#objects.set(collection, objects);
    }
    if (event === 'delete') objects.delete(key);
    else objects.set(key, object);
  }
}

const isReported = ({arrival}: UnsettledArrival) => 'changes' in arrival && arrival.told !== undefined;

function lastWrites(pending: readonly UnsettledArrival[]): MergedWrites {
  const last = new MergedWrites();
  for (const {arrival} of pending.toReversed())
    if ('changes' in arrival) for (const change of arrival.changes.toReversed()) last.add(change);
  return last;
}

/** The arrival without a collection. It keeps its number, so it stays even if it is empty. */
function withoutCollection(arrival: Arrival, collection: string): Arrival {
  if ('changes' in arrival)
    return {changes: arrival.changes.filter(change => change.collection !== collection)};
  return arrival.source === collection ? {changes: []} : arrival;
}

function objectNameOf({collection, key}: SourceChange): string {
  return `${collection} ${key}`;
}

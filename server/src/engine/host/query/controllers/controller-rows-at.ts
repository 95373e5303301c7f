// Reads the rows about controllers at one moment.
import {nearestName} from '../../../../explain/evidence/edit-distance.ts';
import {type Records, Unanswerable} from '../../../../explain/records.ts';
import {
  attemptKey,
  type ControllerRow,
  requestKey,
  type StoredAttempt,
  type StoredRequest,
} from '../../../link/controller-rows.ts';
import {hiddenCollections} from '../../../link/hidden-collections.ts';
import {momentOf} from '../items/item.ts';

/** The controller rows at one moment. */
export class ControllerRowsAt {
  readonly records: Records;
  readonly at: number | undefined;
  readonly now: number;
  readonly sequence: number;

  constructor(records: Records, at: number | undefined) {
    this.records = records;
    this.at = momentOf(records, at);
    this.now = this.at === undefined ? records.now() : records.timeOf(this.at);
    this.sequence = at ?? records.newest();
  }

  controllers(): ControllerRow[] {
    return this.#all<ControllerRow>(hiddenCollections.controllers).sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  controller(name: string): ControllerRow {
    const found = this.#row<ControllerRow>(hiddenCollections.controllers, name);
    if (found !== undefined) return found;
    const names = this.controllers().map(({key}) => key);
    const near = nearestName(name, names);
    throw new Unanswerable(
      'not-found',
      `there is no controller "${name}"`,
      names.length === 0
        ? 'no program with controllers has reported to this session; docs/programs.md says how'
        : `${near ? `did you mean ${near}? ` : ''}There are: ${names.join(', ')}`,
    );
  }

  requests(): StoredRequest[] {
    return this.#all<StoredRequest>(hiddenCollections.requests);
  }

  request(controller: string, key: string): StoredRequest | undefined {
    return this.#row<StoredRequest>(hiddenCollections.requests, requestKey(controller, key));
  }

  allAttempts(): StoredAttempt[] {
    return this.#all<StoredAttempt>(hiddenCollections.attempts);
  }

  attempt(controller: string, key: string, attempt: number): StoredAttempt | undefined {
    return this.#row<StoredAttempt>(hiddenCollections.attempts, attemptKey(controller, key, attempt));
  }

  /** The retained attempts of a request, newest last. Numbers increase by one, and the oldest are missing first. */
  attempts({controller, request, attempts}: StoredRequest): StoredAttempt[] {
    const found: StoredAttempt[] = [];
    for (let n = attempts; n > 0; n--) {
      const one = this.attempt(controller, request, n);
      if (one === undefined) break;
      found.push(one);
    }
    return found.reverse();
  }

  /** A request whose delay is over is ready, even without a report. */
  stateOf({state, due}: StoredRequest): StoredRequest['state'] {
    return state === 'delayed' && due !== undefined && due <= this.now ? 'ready' : state;
  }

  #row<R>(collection: string, key: string): R | undefined {
    return this.records.value(collection, key, this.at) as R | undefined;
  }

  #all<R>(collection: string): R[] {
    const rows: R[] = [];
    for (const key of this.records.keys(collection, this.at)) {
      const row = this.#row<R>(collection, key);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }
}

// The changes that a slow formula's process has not got yet. They go out in rounds. The next round begins when the
// process has settled the last one, so a slow process gets only the newest version of a row.
import type {Change, Collection, Registration} from '../../../krt/index.ts';
import type {SlowRows, ToSlowProcess} from '../../link/slow-lane-messages.ts';

/** Rows and characters in one message. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 4_000_000;

interface SlowOutboxHost {
  collection(name: string): Collection<unknown> | undefined;
  send(message: ToSlowProcess): void;
  guard(work: () => void): void;
  onChanges(collection: string, changes: readonly Change<unknown>[]): void;
}

interface CollectionOutbox {
  readonly collection: Collection<unknown>;
  readonly registration: Registration;
  /** Undefined for a deleted row. */
  changed: Map<string, unknown>;
  isNew: boolean;
  sentSynced: boolean;
}

export class SlowOutbox {
  readonly #names: readonly string[];
  readonly #host: SlowOutboxHost;
  readonly #boxes = new Map<string, CollectionOutbox>();
  #round = 0;
  #settled = 0;
  #isScheduled = false;
  /** Messages of the round that is being sent. */
  #sending: Iterator<{parts: SlowRows[]; isLast: boolean}> | undefined;
  #stopped = false;

  constructor(names: readonly string[], host: SlowOutboxHost) {
    this.#names = [...new Set(names)];
    this.#host = host;
  }

  /** The round that will have the changes of now. */
  get nextRound(): number {
    return this.#round + 1;
  }

  start(): void {
    for (const name of this.#names) this.#follow(name);
    this.schedule();
  }

  /** The keys of changed rows that the process has not got yet. */
  keys(name: string): string[] {
    return [...(this.#boxes.get(name)?.changed ?? [])].flatMap(([key, row]) =>
      row === undefined ? [] : key,
    );
  }

  /** The process is a new one and has nothing. */
  restart(): void {
    for (const {registration} of this.#boxes.values()) registration.unregisterHandler();
    this.#boxes.clear();
    this.#sending = undefined;
    this.#settled = this.#round;
    this.start();
  }

  stop(): void {
    this.#stopped = true;
    for (const {registration} of this.#boxes.values()) registration.unregisterHandler();
    this.#boxes.clear();
  }

  settle(round: number): void {
    this.#settled = Math.max(this.#settled, round);
    this.schedule();
  }

  /** Waits for all batches of this turn of the event loop. */
  schedule(): void {
    if (this.#isScheduled || this.#stopped) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#stopped) this.#host.guard(() => this.#send());
    });
  }

  #follow(name: string): void {
    const collection = this.#host.collection(name);
    if (collection === undefined) return;
    const changed = new Map<string, unknown>();
    const note = (changes: readonly Change<unknown>[]): void => {
      const box = this.#boxes.get(name);
      for (const change of changes) (box?.changed ?? changed).set(change.key, change.new);
      if (box === undefined) return;
      this.#host.onChanges(name, changes);
      this.schedule();
    };
    const registration = collection.registerBatch(note, true);
    this.#boxes.set(name, {collection, registration, changed, isNew: true, sentSynced: false});
  }

  #send(): void {
    if (this.#sending === undefined) {
      if (this.#settled < this.#round || !this.#hasNews()) return;
      this.#round += 1;
      this.#sending = messagesOf(this.#takeBoxes());
    }
    const {value, done} = this.#sending.next();
    if (done) this.#sending = undefined;
    else {
      this.#host.send({type: 'rows', round: this.#round, ...value});
      this.schedule();
    }
  }

  #hasNews(): boolean {
    for (const {changed, isNew, sentSynced, collection} of this.#boxes.values())
      if (isNew || changed.size > 0 || sentSynced !== collection.hasSynced()) return true;
    return false;
  }

  #takeBoxes(): TakenChanges[] {
    return [...this.#boxes].map(([name, box]) => {
      const {changed, isNew} = box;
      const synced = box.collection.hasSynced();
      box.changed = new Map();
      box.isNew = false;
      box.sentSynced = synced;
      return {name, changed, isNew, synced};
    });
  }
}

interface TakenChanges {
  readonly name: string;
  readonly changed: ReadonlyMap<string, unknown>;
  readonly isNew: boolean;
  readonly synced: boolean;
}

/** Makes each message when it is asked for, because writing JSON takes time. */
function* messagesOf(
  taken: readonly TakenChanges[],
): Generator<{parts: SlowRows[]; isLast: boolean}, undefined> {
  for (const {name: collection, changed, isNew, synced} of taken) {
    const left = changed.entries();
    let reset = isNew;
    for (let isDone = false; !isDone; ) {
      const rows: string[] = [];
      const gone: string[] = [];
      let size = 0;
      while (rows.length + gone.length < MAX_ROWS && size < MAX_CHARACTERS) {
        const {value, done} = left.next();
        if (done) {
          isDone = true;
          break;
        }
        const [key, row] = value;
        if (row === undefined) gone.push(key);
        else {
          const text = JSON.stringify([key, row]);
          size += text.length;
          rows.push(text);
        }
      }
      yield {
        parts: [{collection, reset, rows: `[${rows.join(',')}]`, gone, synced: synced && isDone}],
        isLast: false,
      };
      reset = false;
    }
  }
  yield {parts: [], isLast: true};
}

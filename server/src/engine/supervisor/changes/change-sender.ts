// Sends changes, source freshness and withheld objects to a running engine process, a few messages at a time.
// Unsettled changes stay in the replay log, so they need no second copy.
import type {SourceFresh} from '../../link/engine-link.ts';
import type {Arrival, ToHost} from '../../link/host-messages.ts';
import {arrivalsText} from './arrivals-text.ts';
import type {ReplayLog} from './replay-log.ts';

/** The maximum number of unanswered messages. */
const MAX_UNDERWAY = 4;
/** Milliseconds between two messages, unless many changes wait. One message takes longer to send than its content. */
const PAUSE_MS = 8;

export class ChangeSender {
  readonly #log: ReplayLog;
  readonly #send: (message: ToHost) => void;
  readonly #isUp: () => boolean;
  readonly #takesPatches: () => boolean;
  readonly #fresh = new Map<string, SourceFresh>();
  /** Objects of each source that cannot be used at all. */
  readonly #unusable = new Map<string, readonly {key: string; reason: string}[]>();
  #underway: number[] = [];
  #lastSent = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** Gets every message as it was sent. */
  onSent: ((ids: readonly number[], arrivals: string) => void) | undefined;

  /**
   * `isUp` says whether the process has everything that was there before it, `takesPatches` whether all that get the
   * messages hold the objects of before.
   */
  constructor(
    objects: ReplayLog,
    send: (message: ToHost) => void,
    isUp: () => boolean,
    takesPatches: () => boolean = () => false,
  ) {
    this.#log = objects;
    this.#send = send;
    this.#isUp = isUp;
    this.#takesPatches = takesPatches;
  }

  add(arrival: Arrival): void {
    const {size} = this.#log.withheld;
    this.#log.add(arrival);
    if (size !== this.#log.withheld.size) this.#tellAside();
    this.#feed();
  }

  withhold(collection: string, objects: readonly {key: string; reason: string}[]): void {
    this.#unusable.set(collection, objects);
    this.#tellAside();
  }

  freshen(sources: readonly SourceFresh[]): void {
    for (const fresh of sources) this.#fresh.set(fresh.collection, fresh);
    this.#send({type: 'fresh', sources: [...sources]});
  }

  /** A new process starts; it gets nothing yet. */
  restart(): void {
    this.#underway = [];
  }

  /** The process is up; it still needs all of these. */
  begin(): void {
    this.#send({type: 'fresh', sources: [...this.#fresh.values()]});
    this.#tellAside();
    this.#feed();
  }

  settle(through: number): void {
    this.#log.settle(through);
    this.#underway = this.#underway.filter(id => id > through);
    this.#feed();
  }

  #tellAside(): void {
    const aside = [...this.#log.withheld.values()].map(({change: {collection, key}, reason}) => ({
      collection,
      key,
      reason: `it crashed the engine process twice (${reason})`,
    }));
    for (const [collection, objects] of this.#unusable)
      for (const {key, reason} of objects) aside.push({collection, key, reason});
    this.#send({type: 'aside', aside});
  }

  /** Sends what waits now, so that a question that follows sees it. */
  flush(): void {
    this.#feed(0);
  }

  /** The first change after a pause goes at once. The ones behind it go together. */
  #feed(pause = PAUSE_MS): void {
    if (!this.#isUp() || this.#underway.length >= MAX_UNDERWAY || this.#log.unsent === 0) return;
    const now = performance.now();
    const wait = this.#lastSent + pause - now;
    if (wait > 0 && !this.#log.fillsMessage) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#feed(0);
      }, wait).unref();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastSent = now;
    while (this.#underway.length < MAX_UNDERWAY) {
      const next = this.#log.take();
      if (next === undefined) return;
      this.#underway.push(next.through);
      const arrivals = arrivalsText(next.arrivals, this.#takesPatches() ? next.bases : undefined);
      this.#send({type: 'apply', ids: next.ids, arrivals});
      this.onSent?.(next.ids, arrivals);
    }
  }
}

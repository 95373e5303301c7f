// What waits for one browser: at most one update a subscription, sent together. The engine process paces the frames;
// here a slow browser alone waits, and gets snapshots.

import type {MarkedUpdate, StreamMessage} from '@krtscope/shared/stream.ts';
import {joinUpdates} from '@krtscope/shared/subscription-update.ts';
import type {MarkedSnapshot} from './shared-subscription.ts';

/** Milliseconds after which a full socket is looked at again. */
export const PAUSE_MS = 50;
/** Bytes that may lie unsent in a socket before it counts as slow. */
export const SLOW_BYTES = 1 << 20;
/** Deltas with more rows than this cost more than the snapshot that replaces them. */
const JOIN_LIMIT = 50;

export interface OutboxSocket {
  readonly bufferedAmount: number;
  send(text: string): void;
}

export interface OutboxClock {
  now(): number;
  after(ms: number, f: () => void): () => void;
}

interface PendingUpdate {
  update: MarkedUpdate | undefined;
  /** Set when deltas were dropped: the next frame sends the whole state. */
  stale: boolean;
  joins: number;
  snapshot: () => MarkedSnapshot | undefined;
}

export class Outbox {
  readonly #wire: OutboxSocket;
  readonly #clock: OutboxClock;
  readonly #pending = new Map<string, PendingUpdate>();
  /** What is said of the session, while the socket is full: only the last counts. */
  #session: StreamMessage | undefined;
  #sequence = 0;
  #cancel: (() => void) | undefined;

  constructor(wire: OutboxSocket, clock: OutboxClock) {
    this.#wire = wire;
    this.#clock = clock;
  }

  /** How many updates wait: never more than there are subscriptions. */
  get waiting(): number {
    return [...this.#pending.values()].filter(one => one.stale || one.update !== undefined).length;
  }

  open(id: string, snapshot: () => MarkedSnapshot | undefined): void {
    this.#pending.set(id, {update: undefined, stale: false, joins: 0, snapshot});
  }

  close(id: string): void {
    this.#pending.delete(id);
  }

  add(id: string, update: MarkedUpdate, sequence: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#sequence = Math.max(this.#sequence, sequence);
    const named = {...update, id};
    if ('snapshot' in named) {
      pending.update = named;
      pending.stale = false;
      pending.joins = 0;
    } else if (!pending.stale) {
      if (this.#wire.bufferedAmount > SLOW_BYTES || pending.joins >= JOIN_LIMIT) {
        pending.update = undefined;
        pending.stale = true;
      } else {
        pending.update =
          pending.update === undefined ? named : {...joinUpdates(pending.update, named), mark: named.mark};
        pending.joins++;
      }
    }
    this.#schedule();
  }

  /** Sends beside the frames, in order with what was sent before. */
  say(message: StreamMessage): void {
    this.#wire.send(JSON.stringify(message));
  }

  /** As say, for what the next of its kind replaces: a socket that is not read must not be filled with it. */
  sayLast(message: StreamMessage): void {
    if (this.#wire.bufferedAmount > SLOW_BYTES) {
      this.#session = message;
      this.#schedule(PAUSE_MS);
    } else this.say(message);
  }

  stop(): void {
    this.#cancel?.();
    this.#pending.clear();
  }

  // What comes in one turn, of several subscriptions, is one frame.
  #schedule(wait = 0): void {
    this.#cancel ??= this.#clock.after(wait, () => {
      this.#cancel = undefined;
      this.#flush();
    });
  }

  #flush(): void {
    // A full socket: keep what waits (it does not grow) and look again.
    if (this.#wire.bufferedAmount > SLOW_BYTES) {
      this.#schedule(PAUSE_MS);
      return;
    }
    if (this.#session !== undefined) this.say(this.#session);
    this.#session = undefined;
    const updates: MarkedUpdate[] = [];
    for (const [id, pending] of this.#pending) {
      const whole = pending.stale ? pending.snapshot() : undefined;
      const update = whole === undefined ? pending.update : {...whole, id};
      pending.update = undefined;
      pending.stale = false;
      pending.joins = 0;
      if (update !== undefined) updates.push(update);
    }
    if (updates.length > 0)
      this.say({type: 'frame', sequence: this.#sequence, at: this.#clock.now(), updates});
  }
}

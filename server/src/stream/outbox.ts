// Holds at most one unsent update for each subscription of a socket, and sends them together as a frame.
// The engine process sets the frame rate. A slow socket waits here and then gets snapshots.

import type {StreamMessage} from '@krtscope/shared/stream.ts';
import type {SerializedUpdate} from './serialized-update.ts';

/** Milliseconds until a full socket is checked again. */
export const PAUSE_MS = 50;
/** A socket with more unsent bytes than this counts as slow. */
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
  update: SerializedUpdate | undefined;
  /** Set when deltas were dropped: the next frame sends the whole state. */
  stale: boolean;
  joins: number;
  snapshot: () => SerializedUpdate | undefined;
}

export class Outbox {
  readonly #wire: OutboxSocket;
  readonly #clock: OutboxClock;
  readonly #pending = new Map<string, PendingUpdate>();
  /** The newest message about the session, while the socket is full. */
  #session: StreamMessage | undefined;
  #sequence = 0;
  #cancel: (() => void) | undefined;

  constructor(wire: OutboxSocket, clock: OutboxClock) {
    this.#wire = wire;
    this.#clock = clock;
  }

  /** The number of unsent updates, at most one for each subscription. */
  get waiting(): number {
    return [...this.#pending.values()].filter(one => one.stale || one.update !== undefined).length;
  }

  open(id: string, snapshot: () => SerializedUpdate | undefined): void {
    this.#pending.set(id, {update: undefined, stale: false, joins: 0, snapshot});
  }

  close(id: string): void {
    this.#pending.delete(id);
  }

  add(id: string, update: SerializedUpdate, sequence: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#sequence = Math.max(this.#sequence, sequence);
    if (update.isSnapshot) {
      pending.update = update;
      pending.stale = false;
      pending.joins = 0;
    } else if (!pending.stale) {
      if (this.#wire.bufferedAmount > SLOW_BYTES || pending.joins >= JOIN_LIMIT) {
        pending.update = undefined;
        pending.stale = true;
      } else {
        pending.update = pending.update?.join(update) ?? update;
        pending.joins++;
      }
    }
    this.#schedule();
  }

  /** Sends a message at once, without waiting for the next frame. */
  say(message: StreamMessage): void {
    this.#wire.send(JSON.stringify(message));
  }

  /** Like `say`, but a full socket gets only the newest message: a socket that is not read must not fill up. */
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

  // Updates of several subscriptions that arrive in one turn of the event loop share a frame.
  #schedule(wait = 0): void {
    this.#cancel ??= this.#clock.after(wait, () => {
      this.#cancel = undefined;
      this.#flush();
    });
  }

  #flush(): void {
    // Keep the unsent updates of a full socket (they do not grow) and check again later.
    if (this.#wire.bufferedAmount > SLOW_BYTES) {
      this.#schedule(PAUSE_MS);
      return;
    }
    if (this.#session !== undefined) this.say(this.#session);
    this.#session = undefined;
    const updates: string[] = [];
    for (const [id, pending] of this.#pending) {
      const update = (pending.stale ? pending.snapshot() : undefined) ?? pending.update;
      pending.update = undefined;
      pending.stale = false;
      pending.joins = 0;
      if (update !== undefined) updates.push(update.toJSONFor(id));
    }
    if (updates.length === 0) return;
    const head = JSON.stringify({type: 'frame', sequence: this.#sequence, at: this.#clock.now()});
    this.#wire.send(`${head.slice(0, -1)},"updates":[${updates.join(',')}]}`);
  }
}

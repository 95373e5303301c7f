// What an informer tells its handlers, and how: each in its own ordered queue, so that a slow or throwing one
// harms nobody else.

import type {KubeObject} from '../object.ts';
import type {Gap, ReflectorState} from '../reflector/reflector-state.ts';
import type {Writer} from './field-writers.ts';

export interface Change {
  event: 'add' | 'update' | 'delete';
  key: string;
  old?: KubeObject;
  new?: KubeObject;
  /** Whose write this was, as far as managedFields tell. */
  writer?: Writer;
  /** An add that only says what was there already when the handler or the informer began. */
  initial: boolean;
  /** A delete that was noticed by its absence: `old` may not be the last state the object had. */
  unseen?: true;
}

/** Every method is optional. Calls to one handler never overlap: a promise is awaited before the next call. */
export interface Handler {
  onChange?(change: Change): unknown;
  /** The changes of one moment together: the first list is one call. Used instead of onChange when present. */
  onChanges?(changes: readonly Change[]): unknown;
  onGap?(gap: Gap): unknown;
  onState?(state: ReflectorState): unknown;
  /** Called once, after the changes of the first list. */
  onSynced?(): unknown;
  /** Also wants `update(x, x)` for every object whenever the informer resyncs. */
  resync?: boolean;
}

export interface Registration {
  /** True once the informer has synced and this handler has been through everything of that time. */
  hasSynced(): boolean;
  remove(): void;
}

type QueuedCall = () => unknown;

/** Deliveries between two pauses: the first list of a large cluster must not stop the event loop for long. */
const burst = 1000;

export class InformerHandlerQueue implements Registration {
  readonly handler: Handler;
  readonly #onProblem: (problem: string) => void;
  readonly #onRemove: (queue: InformerHandlerQueue) => void;
  #waiting: QueuedCall[] = [];
  #busy = false;
  #removed = false;
  #synced = false;

  constructor(
    handler: Handler,
    onProblem: (problem: string) => void,
    onRemove: (queue: InformerHandlerQueue) => void,
  ) {
    this.handler = handler;
    this.#onProblem = onProblem;
    this.#onRemove = onRemove;
  }

  hasSynced(): boolean {
    return this.#synced;
  }

  remove(): void {
    this.#removed = true;
    this.#waiting = [];
    this.#onRemove(this);
  }

  changes(changes: readonly Change[]): void {
    const {handler} = this;
    if (changes.length === 0) return;
    if (handler.onChanges) this.#waiting.push(() => handler.onChanges?.(changes));
    else if (handler.onChange)
      for (const change of changes) this.#waiting.push(() => handler.onChange?.(change));
    this.#deliver();
  }

  synced(): void {
    this.#waiting.push(() => {
      this.#synced = true;
      return this.handler.onSynced?.();
    });
    this.#deliver();
  }

  gap(gap: Gap): void {
    if (this.handler.onGap) this.#waiting.push(() => this.handler.onGap?.(gap));
    this.#deliver();
  }

  state(state: ReflectorState): void {
    if (this.handler.onState) this.#waiting.push(() => this.handler.onState?.(state));
    this.#deliver();
  }

  #deliver(): void {
    if (this.#busy || this.#waiting.length === 0) return;
    this.#busy = true;
    this.#drain(0);
  }

  /** Runs what waits until a call returns a promise or enough was done for now. */
  #drain(from: number): void {
    const {length} = this.#waiting;
    for (let at = from; ; at++) {
      if (this.#removed) return;
      if (at >= this.#waiting.length) break;
      if (at - from >= burst && at < length) {
        this.#waiting.splice(0, at);
        setImmediate(() => this.#drain(0));
        return;
      }
      const pending = this.#call(this.#waiting[at]!);
      if (pending) {
        this.#waiting.splice(0, at + 1);
        void pending.then(() => this.#drain(0));
        return;
      }
    }
    this.#waiting = [];
    this.#busy = false;
  }

  #call(delivery: QueuedCall): Promise<unknown> | undefined {
    try {
      const result = delivery();
      if (result instanceof Promise) return result.catch(error => this.#threw(error));
    } catch (error) {
      this.#threw(error);
    }
    return undefined;
  }

  #threw(error: unknown): void {
    this.#onProblem(
      `a handler threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}

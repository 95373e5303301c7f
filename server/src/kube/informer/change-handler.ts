// Delivers an informer's changes to its handlers. Each handler has its own ordered queue, so a slow or throwing
// handler does not affect the others.

import type {KubeObject} from '../object.ts';
import type {Gap, ReflectorState} from '../reflector/reflector-state.ts';
import type {Writer} from './field-writers.ts';

export interface Change {
  event: 'add' | 'update' | 'delete';
  key: string;
  old?: KubeObject;
  new?: KubeObject;
  /** The writer, as far as managedFields show it. */
  writer?: Writer;
  /** The object existed before the handler or the informer started. */
  initial: boolean;
  /** A later list lacked the object, so `old` may not be its last state. */
  unseen?: true;
}

/** An object that exists in the cluster and cannot be used. */
export interface WithheldEntry {
  key: string;
  reason: string;
}

/** Every method is optional. Calls to one handler never overlap: the queue awaits a returned promise. */
export interface Handler {
  onChange?(change: Change): unknown;
  /** Receives changes in batches; the first list is one batch. Replaces onChange when present. */
  onChanges?(changes: readonly Change[]): unknown;
  onGap?(gap: Gap): unknown;
  /** Receives all objects that exist but cannot be used, whenever these change. Only with the option `withhold`. */
  onWithheld?(objects: readonly WithheldEntry[]): unknown;
  onState?(state: ReflectorState): unknown;
  /** Called once, after the changes of the first list. */
  onSynced?(): unknown;
  /** On a resync, the handler also receives `update(x, x)` for every object. */
  resync?: boolean;
}

export interface Registration {
  /** True once the informer has synced and this handler has processed the first list. */
  hasSynced(): boolean;
  remove(): void;
}

type QueuedCall = () => unknown;

/** Calls between two pauses. The first list of a large cluster must not block the event loop for long. */
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

  withheld(objects: readonly WithheldEntry[]): void {
    if (this.handler.onWithheld) this.#waiting.push(() => this.handler.onWithheld?.(objects));
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

  /** Runs queued calls until one returns a promise or the burst is used up. */
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

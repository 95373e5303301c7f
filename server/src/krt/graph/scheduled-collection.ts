// What the order of turns needs of collections and of their inputs.

import type {RowInput} from '../containers/row.ts';

export interface ScheduledCollection {
  readonly name: string;
  readonly uid: number;
  readonly level: number;
  readonly stopped: boolean;
  queued: boolean;
  /** Its turn is under way. */
  busy: boolean;
  /** The run that made it is under way, and may wait for it. */
  inMaking: boolean;
  /** The walk through the graph that met it last. */
  visit: number;
  /** With `only`, no other input of it waits. */
  turn(only: ScheduledInput | null): void;
  end(): void;
  upstreams(): Iterable<ScheduledCollection>;
}

/** A collection that is written from outside. */
export interface WrittenCollection extends ScheduledCollection {
  /** Has changed one row, and nothing else waits. */
  turnOfOnly(): void;
  /** Something else waits too. */
  queueOnly(): void;
}

/** An input of a collection that has to run. */
export interface ScheduledInput extends RowInput {
  readonly collection: RowInput['collection'] & ScheduledCollection & {queueEntry(input: RowInput): void};
}

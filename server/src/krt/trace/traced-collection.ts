// What a trace needs of the engine, of collections and of their inputs.

import type {QueryNode, QueryUser} from '../query/query-node.ts';
import type {Clock} from '../values/clock.ts';
import type {CollectionKind} from '../values/collection.ts';
import type {Cause} from '../values/trace.ts';

export interface RecorderClock {
  readonly clock: Clock | null;
  now(): number;
}

/** A collection as far as a trace names it. */
export interface TracedCollection {
  readonly name: string;
  readonly uid: number;
  readonly kind: CollectionKind;
}

/** A collection that announces changes. */
export interface PublishingCollection extends TracedCollection {
  /** Not shown to anyone. */
  readonly hidden: boolean;
  /** Written from outside: its changes are the roots of a batch. */
  readonly root: boolean;
}

/** An input of a derived collection. */
export interface TracedInput extends QueryUser {
  readonly nodes: readonly QueryNode[];
  /** Why it runs in this batch. */
  causes: Cause[] | null;
  readonly collection: QueryUser['collection'] & TracedCollection & {readonly parent: PublishingCollection};
}

// What a reflector is given to follow, and where it puts what it learns.

import type {DynamicClient} from '../client/dynamic-client.ts';
import type {Clock} from '../clock.ts';
import type {KubeObject} from '../object.ts';
import type {Resource} from '../resource.ts';
import type {Gap, ReflectorState} from './reflector-state.ts';

/** Where a reflector puts what it learns. `Entry` is the sink's own prepared form of an object. */
export interface ReflectorSink<Entry> {
  /** Prepares one object; called once for each object received, before it is kept anywhere. */
  prepare(object: KubeObject): Entry;
  keyOf(entry: Entry): string;
  /** Whether this very state of this very object is held, and how many objects are. */
  holds(object: KubeObject): boolean;
  readonly size: number;
  /** The whole content as of now. Returns how many keys differ from before. */
  replace(entries: Map<string, Entry>): number;
  apply(changes: {gone: boolean; entry: Entry}[]): void;
  onState(state: ReflectorState): void;
  onGap(gap: Gap): void;
  /** Something odd that was survived, for the log. */
  onProblem(problem: string): void;
}

export interface ReflectorOptions {
  /** Whether a kind that is gone is served in another version, so that its objects are not. */
  elsewhere?: (() => Promise<boolean>) | undefined;
  client: DynamicClient;
  resource: Resource;
  clock: Clock;
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  /** The one object that the selectors leave: read by name where listing is denied. */
  name?: string | undefined;
  as?: 'object' | 'metadata' | undefined;
  pageSize?: number | undefined;
  /** Off: never try streaming lists. */
  streaming?: boolean | undefined;
}

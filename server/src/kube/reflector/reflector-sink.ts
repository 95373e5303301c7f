// The options of a reflector, and the sink that receives its objects.

import type {DynamicClient} from '../client/dynamic-client.ts';
import type {Clock} from '../clock.ts';
import type {KubeObject} from '../object.ts';
import type {Resource} from '../resource.ts';
import type {Gap, ReflectorState} from './reflector-state.ts';
import type {AuditedVersion} from './watch-audit.ts';

/** Receives objects, states and gaps. `Entry` is the sink's prepared form of an object. */
export interface ReflectorSink<Entry> {
  /** Called once for each received object, before it is stored. */
  prepare(object: KubeObject): Entry;
  keyOf(entry: Entry): string;
  /** True when the sink holds this object in this version. */
  holds(object: KubeObject): boolean;
  readonly size: number;
  /** The uid and version of every object that the sink holds. */
  versions(): Iterable<readonly [key: string, version: AuditedVersion]>;
  /** Replaces all entries. Returns how many keys differ from before. */
  replace(entries: Map<string, Entry>): number;
  apply(changes: {gone: boolean; entry: Entry}[]): void;
  onState(state: ReflectorState): void;
  /** The reflector's resourceVersion may have moved. */
  onProgress?(): void;
  onGap(gap: Gap): void;
  /** Reports a problem that needs no action, for the log. */
  onProblem(problem: string): void;
}

export interface ReflectorOptions {
  /** Tells whether a missing kind is served in another version, so that its objects still exist. */
  elsewhere?: (() => Promise<boolean>) | undefined;
  client: DynamicClient;
  resource: Resource;
  clock: Clock;
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  /** The only object that the selectors match. It is read by name where listing is denied. */
  name?: string | undefined;
  as?: 'object' | 'metadata' | undefined;
  pageSize?: number | undefined;
  /** False: never try streaming lists. */
  streaming?: boolean | undefined;
}

// The objects of a cluster as its own session has them, to compare another program's informers with.
import type {WireResource} from '@krtscope/shared/graph.ts';
import type {WireWriter} from '@krtscope/shared/run.ts';

/** The parts of an object's metadata that identify one version of it. */
export interface VersionIdentity {
  uid?: string | undefined;
  resourceVersion?: string | undefined;
}

/** One watched kind. Keys are `namespace/name`, or the name. */
export interface KindObjects {
  readonly resource: WireResource;
  /** Whether all objects of the kind are known, and are current. */
  readonly current: boolean;
  keys(): Iterable<string>;
  version(key: string): VersionIdentity | undefined;
  /** The managers of the object's fields. */
  writers(key: string): readonly WireWriter[];
}

export interface ClusterObjects {
  /** The name of the session. */
  readonly session: string;
  /** Empty means all. */
  readonly namespaces: readonly string[];
  kinds(): Iterable<KindObjects>;
}

export function versionOf(object: unknown): VersionIdentity | undefined {
  const {metadata} = (object ?? {}) as {metadata?: Record<string, unknown>};
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const {uid, resourceVersion} = metadata;
  return {
    uid: typeof uid === 'string' ? uid : undefined,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : undefined,
  };
}

/** Resource versions of one kind are numbers that grow. Other texts have no order. */
export function isOlder(version: string, than: string): boolean {
  if (!/^\d+$/.test(version) || !/^\d+$/.test(than)) return version !== than;
  return version.length === than.length ? version < than : version.length < than.length;
}

export function resourceText({resource, group}: WireResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

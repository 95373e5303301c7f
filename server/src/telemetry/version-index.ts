// The nodes that wrote or received a version of an object, for a limited time. Controllers and the engine process name
// the same write by the object's key and resourceVersion.
import type {TraceNode} from './trace-nodes.ts';

const MAX_VERSIONS = 20_000;

export class VersionIndex {
  readonly #nodes = new Map<string, TraceNode>();

  set(version: string | undefined, node: TraceNode): void {
    // The first batch of a version is its cause; a second session may show the same cluster.
    if (version === undefined || this.#nodes.has(version)) return;
    this.#nodes.set(version, node);
    if (this.#nodes.size > MAX_VERSIONS) this.#nodes.delete(this.#nodes.keys().next().value as string);
  }

  get(version: string | undefined): TraceNode | undefined {
    return version === undefined ? undefined : this.#nodes.get(version);
  }
}

/** Undefined for deletes: they have no version of their own. */
export function versionOf(key: unknown, resourceVersion: unknown): string | undefined {
  if (typeof key !== 'string' || typeof resourceVersion !== 'string') return undefined;
  return `${key}\n${resourceVersion}`;
}

/** The creation of an object, whatever version of it arrives first. */
export function creationOf(uid: unknown): string | undefined {
  return typeof uid === 'string' ? `created\n${uid}` : undefined;
}

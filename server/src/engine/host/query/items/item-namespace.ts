// The namespace that an item belongs to. Programs written in Go put it into other places than Kubernetes objects.
import {namespacesSource} from '@krtscope/shared/vocabulary.ts';

/** `Service.Attributes.Namespace` is two objects deep. */
const MAX_DEPTH = 2;
/** Objects of one level that are looked at. */
const MAX_OBJECTS = 32;

/** A Namespace belongs to itself. Empty for cluster-wide items. */
export function namespaceOf(collection: string, key: string, value: unknown): string {
  if (collection === namespacesSource || collection.endsWith(`/${namespacesSource}`)) return key;
  const named = isRecord(value) ? namespaceWithin(value) : undefined;
  if (named !== undefined) return named;
  const slash = key.indexOf('/');
  return slash > 0 ? key.slice(0, slash) : '';
}

/** The nearest field that names a namespace. Undefined if there is none, or if one level names several. */
function namespaceWithin(value: Record<string, unknown>): string | undefined {
  let level = [value];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const names = new Set(level.map(ownNamespace).filter(name => name !== undefined));
    // Inside, an empty text only means that Go did not set the field.
    if (depth > 0) names.delete('');
    const [name] = names;
    if (name !== undefined) return names.size === 1 ? name : undefined;
    // The fields of a Kubernetes object may name namespaces of other objects.
    level = level
      .filter(one => !isRecord(one.metadata))
      .flatMap(one => Object.values(one).filter(isRecord))
      .slice(0, MAX_OBJECTS);
  }
  return undefined;
}

function ownNamespace(value: Record<string, unknown>): string | undefined {
  const {metadata, namespace, Namespace} = value;
  const name = isRecord(metadata) ? metadata.namespace : (namespace ?? Namespace);
  return typeof name === 'string' ? name : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// kubectl commands to copy: a label, a merge patch, and the revert of a write. krtscope never runs them.
import type {WireResource} from '@krtscope/shared/graph.ts';
import {parsePath} from '@krtscope/shared/path.ts';
import type {CollectionFacts} from '../records.ts';

/** A command with a longer value is too long to review before running it. */
const LONGEST_VALUE = 400;

/** Names and label values of Kubernetes need no quotes in a shell; other values get them. */
function shellQuote(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

/** An object as kubectl takes it. */
function kubectlNameOf(resource: WireResource, key: string): {where: string; kind: string; name: string} {
  const slash = key.indexOf('/');
  return {
    where: resource.namespaced && slash > 0 ? `-n ${shellQuote(key.slice(0, slash))} ` : '',
    kind: resource.group === '' ? resource.kind.toLowerCase() : `${resource.resource}.${resource.group}`,
    name: shellQuote(key.slice(slash + 1)),
  };
}

/** `kubectl -n shop label pod x app=catalog --overwrite`; undefined for a collection without a kind. */
export function labelCommand(
  facts: CollectionFacts | undefined,
  key: string,
  label: string,
  value: string,
): string | undefined {
  const resource = facts?.resource;
  if (!resource) return undefined;
  const {where, kind, name} = kubectlNameOf(resource, key);
  return `kubectl ${where}label ${kind} ${name} ${shellQuote(`${label}=${value}`)} --overwrite`;
}

/** `kubectl -n shop patch service cart --type=merge -p '{…}'`. */
export function mergePatchCommand(resource: WireResource, key: string, patch: object): string {
  const {where, kind, name} = kubectlNameOf(resource, key);
  return `kubectl ${where}patch ${kind} ${name} --type=merge -p ${shellQuote(JSON.stringify(patch))}`;
}

/** The same for an object that is known by name only. */
export function patchCommandFor(namespace: string, kind: string, name: string, patch: object): string {
  return `kubectl -n ${shellQuote(namespace)} patch ${kind} ${shellQuote(name)} --type=merge -p ${shellQuote(JSON.stringify(patch))}`;
}

/** The command that puts the old value of one path back; undefined where a command cannot do that. */
export function revertCommand(
  resource: WireResource,
  key: string,
  {path, old, object}: {readonly path: string; readonly old: unknown; readonly object: unknown},
): string | undefined {
  const segments = parsePath(path);
  const [root, field, name] = segments;
  const text = JSON.stringify(old) ?? 'null';
  // A hidden value is not the value, and a status belongs to its controller.
  if (resource.kind === 'Secret' || root === 'status' || text.length > LONGEST_VALUE) return undefined;
  if (/redacted/i.test(text)) return undefined;
  if (root === 'metadata') {
    if (segments.length !== 3 || (field !== 'labels' && field !== 'annotations')) return undefined;
    const {where, kind, name: object} = kubectlNameOf(resource, key);
    const verb = field === 'labels' ? 'label' : 'annotate';
    return typeof old === 'string'
      ? `kubectl ${where}${verb} ${kind} ${object} ${shellQuote(`${name}=${old}`)} --overwrite`
      : `kubectl ${where}${verb} ${kind} ${object} ${shellQuote(`${name}-`)}`;
  }
  if (hasListPosition(object, segments)) return jsonPatchCommand(resource, key, segments, old);
  const patch = segments.reduceRight<unknown>((inner, segment) => ({[segment]: inner}), old ?? null);
  return mergePatchCommand(resource, key, patch as object);
}

function hasListPosition(object: unknown, segments: readonly string[]): boolean {
  let at = object;
  for (const segment of segments) {
    if (Array.isArray(at)) return true;
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[segment] : undefined;
  }
  return false;
}

/** A merge patch replaces whole lists, so a path through a list needs a JSON patch. */
function jsonPatchCommand(
  resource: WireResource,
  key: string,
  segments: readonly string[],
  old: unknown,
): string {
  const {where, kind, name} = kubectlNameOf(resource, key);
  const path = `/${segments.map(one => one.replace(/~/g, '~0').replace(/\//g, '~1')).join('/')}`;
  const patch = old === undefined ? [{op: 'remove', path}] : [{op: 'replace', path, value: old}];
  return `kubectl ${where}patch ${kind} ${name} --type=json -p ${shellQuote(JSON.stringify(patch))}`;
}

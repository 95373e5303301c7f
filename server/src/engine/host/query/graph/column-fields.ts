// Finds the paths of a collection's items, and those that best distinguish its rows, from a sample.
import {readPath, writePath} from '@krtscope/shared/path.ts';
import type {Records} from '../../../../explain/records.ts';

const SAMPLE = 60;
const MAX_COLUMNS = 4;

/** Paths that users look for first, the best first. */
const preferredPaths = [
  'status.phase',
  'owner',
  'service',
  'waypoint',
  'agreement',
  'services',
  'ready',
  'pods',
  'policy',
  'pod',
  'ip',
  'port',
  'address',
  'spec.type',
  'spec.clusterIP',
  'status.podIP',
  'spec.nodeName',
  'status.readyReplicas',
  'spec.replicas',
  'status.nodeInfo.kubeletVersion',
  'metadata.labels[kubernetes.io/service-name]',
  'addressType',
  'node',
  'type',
  'metadata.labels.app',
  'metadata.labels.team',
  'running',
  'notRunning',
];

const uninterestingPath =
  /(^|\.)(uid|resourceVersion|generation|generateName|creationTimestamp|managedFields|selfLink|apiVersion|kind|key)$|hash|Timestamp|ID$|kubernetes\.io\/(metadata\.name|hostname)|(^|\.)(ownerReferences|annotations|finalizers|tolerations|volumes?|conditions|name|namespace)(\.|\[|$)/;

/** The leaf paths of a value. A list counts as one leaf: its positions are not columns. */
function columnPaths(value: unknown, found: Map<string, unknown>, path: string[], depth: number): void {
  if (value === undefined || depth > 5 || found.size > 400) return;
  const open = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!open) {
    found.set(writePath(path), value);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'managedFields') continue;
    columnPaths(inner, found, [...path, name], depth + 1);
  }
}

function sampleOf(records: Records, collection: string, at?: number): unknown[] {
  const values: unknown[] = [];
  const size = records.size(collection, at);
  const step = Math.max(1, Math.floor(size / SAMPLE));
  let position = 0;
  for (const key of records.keys(collection, at)) {
    // Spread the sample over the collection. Stop at the sample's end in a huge one.
    if (position % step === 0) values.push(records.value(collection, key, at));
    position++;
    if (values.length >= SAMPLE || position > 20_000) break;
  }
  return values;
}

interface SampledColumnPath {
  count: number;
  depth: number;
  longest: number;
  structured: boolean;
  readonly texts: Set<string>;
}

function scorePath(path: string, seen: SampledColumnPath, total: number): number {
  const place = preferredPaths.indexOf(path);
  const bonus = place >= 0 ? 8 - (4 * place) / preferredPaths.length : 0;
  const share = seen.count / total;
  const distinct = seen.texts.size;
  // One value everywhere distinguishes nothing, a few form groups, and one for each row is an id.
  const apart = distinct <= 1 ? 0 : 1 + Math.min(1, distinct / Math.max(2, total * 0.5));
  const cost = seen.depth * 0.25 + (seen.longest > 40 ? 1 : 0) + (seen.structured ? 0.7 : 0);
  return bonus + apart + share - cost - (uninterestingPath.test(path) ? 5 : 0);
}

export interface ColumnFields {
  readonly best: string[];
  readonly available: string[];
}

function sampleColumnFields(records: Records, collection: string, at?: number): ColumnFields {
  const values = sampleOf(records, collection, at);
  const seen = new Map<string, SampledColumnPath>();
  for (const value of values) {
    const paths = new Map<string, unknown>();
    columnPaths(value, paths, [], 0);
    for (const [path, leaf] of paths) {
      if (path === '') continue;
      const text = typeof leaf === 'object' ? JSON.stringify(leaf) : String(leaf);
      const entry = seen.get(path) ?? {
        count: 0,
        depth: path.split('.').length,
        longest: 0,
        structured: typeof leaf === 'object' && leaf !== null,
        texts: new Set<string>(),
      };
      entry.count++;
      entry.longest = Math.max(entry.longest, text.length);
      entry.texts.add(text);
      seen.set(path, entry);
    }
  }
  const ranked = [...seen]
    .map(([path, entry]) => ({path, score: scorePath(path, entry, values.length)}))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return {
    best: ranked
      .filter(r => r.score > 0.5)
      .slice(0, MAX_COLUMNS)
      .map(r => r.path),
    available: [...seen.keys()]
      .filter(p => !/managedFields/.test(p))
      .sort()
      .slice(0, 300),
  };
}

/** The kind's own columns come first. Found fields fill up to the usual number. */
function withColumns({best, available}: ColumnFields, columns: readonly string[]): ColumnFields {
  const more = best.slice(0, Math.max(0, MAX_COLUMNS - columns.length));
  return {
    best: [...new Set([...columns, ...more])],
    available: [...new Set([...columns, ...available])],
  };
}

/**
 * Caches the result while a collection keeps its size: sampling for each graph answer would cost more than the
 * answer.
 */
export class ColumnFieldFinder {
  readonly #records: Records;
  readonly #found = new Map<string, {size: number; columns: string; fields: ColumnFields}>();

  constructor(records: Records) {
    this.#records = records;
  }

  of(collection: string): ColumnFields {
    const size = this.#records.size(collection);
    const cached = this.#found.get(collection);
    const {kind, columns: ownColumns = []} = this.#records.collection(collection) ?? {};
    const columns = ownColumns.join('\n');
    if (cached && cached.columns === columns && size < cached.size * 2 && size * 2 > cached.size)
      return cached.fields;
    const found =
      kind === 'index'
        ? {best: ['key'], available: ['key', 'objects']}
        : sampleColumnFields(this.#records, collection);
    const fields = ownColumns.length === 0 ? found : withColumns(found, ownColumns);
    this.#found.set(collection, {size: Math.max(size, 1), columns, fields});
    return fields;
  }
}

/** The chosen fields of a value, without missing ones. */
export function pickFields(value: unknown, fields: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const field of fields) {
    const found = readPath(value, field);
    if (found !== undefined) picked[field] = found;
  }
  return picked;
}

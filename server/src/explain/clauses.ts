// A recorded filter against one object, clause by clause: what each wants, what the object has, whether it matches.
// Indexes and generic functions cannot be called here; they are told from what the fetch found.
import type {Clause as Row} from '@krtscope/shared/why.ts';
import type {Clause} from '../krt/index.ts';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function metadata(value: unknown): Record<string, unknown> {
  return isRecord(value) && isRecord(value.metadata) ? value.metadata : isRecord(value) ? value : {};
}

function textMap(value: unknown): Record<string, string> {
  const map: Record<string, string> = {};
  if (isRecord(value)) for (const [name, own] of Object.entries(value)) map[name] = String(own);
  return map;
}

export function labels(value: unknown): Record<string, string> {
  return textMap(metadata(value).labels);
}

/** `spec.selector` as a map or its matchLabels; a plain value may have `selector` itself. */
export function selector(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  const own = isRecord(value.spec) ? (value.spec.selector ?? value.spec.podSelector) : value.selector;
  return textMap(isRecord(own) && isRecord(own.matchLabels) ? own.matchLabels : own);
}

export function namespace(key: string, value: unknown): string {
  const own = metadata(value).namespace;
  if (typeof own === 'string') return own;
  return key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
}

/** One version of the object that was changed; undefined where it did not exist. */
export interface Version {
  readonly key: string;
  readonly value: unknown;
}

/** One side of a clause: what the object says, and whether that matches; undefined if only a run could tell. */
interface Side {
  readonly has: string;
  readonly matches: boolean | undefined;
}

interface Part {
  readonly clause: string;
  readonly wants: string;
  side(version: Version): Side;
}

function labelPart(name: string, wanted: string): Part {
  return {
    clause: `labels.${name}`,
    wants: `= ${wanted}`,
    side: version => {
      const has = labels(version.value)[name];
      return {has: has ?? 'none', matches: has === wanted};
    },
  };
}

/** The object's own selector must hold for the labels that were asked with: a row for each of its entries. */
function selectsParts(
  clause: Clause & {kind: 'selects'},
  versions: readonly (Version | undefined)[],
): Part[] {
  const names = new Set<string>();
  for (const version of versions)
    if (version) for (const name of Object.keys(selector(version.value))) names.add(name);
  const parts: Part[] = [];
  if (clause.nonEmpty && names.size === 0)
    parts.push({
      clause: 'selector',
      wants: 'not empty',
      side: version => {
        const size = Object.keys(selector(version.value)).length;
        return {has: size === 0 ? '{}' : `${size} labels`, matches: size > 0};
      },
    });
  for (const name of names) {
    const offered = clause.labels[name];
    parts.push({
      clause: `selector.${name}`,
      wants: offered === undefined ? 'not asked for' : `= ${offered}`,
      side: version => {
        const has = selector(version.value)[name];
        return {has: has ?? 'none', matches: has === undefined || has === offered};
      },
    });
  }
  return parts;
}

function partsOf(
  clause: Clause,
  found: ReadonlySet<string>,
  complete: boolean,
  versions: readonly (Version | undefined)[],
): Part[] {
  /** What only a run can evaluate is told by whether the fetch found it, where its list of keys is whole. */
  const byResult = (version: Version): boolean | undefined =>
    found.has(version.key) ? true : complete ? false : undefined;
  switch (clause.kind) {
    case 'all':
      return [{clause: 'all', wants: 'every item', side: version => ({has: version.key, matches: true})}];
    case 'keys':
      return [
        {
          clause: 'key',
          wants:
            clause.keys.length === 1
              ? `= ${clause.keys[0]}`
              : `one of ${clause.keys.slice(0, 5).join(', ') || 'nothing'}`,
          side: version => ({has: version.key, matches: clause.keys.includes(version.key)}),
        },
      ];
    case 'namespace':
      return [
        {
          clause: 'metadata.namespace',
          wants: `= ${clause.namespace}`,
          side: version => {
            const has = namespace(version.key, version.value);
            return {has: has || 'none', matches: has === clause.namespace};
          },
        },
      ];
    case 'labels':
      return Object.entries(clause.labels).map(([name, wanted]) => labelPart(name, wanted));
    case 'selects':
      return selectsParts(clause, versions);
    case 'index':
      return [
        {
          clause: `index ${clause.index}`,
          wants: `= ${clause.value}`,
          side: version => ({
            has: byResult(version) ? clause.value : 'another bucket',
            matches: byResult(version),
          }),
        },
      ];
    case 'generic':
      return [
        {
          clause: clause.name,
          wants: 'true',
          side: version => ({has: String(byResult(version) ?? 'unknown'), matches: byResult(version)}),
        },
      ];
  }
}

export interface Evaluated {
  readonly rows: Row[];
  /** All clauses hold; undefined if some cannot be told and no other fails. */
  readonly matchesOld: boolean | undefined;
  readonly matchesNew: boolean | undefined;
  /** How many clauses the newest version fails. */
  readonly failing: number;
}

function all(sides: readonly (boolean | undefined)[], exists: boolean): boolean | undefined {
  if (!exists || sides.includes(false)) return false;
  return sides.includes(undefined) ? undefined : true;
}

/**
 * `found` are the keys that the fetch returned when it ran, `complete` whether those are all of them. A clause that only
 * a run can evaluate counts as failing only if every other one holds and the object was not found.
 */
export function evaluate(
  clauses: readonly Clause[],
  old: Version | undefined,
  now: Version | undefined,
  found: ReadonlySet<string>,
  complete: boolean,
): Evaluated {
  const rows: Row[] = [];
  for (const clause of clauses) {
    for (const part of partsOf(clause, found, complete, [old, now])) {
      const before = old ? part.side(old) : undefined;
      const after = now ? part.side(now) : undefined;
      rows.push({
        clause: part.clause,
        wants: part.wants,
        ...(before ? {old: before.has} : {}),
        ...(after ? {new: after.has} : {}),
        ...(before?.matches !== undefined ? {matchesOld: before.matches} : {}),
        ...(after?.matches !== undefined ? {matchesNew: after.matches} : {}),
      });
    }
  }
  // An opaque clause is judged by the whole result, which the plain ones may have decided already: do not blame it then.
  const plainFails = rows.some(r => !isOpaque(r) && (now ? r.matchesNew : r.matchesOld) === false);
  if (plainFails) for (const row of rows) if (isOpaque(row)) forget(row);
  return {
    rows,
    matchesOld: all(
      rows.map(r => r.matchesOld),
      old !== undefined,
    ),
    matchesNew: all(
      rows.map(r => r.matchesNew),
      now !== undefined,
    ),
    failing: rows.filter(r => (now ? r.matchesNew : r.matchesOld) === false).length,
  };
}

function isOpaque(row: Row): boolean {
  return row.wants === 'true' || row.clause.startsWith('index ');
}

function forget(row: Row): void {
  delete row.matchesOld;
  delete row.matchesNew;
}

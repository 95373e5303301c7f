// A recorded filter against one object, clause by clause: what each wants, what the object has, whether it matches.
// What indexes and functions say, a living engine tells; in a recording it is told from what the fetch found.
import type {EvidenceClause as Row} from '@krtscope/shared/why.ts';
import type {Clause} from '../../krt/index.ts';
import type {ClauseOutcome} from '../records.ts';
import {NOT_SELECTED, NOT_SET} from './label-sides.ts';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function metadataOf(value: unknown): Record<string, unknown> {
  return isRecord(value) && isRecord(value.metadata) ? value.metadata : isRecord(value) ? value : {};
}

function textMap(value: unknown): Record<string, string> {
  const map: Record<string, string> = {};
  if (isRecord(value)) for (const [name, own] of Object.entries(value)) map[name] = String(own);
  return map;
}

export function labelsOf(value: unknown): Record<string, string> {
  return textMap(metadataOf(value).labels);
}

/** `spec.selector` as a map or its matchLabels; a plain value may have `selector` itself. */
export function selectorOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  const own = isRecord(value.spec) ? (value.spec.selector ?? value.spec.podSelector) : value.selector;
  return textMap(isRecord(own) && isRecord(own.matchLabels) ? own.matchLabels : own);
}

export function namespaceOf(key: string, value: unknown): string {
  const own = metadataOf(value).namespace;
  if (typeof own === 'string') return own;
  return key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
}

/** One version of the object that was changed; undefined where it did not exist. */
export interface ObjectVersion {
  readonly key: string;
  readonly value: unknown;
  /** What the engine itself says of it, for each clause: a collection may have labels and selectors of its own making. */
  readonly tested?: readonly ClauseOutcome[] | undefined;
}

/** One side of a clause: what the object says, and whether that matches; undefined if only a run could tell. */
interface ClauseSide {
  readonly has: string;
  readonly matches: boolean | undefined;
}

interface ClauseTest {
  readonly clause: string;
  readonly wants: string;
  side(version: ObjectVersion): ClauseSide;
}

/** What the engine found of a version for the clause at this place, or what the value itself says. */
function foundMap(version: ObjectVersion, at: number, read: (value: unknown) => Record<string, string>) {
  const found = version.tested?.[at]?.found;
  return isRecord(found) ? textMap(found) : read(version.value);
}

function labelTest(name: string, wanted: string, at: number): ClauseTest {
  return {
    clause: `labels.${name}`,
    wants: `= ${wanted}`,
    side: version => {
      const has = foundMap(version, at, labelsOf)[name];
      return {has: has ?? NOT_SET, matches: has === wanted};
    },
  };
}

/** The object's own selector must hold for the labels that were asked with: a row for each of its entries. */
function selectorTests(
  clause: Clause & {kind: 'selects'},
  at: number,
  versions: readonly (ObjectVersion | undefined)[],
): ClauseTest[] {
  const own = (version: ObjectVersion): Record<string, string> => foundMap(version, at, selectorOf);
  const names = new Set<string>();
  for (const version of versions) if (version) for (const name of Object.keys(own(version))) names.add(name);
  const parts: ClauseTest[] = [];
  const isEmpty = (version: ObjectVersion | undefined): boolean =>
    version !== undefined && Object.keys(own(version)).length === 0;
  if (clause.nonEmpty && versions.some(isEmpty))
    parts.push({
      clause: 'selector',
      wants: 'not empty',
      side: version => {
        const size = Object.keys(own(version)).length;
        return {has: size === 0 ? '{}' : `${size} ${size === 1 ? 'label' : 'labels'}`, matches: size > 0};
      },
    });
  for (const name of names) {
    const offered = clause.labels[name];
    parts.push({
      clause: `selector.${name}`,
      wants: offered === undefined ? NOT_SELECTED : `= ${offered}`,
      side: version => {
        const has = own(version)[name];
        return {has: has ?? NOT_SET, matches: has === undefined || has === offered};
      },
    });
  }
  return parts;
}

// One case for each kind of clause.
function clauseTestsOf(
  clause: Clause,
  at: number,
  found: ReadonlySet<string>,
  complete: boolean,
  versions: readonly (ObjectVersion | undefined)[],
): ClauseTest[] {
  /** What only a run can evaluate is told by whether the fetch found it, where its list of keys is whole. */
  const byResult = (version: ObjectVersion): boolean | undefined =>
    version.tested?.[at]?.matches ?? (found.has(version.key) ? true : complete ? false : undefined);
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
            const seen = version.tested?.[at]?.found;
            const has = typeof seen === 'string' ? seen : namespaceOf(version.key, version.value);
            return {has: has || 'none', matches: has === clause.namespace};
          },
        },
      ];
    case 'labels':
      return Object.entries(clause.labels).map(([name, wanted]) => labelTest(name, wanted, at));
    case 'selects':
      return selectorTests(clause, at, versions);
    case 'index':
      return [
        {
          clause: `index ${clause.index}`,
          wants: `= ${clause.value}`,
          side: version => {
            const matches = byResult(version);
            const keys = version.tested?.[at]?.found;
            if (Array.isArray(keys)) return {has: keys.join(', ') || 'none', matches};
            return {has: matches ? clause.value : 'another bucket', matches};
          },
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

export interface FilterEvaluation {
  readonly rows: Row[];
  /** All clauses hold; undefined if some cannot be told and no other fails. */
  readonly matchesOld: boolean | undefined;
  readonly matchesNew: boolean | undefined;
  /** How many clauses the newest version fails. */
  readonly failing: number;
}

function allMatch(sides: readonly (boolean | undefined)[], exists: boolean): boolean | undefined {
  if (!exists || sides.includes(false)) return false;
  return sides.includes(undefined) ? undefined : true;
}

/**
 * `found` are the keys that the fetch returned when it ran, `complete` whether those are all of them. A clause that only
 * a run can evaluate counts as failing only if every other one holds and the object was not found.
 */
export function evaluateFilter(
  clauses: readonly Clause[],
  old: ObjectVersion | undefined,
  now: ObjectVersion | undefined,
  found: ReadonlySet<string>,
  complete: boolean,
): FilterEvaluation {
  const rows: Row[] = [];
  for (const [at, clause] of clauses.entries()) {
    for (const part of clauseTestsOf(clause, at, found, complete, [old, now])) {
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
  const isTested = (now ?? old)?.tested !== undefined;
  const plainFails =
    !isTested && rows.some(r => !isOpaque(r) && (now ? r.matchesNew : r.matchesOld) === false);
  if (plainFails) for (const row of rows) if (isOpaque(row)) clearMatches(row);
  return {
    rows,
    matchesOld: allMatch(
      rows.map(r => r.matchesOld),
      old !== undefined,
    ),
    matchesNew: allMatch(
      rows.map(r => r.matchesNew),
      now !== undefined,
    ),
    failing: rows.filter(r => (now ? r.matchesNew : r.matchesOld) === false).length,
  };
}

function isOpaque(row: Row): boolean {
  return row.wants === 'true' || row.clause.startsWith('index ');
}

function clearMatches(row: Row): void {
  delete row.matchesOld;
  delete row.matchesNew;
}

// Evaluates a recorded filter on one object, clause by clause: what each wants, what the object has, whether it matches.
// A running engine evaluates indexes and functions. For a recording the result of the fetch decides them.
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

/** `spec.selector` as a map, or its matchLabels; a plain value may have `selector`. */
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

/** One version of an object. */
export interface ObjectVersion {
  readonly key: string;
  readonly value: unknown;
  /** The engine's result for each clause: a collection may compute its labels and selectors. */
  readonly tested?: readonly ClauseOutcome[] | undefined;
}

/** What the object has, and whether that matches; undefined if only a run can decide it. */
interface ClauseSide {
  readonly has: string;
  readonly matches: boolean | undefined;
}

interface ClauseTest {
  readonly clause: string;
  readonly wants: string;
  side(version: ObjectVersion): ClauseSide;
}

/** The labels or selector that the engine found, else those of the value. */
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

/** The object's selector must match the labels of the fetch: one row for each entry. */
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

function clauseTestsOf(
  clause: Clause,
  at: number,
  found: ReadonlySet<string>,
  complete: boolean,
  versions: readonly (ObjectVersion | undefined)[],
): ClauseTest[] {
  /** Only a run can evaluate such a clause. The result of the fetch decides it, if the list of keys is complete. */
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
  /** All clauses match; undefined if some are unknown and no other fails. */
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
 * `found`: the keys that the fetch returned; `complete`: whether that list is complete. A clause that only a run can
 * evaluate fails only if every other clause matches and the fetch did not find the object.
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
  // The whole result decides an opaque clause. A plain clause that fails explains the result already.
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

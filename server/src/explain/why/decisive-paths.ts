// Finds the changed paths of a cause that made the difference, the one from which the most follows first.
import type {PathChange} from '@krtscope/shared/why.ts';
import type {Repeated} from '../../krt/index.ts';
import {rankChanges} from '../evidence/change-rank.ts';
import {changedPaths} from '../evidence/diff.ts';
import {isPathRead, type RerunReader} from '../evidence/field-reads.ts';
import {revertPath} from '../evidence/path-revert.ts';
import type {RecordedChange, RecordedRun} from '../records.ts';
import {counterfactualTest, relevanceOf, withoutRelevance} from './decisive-causes.ts';
import type {ExplainTarget} from './explain-target.ts';
import {differenceBetween, WHOLE_ROW} from './heaviest-write.ts';

/** Paths that are reverted, one at a time. */
const MAX_PATHS = 48;

/** `needed`: the first decisive path; undefined if no path alone made the difference. */
export interface DecisivePaths {
  readonly changes: readonly PathChange[];
  readonly needed: PathChange | undefined;
}

/** How much of a result depends on something: rows, then fields, then paths that differ without it. */
function differenceInResult(base: Repeated, without: Repeated): number {
  if (base.error !== without.error || base.discarded !== without.discarded) return WHOLE_ROW;
  const others = new Map(without.items.map(({key, item}) => [key, item]));
  let sum = 0;
  for (const {key, item} of base.items) {
    sum += differenceBetween(others.get(key), item);
    others.delete(key);
  }
  return sum + others.size * WHOLE_ROW;
}

export function findDecisivePaths(
  reader: RerunReader,
  run: RecordedRun,
  change: RecordedChange,
  target: ExplainTarget,
): DecisivePaths {
  const changes = markReadPaths(reader, run, change);
  const repeat = reader.rerun(run);
  const {base, faith} = repeat;
  if (faith.repeat !== 'same' || base === undefined || change.event !== 'update')
    return {changes, needed: changes.find(one => one.read !== false)};
  const {collection, key} = change;
  const without = (path: PathChange) => [{collection, key, value: revertPath(change.new, path)}];
  const decisiveFor = (asked: ExplainTarget): PathChange[] => {
    const differs = counterfactualTest(reader, run, asked);
    return changes.slice(0, MAX_PATHS).filter(one => differs(without(one)));
  };
  let decisive = decisiveFor(target);
  if (decisive.length === 0 && relevanceOf(target)) decisive = decisiveFor(withoutRelevance(target));
  if (decisive.length === 0) decisive = changes.filter(one => one.read === true).slice(0, 1);
  const weight = new Map(decisive.map(one => [one, differenceInResult(base, repeat.runWith(without(one)))]));
  const sorted = decisive.toSorted((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0));
  const marked = sorted.map(one => ({...one, needed: true}));
  return {changes: [...marked, ...changes.filter(one => !decisive.includes(one))], needed: marked[0]};
}

/** Changed paths with whether the run read them, the likeliest first. */
function markReadPaths(reader: RerunReader, run: RecordedRun, change: RecordedChange): PathChange[] {
  const changes = change.event === 'update' ? changedPaths(change.old, change.new) : [];
  if (changes.length === 0) return [];
  const reads = reader.pathsRead(run, change);
  return rankChanges(
    changes.map(one =>
      reads === undefined || one.path === '' ? one : {...one, read: isPathRead(one.path, reads)},
    ),
  );
}

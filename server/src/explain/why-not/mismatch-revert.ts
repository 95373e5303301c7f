// The revert of the write since which a fetch does not find the object. It lasts longer than a change of the other side.
import {parsePath} from '@krtscope/shared/path.ts';
import type {Evidence} from '@krtscope/shared/why.ts';
import {changedPaths} from '../evidence/diff.ts';
import {labelSidesOf} from '../evidence/label-sides.ts';
import {writerOf} from '../evidence/writer.ts';
import {overwriteNoteOf, revertOfWrite} from '../origin/write-fix.ts';
import {failingClause, lastMatchingChange, lastMatchingFilter, type VerdictFacts} from './verdict-facts.ts';

/** Undefined where the write is not known, or where another write has changed the value since. */
export function revertOfMismatch(facts: VerdictFacts): Pick<Evidence, 'command' | 'commandNote'> | undefined {
  const {look, exists, reader, records} = facts;
  const failing = failingClause(facts);
  // Two clauses that fail may come from two writes.
  if (!look?.best || !exists || !failing || look.best.tried.failing !== 1) return undefined;
  const change = lastMatchingFilter(facts, look.best)?.change ?? lastMatchingChange(facts, look.best.fetch);
  if (change?.event !== 'update') return undefined;
  const label = labelSidesOf(failing)?.label;
  const paths = changedPaths(change.old, change.new).map(one => one.path);
  const path = paths.length === 1 ? paths[0] : paths.find(one => parsePath(one).at(-1) === label);
  const at = facts.at ?? records.newest();
  const command = revertOfWrite(reader, change, path, at, undefined);
  if (command === undefined) return undefined;
  const note = overwriteNoteOf(records, change, writerOf(change)?.manager, at);
  return {command, ...(note === undefined ? {} : {commandNote: note})};
}

// The fix of an origin: the command that reverts its write, and whether a tool will overwrite a manual change.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {revertCommand} from '../evidence/kubectl-command.ts';
import {managingToolOf} from '../evidence/managing-tool.ts';
import {revertPath} from '../evidence/path-revert.ts';
import {type CounterfactualObject, Rerun} from '../evidence/rerun.ts';
import type {RecordedChange, RecordedRun, Records} from '../records.ts';
import {type ExplainTarget, isSameOrEmpty, targetValue} from '../why/explain-target.ts';
import {overwrittenFixWords} from '../wording/fix-sentence.ts';

/** A run, and the part of its result that the question is about. */
export interface RunStep {
  readonly run: RecordedRun;
  readonly target: ExplainTarget;
}

/** Undefined where the revert would not change the asked value now, or where no command can put the old value back. */
export function revertOfWrite(
  reader: RerunReader,
  change: RecordedChange,
  path: string | undefined,
  at: number,
  step: RunStep | undefined,
): string | undefined {
  const {records} = reader;
  const {collection, key, event} = change;
  const resource = records.collection(collection, at)?.resource;
  if (event !== 'update' || path === undefined || path === '' || resource === undefined) return undefined;
  const object = records.value(collection, key, at);
  if (object === undefined || !deepEqual(readPath(object, path), readPath(change.new, path)))
    return undefined;
  const old = readPath(change.old, path);
  const reverted = revertPath(object, {path, old, new: readPath(object, path)});
  if (step !== undefined && !wouldFix(reader, step, {collection, key, value: reverted}, at)) return undefined;
  return revertCommand(resource, key, {path, old, object});
}

/** Repeats the run with the object reverted: other objects may have changed since the write. */
function wouldFix(
  reader: RerunReader,
  {run, target}: RunStep,
  reverted: CounterfactualObject,
  at: number,
): boolean {
  const {records} = reader;
  const {collection, input} = run;
  const last = records.hasInput(collection, input, at) ? records.lastRun(collection, input, at) : undefined;
  if (last === undefined) return false;
  // Over the state of the asked moment: its recorded fetches are from an earlier one.
  const repeat = new Rerun(records, {...last, id: '-1', sequence: at, fetches: []});
  if (repeat.faith.repeat !== 'same' || repeat.base === undefined) return false;
  const now = targetValue(records, repeat.run, repeat.base, target);
  return !isSameOrEmpty(now, targetValue(records, repeat.run, repeat.runWith([reverted]), target));
}

/** The note for an object that Helm, Argo CD or Flux manages. */
export function overwriteNoteOf(
  records: Records,
  {collection, key}: RecordedChange,
  manager: string | undefined,
  at: number,
): string | undefined {
  const tool = managingToolOf(records.value(collection, key, at), manager);
  return tool && overwrittenFixWords({collection, key}, tool);
}

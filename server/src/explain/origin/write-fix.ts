// The fix of an origin: the command that reverts its write, and whether a tool will overwrite a manual change.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {readPath} from '@krtscope/shared/path.ts';
import {revertCommand} from '../evidence/kubectl-command.ts';
import {managingToolOf} from '../evidence/managing-tool.ts';
import type {RecordedChange, Records} from '../records.ts';
import {overwrittenFixWords} from '../wording/fix-sentence.ts';

/** Undefined where the object has changed there since, or where no command can put the old value back. */
export function revertOfWrite(
  records: Records,
  change: RecordedChange,
  path: string | undefined,
  at: number,
): string | undefined {
  const {collection, key, event} = change;
  const resource = records.collection(collection, at)?.resource;
  if (event !== 'update' || path === undefined || path === '' || resource === undefined) return undefined;
  const object = records.value(collection, key, at);
  if (object === undefined || !deepEqual(readPath(object, path), readPath(change.new, path)))
    return undefined;
  return revertCommand(resource, key, {path, old: readPath(change.old, path), object});
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

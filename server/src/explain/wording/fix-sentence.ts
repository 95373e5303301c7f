// Words beside a command that fixes something.
import {objectName} from '@krtscope/shared/object-name.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';

/** A manual change of an object that a tool manages does not last. */
export function overwrittenFixWords(
  object: ItemRef,
  {tool, source}: {readonly tool: string; readonly source: string | undefined},
): string {
  const where = source === undefined ? '' : ` (${source})`;
  return `${tool} manages ${objectName(object)}${where} and will overwrite a manual change: change it at its source.`;
}

// The row that a command is about: COLLECTION KEY, or COLLECTION/KEY as kubectl writes TYPE/NAME.

import type {CommandHelp} from './command.ts';
import {type CommandLine, usageError} from './command-line.ts';
import {collectionNameOf, splitReference} from './get/find-collection.ts';
import type {InstanceTarget} from './instance-client.ts';

export async function rowOf(
  line: CommandLine,
  help: Pick<CommandHelp, 'usage'>,
  target: () => InstanceTarget,
): Promise<{collection: string; key: string}> {
  const [first, second, ...others] = line.words;
  if (first === undefined || others.length > 0) throw usageError(help);
  const {collection, key} =
    second === undefined
      ? await splitReference(target(), first, line.text('at'))
      : {collection: first, key: second};
  if (key === undefined) throw usageError(help);
  const namespace = line.text('namespace');
  return {
    collection: await collectionNameOf(target(), collection, line.text('at')),
    key: namespace !== undefined && !key.includes('/') ? `${namespace}/${key}` : key,
  };
}

export const namespaceFlag = {
  type: 'string',
  short: 'n',
  value: 'NAME',
  help: 'the namespace of KEY, if KEY is a name alone',
} as const;

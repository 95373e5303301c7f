// The row that a command is about: COLLECTION KEY, or COLLECTION/KEY as kubectl writes TYPE/NAME.

import type {CommandHelp} from './command.ts';
import {type CommandLine, usageError} from './command-line.ts';
import {collectionNameOf} from './get/find-collection.ts';
import type {InstanceTarget} from './instance-client.ts';

export async function rowOf(
  line: CommandLine,
  help: Pick<CommandHelp, 'usage'>,
  target: () => InstanceTarget,
): Promise<{collection: string; key: string}> {
  const [first, second, ...others] = line.words;
  const [, kind, name] = second === undefined ? (/^([^/]+)\/(.+)$/.exec(first ?? '') ?? []) : [];
  const collection = kind ?? first;
  const key = name ?? second;
  if (collection === undefined || key === undefined || others.length > 0) throw usageError(help);
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

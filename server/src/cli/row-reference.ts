// The row that a command is about: COLLECTION KEY, or COLLECTION/KEY as kubectl writes TYPE/NAME.

import type {CommandHelp} from './command.ts';
import {type CommandLine, usageError} from './command-line.ts';
import {collectionNameOf, splitReference} from './get/find-collection.ts';
import {findOnlyKey} from './get/get-rows.ts';
import {
  exitWithError,
  fetchFromInstance,
  InstanceError,
  type InstanceTarget,
  requestFromInstance,
} from './instance-client.ts';

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

/**
 * Asks about a row. A name without its namespace is found if it is the only one. Ends the process if the instance refuses.
 */
export async function askAboutRow(
  target: InstanceTarget,
  path: string,
  {collection, key}: {collection: string; key: string},
  query: Record<string, string | undefined>,
): Promise<unknown> {
  const ask = (of: string) =>
    fetchFromInstance(target, `/${path}/${encodeURIComponent(collection)}/${encodeURIComponent(of)}`, query);
  try {
    return await ask(key);
  } catch (error) {
    const isName = error instanceof InstanceError && error.code === 'unknown-key' && !key.includes('/');
    const only = isName ? await findOnlyKey(target, collection, key, query.at) : undefined;
    if (only === undefined) return exitWithError((error as Error).message);
    return requestFromInstance(
      target,
      `/${path}/${encodeURIComponent(collection)}/${encodeURIComponent(only)}`,
      query,
    );
  }
}

export const namespaceFlag = {
  type: 'string',
  short: 'n',
  value: 'NAME',
  help: 'the namespace of KEY, if KEY is a name alone',
} as const;

// Fetches rows of a collection: page by page, or by their keys.
import {
  exitWithError,
  fetchFromInstance,
  InstanceError,
  type InstanceTarget,
  requestFromInstance,
} from '../instance-client.ts';
import type {CollectionRow} from './row-columns.ts';

export interface RowsAnswer {
  sequence: number;
  total: number;
  items: CollectionRow[];
  cursor?: string;
}

export type RowQuery = Record<string, string | undefined>;

const pathOf = (collection: string, key?: string) =>
  `/collections/${encodeURIComponent(collection)}/items${key === undefined ? '' : `/${encodeURIComponent(key)}`}`;

/** One answer holds at most a thousand rows. Throws InstanceError. */
export async function fetchRows(
  target: InstanceTarget,
  collection: string,
  query: RowQuery,
  wanted: number,
): Promise<RowsAnswer> {
  const items: CollectionRow[] = [];
  let cursor: string | undefined;
  for (;;) {
    const limit = String(Math.min(1000, wanted - items.length));
    const page = (await fetchFromInstance(target, pathOf(collection), {
      ...query,
      limit,
      cursor,
    })) as RowsAnswer;
    items.push(...page.items);
    cursor = page.cursor;
    if (cursor === undefined || items.length >= wanted) return {...page, items, cursor};
  }
}

interface RowDetail extends CollectionRow {
  outputs: readonly string[];
}

/** The row of this key. A name without its namespace is found if it is the only one. Ends the process if there is none. */
export async function fetchRow(
  target: InstanceTarget,
  collection: string,
  name: string,
  namespace: string | undefined,
  at: string | undefined,
): Promise<CollectionRow> {
  const key = namespace !== undefined && !name.includes('/') ? `${namespace}/${name}` : name;
  try {
    const detail = (await fetchFromInstance(target, pathOf(collection, key), {at})) as RowDetail;
    if (detail.outcome === 'deleted')
      return exitWithError(`${collection} ${key} was deleted; krtscope why ${collection} ${key} says when`);
    if (detail.value !== null && detail.value !== undefined) return detail;
    return exitWithError(
      `${key} is an input of ${collection}; its rows: ${detail.outputs.join(', ') || 'none'}`,
    );
  } catch (error) {
    if (!(error instanceof InstanceError) || error.code !== 'unknown-key' || key.includes('/'))
      return exitWithError((error as Error).message);
    const only = await findOnlyKey(target, collection, key, at);
    if (only === undefined) return exitWithError(error.message);
    return fetchRow(target, collection, only, undefined, at);
  }
}

/** The key of the row with this name. Ends the process if several namespaces have one. */
export async function findOnlyKey(
  target: InstanceTarget,
  collection: string,
  name: string,
  at: string | undefined,
): Promise<string | undefined> {
  const keys = await findKeys(target, collection, name, at);
  if (keys.length > 1)
    exitWithError(`${name} is in several namespaces: ${keys.slice(0, 5).join(', ')}; give -n NAMESPACE`);
  return keys[0];
}

async function findKeys(
  target: InstanceTarget,
  collection: string,
  name: string,
  at: string | undefined,
): Promise<string[]> {
  const query = {q: `"${name.replaceAll('"', '')}"`, limit: '1000', at};
  const {items} = (await requestFromInstance(target, pathOf(collection), query)) as RowsAnswer;
  return items.map(item => item.key).filter(key => key.endsWith(`/${name}`));
}

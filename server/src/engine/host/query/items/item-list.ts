// The items of one collection for scripts: filtered, sorted, page by page with a cursor.
import type {Items} from '@krtscope/shared/items.ts';
import {type Records, Unanswerable} from '../../../../explain/records.ts';
import {runToEnd} from '../../../../history/incremental-work.ts';
import {compareKeys, parseSort, type SortKey} from '../sheet/sorted-list.ts';
import {compareRowsBy, type ViewParams, type ViewRow, WindowView} from '../sheet/window-view.ts';
import {changedKeysBetween} from './changed-keys.ts';
import {itemOf, momentOf} from './item.ts';

/** The place of the last item shown, so that the next page is found even if that item is gone. */
interface ListCursor {
  readonly key: string;
  readonly at: number;
  readonly sort: SortKey;
}

function encodeCursor({key, at, sort}: ListCursor): string {
  const parts = sort === undefined ? [key, at] : [key, at, sort];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function decodeCursor(text: string): ListCursor {
  try {
    const [key, at, sort] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    if (typeof key === 'string' && Number.isSafeInteger(at) && isSortKey(sort))
      return {key, at: at as number, sort};
  } catch {
    // Falls through: the cursor is invalid.
  }
  throw new Unanswerable(
    'bad-query',
    'the cursor is not valid',
    'pass the cursor of the page before, or none',
  );
}

function isSortKey(value: unknown): value is SortKey {
  return ['undefined', 'string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Makes one page. Later pages read the moment of the first one while it is retained, so that no item is missed or
 * repeated. Once that moment has rolled off, they continue in the present after the last item's place.
 */
export function listItems(records: Records, params: ListParams): Items {
  return runToEnd(listSteps(records, params));
}

export type ListParams = ViewParams & {limit: number; cursor?: string | undefined};

/** Makes a page in steps. */
export function* listSteps(records: Records, params: ListParams): Generator<undefined, Items> {
  const cursor = params.cursor === undefined ? undefined : decodeCursor(params.cursor);
  const wanted = params.at ?? (cursor && cursor.at >= records.oldest() ? cursor.at : undefined);
  const at = momentOf(records, wanted);
  const view = new WindowView(records, {...params, at, group: undefined, plain: true});
  const began = records.newest();
  yield* view.fill();
  if (at === undefined)
    view.refreshRows(
      changedKeysBetween(records, began + 1, records.newest()).get(params.collection) ?? new Set(),
    );
  const list = view.entries();
  const start = cursor === undefined ? 0 : countThroughCursor(list, cursor, params.sort);
  const page = list.slice(start, start + params.limit);
  const last = page[page.length - 1];
  const sequence = at ?? records.newest();
  return {
    sequence,
    total: list.length,
    items: page.map(entry => itemOf(records, params.collection, entry.key, at)),
    ...(last && start + page.length < list.length
      ? {cursor: encodeCursor({key: last.key, at: sequence, sort: last.sort})}
      : {}),
  };
}

/** The number of entries up to the cursor's place. */
function countThroughCursor(
  list: readonly ViewRow[],
  {key, sort}: ListCursor,
  by: string | undefined,
): number {
  const order = compareRowsBy(parseSort(by));
  const shown: ViewRow = {key, sort, group: '', worst: undefined};
  const next = list.findIndex(entry => (order(entry, shown) || compareKeys(entry.key, key)) > 0);
  return next < 0 ? list.length : next;
}

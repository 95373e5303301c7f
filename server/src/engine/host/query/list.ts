// The items of one collection for scripts: filtered, sorted, page by page with a cursor.
import type {Items} from '@krtscope/shared/items.ts';
import {type Records, Unanswerable} from '../../../explain/records.ts';
import {itemOf, momentOf} from './item.ts';
import {type ViewParams, WindowView} from './window-view.ts';

interface Cursor {
  readonly key: string;
  readonly at: number;
}

function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.key, cursor.at])).toString('base64url');
}

function decode(text: string): Cursor {
  try {
    const [key, at] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown];
    if (typeof key === 'string' && Number.isSafeInteger(at)) return {key, at: at as number};
  } catch {
    // Falls through: a cursor that is not ours, whatever is wrong with it.
  }
  throw new Unanswerable(
    'bad-query',
    'that cursor is not one of ours',
    'pass the cursor of the page before, or none',
  );
}

/**
 * One page. Later pages read the moment of the first one while it is kept, so that nothing is shown twice or missed;
 * once it has rolled off they go on in the present, after the last key that was shown.
 */
export function listItems(
  records: Records,
  params: ViewParams & {limit: number; cursor?: string | undefined},
): Items {
  const cursor = params.cursor === undefined ? undefined : decode(params.cursor);
  const wanted = params.at ?? (cursor && cursor.at >= records.oldest() ? cursor.at : undefined);
  const at = momentOf(records, wanted);
  const list = new WindowView(records, {...params, at, group: undefined}).entries();
  let start = 0;
  if (cursor) {
    const place = list.findIndex(entry => entry.key === cursor.key);
    start = place >= 0 ? place + 1 : list.findIndex(entry => entry.key > cursor.key);
    if (start < 0) start = list.length;
  }
  const page = list.slice(start, start + params.limit);
  const more = start + page.length < list.length;
  const sequence = at ?? records.newest();
  return {
    sequence,
    total: list.length,
    items: page.map(entry => itemOf(records, params.collection, entry.key, at)),
    ...(more ? {cursor: encode({key: page[page.length - 1]!.key, at: sequence})} : {}),
  };
}

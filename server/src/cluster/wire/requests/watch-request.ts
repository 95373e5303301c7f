// A watch over HTTP: one JSON line an event, flushed at once, closed when the client falls too far behind.
import type {Api} from '../../api.ts';
import type {JsonObject, StoredObject} from '../../object/stored-object.ts';
import {checkWatch, startWatch, type WatchSink} from '../../verbs/watch.ts';
import type {Exchange} from '../exchange.ts';
import {ResponseShaper} from '../responses/response-shape.ts';
import {waitForDrain} from '../responses/stream-list.ts';
import type {RequestTarget} from '../route.ts';
import {parseWatchQuery} from './query-options.ts';

// A client this far behind is cut off; it resumes from its last revision. Single events are never dropped.
const MOST_UNSENT = 64 * 1024 * 1024;

// A list in a stream goes out in pieces of this size, so that a large one neither fills memory nor looks slow.
const COMFORTABLE = 1024 * 1024;

let lastObject: unknown;
let lastText = '';

/** Parts that the next version of their object may share, as text. A few hundred: enough for what changes all the time. */
const parts = new Map<object, string>();
const MOST_PARTS = 400;

function partText(value: object): string {
  const known = parts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  parts.set(value, text);
  if (parts.size > MOST_PARTS) parts.delete(parts.keys().next().value!);
  return text;
}

/** Many watchers get the same object in a row: it is written out once, its spec and status once for all versions. */
function textOf(object: StoredObject | JsonObject): string {
  if (object === lastObject) return lastText;
  const fields: string[] = [];
  for (const [field, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const shared = (field === 'spec' || field === 'status') && typeof value === 'object' && value !== null;
    fields.push(`${JSON.stringify(field)}:${shared ? partText(value) : JSON.stringify(value)}`);
  }
  lastText = `{${fields.join(',')}}`;
  lastObject = object;
  return lastText;
}

export function answerWatch(api: Api, target: RequestTarget, exchange: Exchange): void {
  const query = parseWatchQuery(exchange.query);
  if (target.name !== '') {
    const name = `metadata.name=${target.name}`;
    query.fieldSelector = query.fieldSelector === '' ? name : `${query.fieldSelector},${name}`;
  }
  checkWatch(target.resource, query);
  const shaper = new ResponseShaper(api, target.resource, exchange);
  const {response} = exchange;
  const type = shaper.form.as === '' ? 'application/json' : `${shaper.contentType};stream=watch`;
  response.writeHead(200, {'content-type': type, 'transfer-encoding': 'chunked'});
  response.flushHeaders();
  const sink: WatchSink = {
    send(kind, object) {
      response.write(`{"type":"${kind}","object":${textOf(shaper.event(object, kind))}}\n`);
      return response.writableLength < MOST_UNSENT;
    },
    end: () => response.end(),
    get full() {
      return response.writableLength > COMFORTABLE;
    },
    drained: () => waitForDrain(response),
  };
  const stop = startWatch(api, target.resource, target.namespace, query, sink);
  response.on('close', stop);
}

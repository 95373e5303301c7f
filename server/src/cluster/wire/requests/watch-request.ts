// A watch over HTTP: one JSON line per event, flushed at once. Closes when the client is too far behind.
import type {Api} from '../../api.ts';
import type {JsonObject, StoredObject} from '../../object/stored-object.ts';
import {checkWatch, startWatch, type WatchSink} from '../../verbs/watch.ts';
import type {Exchange} from '../exchange.ts';
import {ResponseShaper} from '../responses/response-shape.ts';
import {waitForDrain} from '../responses/stream-list.ts';
import type {RequestTarget} from '../route.ts';
import {parseWatchQuery} from './query-options.ts';

// Disconnects a client that is this far behind. It resumes from its last revision; no single event is
// dropped.
const MOST_UNSENT = 64 * 1024 * 1024;

// Streams the initial list in pieces of this size, to save memory and to send early.
const COMFORTABLE = 1024 * 1024;

let lastObject: unknown;
let lastText = '';

/**
 * Texts of parts that the next version of an object may share. A few hundred are enough for objects that
 * change often.
 */
const parts = new Map<object, string>();
const MOST_PARTS = 400;

function partText(value: object): string {
  const cached = parts.get(value);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(value);
  parts.set(value, text);
  if (parts.size > MOST_PARTS) parts.delete(parts.keys().next().value!);
  return text;
}

/** Stringifies an object once for all watchers, and its spec and status once for all versions. */
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

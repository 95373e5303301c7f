// Streams large lists item by item, because a hundred thousand Pods do not fit into one string.
import type {JsonObject} from '../../object/stored-object.ts';
import type {ResponseSide} from '../exchange.ts';

const CHUNK = 512 * 1024;

/** Resolves when the written data has been sent or the client has left. */
export function waitForDrain(response: ResponseSide): Promise<void> {
  if (response.destroyed || response.writableLength === 0) return Promise.resolve();
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/** Writes a list and streams its `items`. */
export async function streamList(
  response: ResponseSide,
  body: JsonObject,
  contentType: string,
): Promise<void> {
  const {items, ...head} = body;
  response.writeHead(200, {'content-type': contentType, 'transfer-encoding': 'chunked'});
  let text = `${JSON.stringify(head).slice(0, -1)},"items":[`;
  let first = true;
  for (const item of items as unknown[]) {
    text += (first ? '' : ',') + JSON.stringify(item);
    first = false;
    if (text.length < CHUNK) continue;
    if (response.destroyed) return;
    if (!response.write(text)) await waitForDrain(response);
    text = '';
  }
  response.end(`${text}]}\n`);
}

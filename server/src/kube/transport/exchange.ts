// One request and its complete response, with undici's dispatcher itself. Its promise API makes a stream of each
// response and parses the address again. For a small request that takes longer than the rest.

import type {IncomingHttpHeaders} from 'node:http';
import type {Dispatcher} from 'undici';
import type {TimeLimit} from './time-limit.ts';

export interface ResponseStart {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Promise<Buffer>;
}

/** Resolves at the headers. */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limit: TimeLimit,
): Promise<ResponseStart> {
  const start = Promise.withResolvers<ResponseStart>();
  const body = Promise.withResolvers<Buffer>();
  // Its reader may have left, as after a 401.
  body.promise.catch(() => {});
  const chunks: Buffer[] = [];
  let controller: Dispatcher.DispatchController | undefined;
  const fail = (error: unknown) => {
    ignoreAbort();
    start.reject(error);
    body.reject(error);
  };
  const ignoreAbort = limit.onAbort(reason => {
    controller?.abort(reason as Error);
    fail(reason);
  });
  dispatcher.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      if (limit.aborted) started.abort(limit.reason as Error);
    },
    onResponseStart(_, statusCode, headers) {
      // Codes below 200 precede the response.
      if (statusCode < 200) return;
      limit.restart();
      start.resolve({statusCode, headers, body: body.promise});
    },
    onResponseData(_, chunk) {
      limit.restart();
      chunks.push(chunk);
    },
    onResponseEnd() {
      ignoreAbort();
      body.resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    },
    onResponseError(_, error) {
      fail(error);
    },
  });
  return start.promise;
}

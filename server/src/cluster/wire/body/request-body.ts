// Reads a request body up to the real server's limit.
import type {Readable} from 'node:stream';
import {StatusError} from '../responses/status-error.ts';

/** The real server's limit on a request body. */
const LIMIT = 3 * 1024 * 1024;

const read = new WeakMap<Readable, Promise<Buffer>>();

/** Returns the same body on each call, because a verb may run again. */
export function readBody(request: Readable): Promise<Buffer> {
  const body = read.get(request) ?? readOnce(request);
  read.set(request, body);
  return body;
}

function readOnce(request: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LIMIT) chunks.push(chunk);
    });
    request.on('end', () => {
      if (size > LIMIT) reject(tooLarge());
      else resolve(Buffer.concat(chunks));
    });
    request.on('error', reject);
  });
}

function tooLarge(): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${LIMIT}`);
}

// Opens sessions: a context, the demo, a program's krtz document, a recording or saved documents. The server answers with the
// session.
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {unreachableText} from '../freshness/unreachable-text.ts';
import {apiPath, jsonRequest, request} from '../stream/http.ts';
import {packFiles} from './tar-file.ts';

const FIRST_ANSWER_TRIES = 30;
const FIRST_ANSWER_POLL_MS = 200;

export function openSession(
  what: {context: string; namespaces?: string[]} | {demo: true} | {krtz: string} | {recording: string},
): Promise<SessionAnswer> {
  return request(apiPath('/sessions'), jsonRequest('POST', what));
}

/** Uploads a recording, or saved documents and logs. The server refuses what it cannot read, with the reason. */
export async function openFiles(files: readonly File[]): Promise<SessionAnswer> {
  const file = files.length === 1 ? (files[0] as File) : await packFiles(files);
  return request<SessionAnswer>(apiPath('/sessions', {name: file.name}), {
    method: 'POST',
    headers: {'content-type': 'application/octet-stream'},
    body: await file.arrayBuffer(),
  });
}

/** Attaches to a krtz document. Closes the new session again if its address does not answer. */
export async function attachTo(krtz: string): Promise<SessionAnswer> {
  const opened = await openSession({krtz});
  const {name} = opened;
  for (let tries = 0; tries < FIRST_ANSWER_TRIES; tries++) {
    const {connection} = await request<SessionAnswer>(apiPath('/session', {session: name}));
    if (connection.state === 'unreachable') {
      await request(apiPath('/sessions', {session: name}), {method: 'DELETE'});
      throw new Error(`${krtz} ${unreachableText(connection.reason)}`);
    }
    if (connection.state !== 'connecting') return opened;
    await new Promise(resolve => setTimeout(resolve, FIRST_ANSWER_POLL_MS));
  }
  return opened;
}

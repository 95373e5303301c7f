// Opens sessions: a context, the demo, a program's krtz document, or a recording. The server answers with the
// session.
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {apiPath, jsonRequest, request} from '../stream/http.ts';

export function openSession(
  what: {context: string; namespaces?: string[]} | {demo: true} | {krtz: string},
): Promise<SessionAnswer> {
  return request(apiPath('/sessions'), jsonRequest('POST', what));
}

/** Uploads a `.krtrec` file; the server refuses files that it cannot read, with the reason. */
export async function openRecording(file: File): Promise<SessionAnswer> {
  return request<SessionAnswer>(apiPath('/sessions', {name: file.name}), {
    method: 'POST',
    headers: {'content-type': 'application/octet-stream'},
    body: await file.arrayBuffer(),
  });
}

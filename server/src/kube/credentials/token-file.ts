// The token of a file, which the kubelet or another program renews. The account of a Pod is such a user, so this
// needs no library: @kubernetes/client-node takes 13 MB.

import {readFileSync} from 'node:fs';
import {ConnectionError, rootMessage} from '../error.ts';
import {describeExpiry} from './credential-expiry.ts';
import type {Authorization, Credentials} from './credentials.ts';
import type {Endpoint} from './endpoint.ts';

/** Milliseconds before the file is read again, as in client-go. */
const readEvery = 60_000;

/** `others` are the other headers and the client certificate of the user. */
export function tokenFileCredentials(endpoint: Endpoint, file: string, others: Authorization): Credentials {
  let last: {authorization: Authorization; readAt: number} | undefined;
  const read = (): Authorization => {
    try {
      const token = readFileSync(file, 'utf8').trim();
      return {...others, headers: {...others.headers, authorization: `Bearer ${token}`}};
    } catch (error) {
      const message = `cannot read the token file: ${rootMessage(error)}`;
      throw new ConnectionError('credentials', 'connect', message, {cause: error});
    }
  };
  return {
    endpoint,
    async authorize() {
      const now = performance.now();
      if (last === undefined || now - last.readAt > readEvery) last = {authorization: read(), readAt: now};
      return last.authorization;
    },
    refresh() {
      last = undefined;
      return true;
    },
    why() {
      const rejected = `it rejects the token in ${file}; renew it there, krtscope reads it again`;
      try {
        return describeExpiry({token: readFileSync(file, 'utf8').trim(), file}, Date.now()) ?? rejected;
      } catch {
        return rejected;
      }
    },
  };
}

// Fetches a krtz document with a GET to the user's address only, limited in time and size.

import dns from 'node:dns';
import type {LookupFunction} from 'node:net';
import {Agent, fetch, type Response} from 'undici';
import {isMetadataAddress, metadataRefusal} from './metadata-address.ts';

/** Parsing a document blocks main, and writing it locks its program. */
export const KRTZ_LIMITS = {bytes: 64 * 1024 * 1024, milliseconds: 15_000};

export interface KrtzProblem {
  reason: string;
  hint: string;
}

export type KrtzAnswer = {text: string} | KrtzProblem;

export const KRTZ_ADDRESS_HINT =
  'istiod has it at /debug/krtz of ports 8080 and 15014, kgateway at /snapshots/krt';

/** Parses an address. Throws an error that says why it cannot be used. */
export function parseKrtzAddress(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error(`"${text.slice(0, 200)}" is not an address`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`${url.protocol}// is not supported; use http:// or https://`);
  if (url.username !== '' || url.password !== '') throw new Error('an address must not contain a password');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isMetadataAddress(host)) throw new Error(metadataRefusal(host));
  url.hash = '';
  return url;
}

class RefusedAddress extends Error {}

/** Resolves a name for a connection. A check before it would resolve the name apart from it, and could get another address. */
const resolveChecked: LookupFunction = (host, options, done) => {
  dns.lookup(host, {...options, all: true}, (error, found) => {
    const refused = error === null && found.find(({address}) => isMetadataAddress(address));
    if (error !== null) done(error, '');
    else if (refused) done(new RefusedAddress(metadataRefusal(`${host} (${refused.address})`)), '');
    else if (options.all === true) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  });
};
const connections = new Agent({connect: {lookup: resolveChecked}});

export async function requestKrtz(
  url: URL,
  ended: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<KrtzAnswer> {
  const late = AbortSignal.timeout(KRTZ_LIMITS.milliseconds);
  try {
    const answer = await fetch(url, {
      headers: {accept: 'application/json', ...headers},
      redirect: 'manual',
      dispatcher: connections,
      signal: AbortSignal.any([ended, late]),
    });
    if (answer.status >= 300 && answer.status < 400) {
      await answer.body?.cancel();
      const to = answer.headers.get('location') ?? 'nowhere';
      return {
        reason: `it redirects to ${to.slice(0, 200)}`,
        hint: 'open that address if it is yours',
      };
    }
    return krtzAnswerOf(answer.status, await textOf(answer));
  } catch (error) {
    if (late.aborted)
      return {reason: `no answer within ${KRTZ_LIMITS.milliseconds / 1000} s`, hint: `curl -v ${url}`};
    const isRefused = (error as Error).cause instanceof RefusedAddress;
    return {reason: reasonOf(error), hint: isRefused ? KRTZ_ADDRESS_HINT : `curl -v ${url}`};
  }
}

/** A body, or why it is not a document. `text` is undefined if it is too large. */
export function krtzAnswerOf(status: number, text: string | undefined): KrtzAnswer {
  if (text === undefined)
    return {
      reason: `the document is larger than ${KRTZ_LIMITS.bytes / 1024 / 1024} MB`,
      hint: KRTZ_ADDRESS_HINT,
    };
  if (status >= 200 && status < 300) return {text};
  const [line = ''] = text.trim().split('\n', 1);
  return {
    reason: `status ${status}${line === '' ? '' : `: ${line.slice(0, 300)}`}`,
    hint:
      status === 500
        ? 'one object that cannot be written as JSON fails the whole document; the graph goes on from the log'
        : KRTZ_ADDRESS_HINT,
  };
}

/** The body's text, or undefined if it is too large after decompression. */
async function textOf(answer: Response): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    // Leaving the loop cancels the rest.
    if (bytes > KRTZ_LIMITS.bytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** fetch says only "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const {cause, message} = error as Error & {cause?: Error & {code?: string}};
  return cause?.message || cause?.code || message;
}

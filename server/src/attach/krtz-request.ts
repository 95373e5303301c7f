// Fetches a krtz document with a GET to the user's address only, limited in time and size.

/** Parsing a document blocks main, and writing it locks its program. */
const MAX_BYTES = 64 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;

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
  url.hash = '';
  return url;
}

export async function requestKrtz(url: URL, ended: AbortSignal): Promise<KrtzAnswer> {
  const late = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  try {
    const answer = await fetch(url, {
      headers: {accept: 'application/json'},
      redirect: 'manual',
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
    const text = await textOf(answer);
    if (text === undefined)
      return {reason: `the document is larger than ${MAX_BYTES / 1024 / 1024} MB`, hint: KRTZ_ADDRESS_HINT};
    if (answer.ok) return {text};
    const [line = ''] = text.trim().split('\n', 1);
    return {
      reason: `status ${answer.status}${line === '' ? '' : `: ${line.slice(0, 300)}`}`,
      hint:
        answer.status === 500
          ? 'one object that cannot be written as JSON fails the whole document'
          : KRTZ_ADDRESS_HINT,
    };
  } catch (error) {
    if (late.aborted)
      return {reason: `no answer within ${REQUEST_TIMEOUT_MS / 1000} s`, hint: `curl -v ${url}`};
    return {reason: reasonOf(error), hint: `curl -v ${url}`};
  }
}

/** The body's text, or undefined if it is too large after decompression. */
async function textOf(answer: Response): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    // Leaving the loop cancels the rest.
    if (bytes > MAX_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** fetch says only "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const {cause, message} = error as Error & {cause?: Error & {code?: string}};
  return cause?.message || cause?.code || message;
}

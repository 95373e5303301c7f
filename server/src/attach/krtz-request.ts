// Asks for a krtz document: GET, to the address that the user gave and to no other, bounded in time and size.

/** A document blocks main while it is read, and locks its program while it is written. */
const MAX_BYTES = 64 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;

export interface KrtzProblem {
  reason: string;
  hint: string;
}

export type KrtzAnswer = {text: string} | KrtzProblem;

export const KRTZ_ADDRESS_HINT =
  'istiod has it at /debug/krtz of ports 8080 and 15014, kgateway at /snapshots/krt';

/** The address as it may be asked and shown; throws in words why it cannot. */
export function parseKrtzAddress(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error(`"${text.slice(0, 200)}" is no address`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`${url.protocol}// is not asked, only http:// and https://`);
  if (url.username !== '' || url.password !== '') throw new Error('an address with a password is not taken');
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
        reason: `it points elsewhere, to ${to.slice(0, 200)}`,
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
    return {reason: wordsOf(error), hint: `curl -v ${url}`};
  }
}

/** Undefined if it is too large, however it was packed. */
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

/** fetch says "fetch failed", and why further in. */
function wordsOf(error: unknown): string {
  const {cause, message} = error as Error & {cause?: Error & {code?: string}};
  return cause?.message || cause?.code || message;
}

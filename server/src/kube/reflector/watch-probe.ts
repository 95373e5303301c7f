// Asks a server whether a watch that says nothing has missed something. A connection can die without either
// end hearing of it, and a server that was restored from a backup keeps a watch from its future silent for
// ever: both look like a quiet cluster. Only an answer tells them apart.

import type {DynamicClientReader, ListOptions} from '../client/dynamic-client.ts';
import {WatchStream} from '../client/watch-stream.ts';
import {type Clock, sleep} from '../clock.ts';
import {ConnectionError, isApiError} from '../error.ts';
import type {KubeObject} from '../object.ts';
import type {Resource} from '../resource.ts';
import {compareVersions} from '../resource-version.ts';

/** An answer that takes longer than this is none. */
const patience = 10_000;
/** How long the open watch may take to bring what another one brought. */
const grace = 2_000;
/** Objects that are compared with the server's own memory. */
const page = 500;

export interface ProbeOptions {
  client: DynamicClientReader;
  resource: Resource;
  clock: Clock;
  query: ListOptions;
  signal: AbortSignal;
}

/** The server's own version now, by the smallest list there is; it also tells whether we still may list. */
export async function readServerVersion({client, resource, query, signal}: ProbeOptions): Promise<string> {
  const list = await client.list(resource, {...query, limit: 1, retries: 0, timeout: patience, signal});
  return list.metadata?.resourceVersion ?? '';
}

/**
 * Whether the server's own memory of `version` is what we hold. One that was restored or replaced may have grown past
 * that number with other objects behind it: a version alone would not tell. Of a large resource one page is compared.
 */
export async function hasSameState(
  version: string,
  held: {holds(object: KubeObject): boolean; readonly size: number},
  {client, resource, query, signal}: ProbeOptions,
): Promise<boolean> {
  try {
    const {items, metadata} = await client.list(resource, {
      ...query,
      limit: page,
      resourceVersion: version,
      resourceVersionMatch: 'Exact',
      retries: 0,
      timeout: patience,
      signal,
    });
    const total = metadata?.continue ? metadata.remainingItemCount : 0;
    if (total !== undefined && items.length + total !== held.size) return false;
    return items.every(item => held.holds(item));
  } catch (error) {
    // Forgotten, not reached yet, or not to be asked so: a list tells.
    if (isApiError(error) && !isApiError(error, 401, 403, 404, 429, 502, 503)) return false;
    throw error;
  }
}

/**
 * `quiet`: nothing happened after `version`, so a silent watch has missed nothing. `news`: something did.
 * `gone back`: the server knows less than we do. Throws when it does not answer.
 */
export async function probeSince(
  version: string,
  options: ProbeOptions,
): Promise<'quiet' | 'news' | 'gone back'> {
  const now = await readServerVersion(options);
  if ((compareVersions(now, version) ?? 0) < 0) return 'gone back';
  if (now === version) return 'quiet';
  return (await hasEvents(version, options)) ? 'news' : 'quiet';
}

/** A watch of one second brings at once what came after `version`, and its end proves that this was all. */
async function hasEvents(version: string, options: ProbeOptions): Promise<boolean> {
  const {client, resource, clock, query, signal} = options;
  const abort = new AbortController();
  const cancel = clock.after(patience, () =>
    abort.abort(new ConnectionError('timeout', 'watch', 'a second watch was silent, too')),
  );
  const end = () => abort.abort(signal.reason);
  signal.addEventListener('abort', end, {once: true});
  try {
    const answer = await client.watch(resource, {
      ...query,
      resourceVersion: version,
      allowWatchBookmarks: true,
      timeoutSeconds: 1,
      timeout: patience,
      signal: abort.signal,
    });
    const stream = new WatchStream(answer.body, {clock, abort, timeoutSeconds: 1});
    for await (const batch of stream.batches()) if (batch.some(({type}) => type !== 'BOOKMARK')) return true;
    return false;
  } finally {
    cancel();
    signal.removeEventListener('abort', end);
    abort.abort();
  }
}

/** Whether the open watch brings the news itself when it is given a moment. */
export async function waitForArrival(
  clock: Clock,
  signal: AbortSignal,
  hasArrived: () => boolean,
): Promise<boolean> {
  for (let waited = 0; waited < grace && !hasArrived(); waited += 100) await sleep(clock, 100, signal);
  return hasArrived();
}

// Asks the server whether a silent watch has missed events. A dead connection looks like a quiet cluster. So does
// a server restored from a backup, which sends nothing for a watch from its future.

import type {DynamicClientReader, ListOptions} from '../client/dynamic-client.ts';
import {WatchStream} from '../client/watch-stream.ts';
import {type Clock, sleep} from '../clock.ts';
import {ConnectionError, isApiError} from '../error.ts';
import type {KubeObject} from '../object.ts';
import type {Resource} from '../resource.ts';
import {compareVersions} from '../resource-version.ts';

/** The timeout of one probe, in milliseconds. */
export const patience = 10_000;
/** How long the open watch may lag behind a second watch, in milliseconds. */
const grace = 2_000;
/** The number of objects to compare with the server's state. */
const page = 500;

export interface ProbeOptions {
  client: DynamicClientReader;
  resource: Resource;
  clock: Clock;
  query: ListOptions;
  signal: AbortSignal;
}

export interface ServerSummary {
  version: string;
  /** The number of objects; undefined when the server does not tell it, as with selectors. */
  count: number | undefined;
}

/** Reads version and count with a list of one object. Fails when listing is no longer permitted. */
export async function readServerSummary(options: ProbeOptions): Promise<ServerSummary> {
  const {client, resource, query, signal} = options;
  const list = await client.list(resource, {...query, limit: 1, retries: 0, timeout: patience, signal});
  const {resourceVersion = '', continue: more, remainingItemCount} = list?.metadata ?? {};
  const rest = more ? remainingItemCount : 0;
  const count = rest === undefined ? undefined : (list?.items?.length ?? 0) + rest;
  return {version: resourceVersion, count};
}

/**
 * Compares the server's state at `version` with ours. A restored server may have passed that version with other
 * objects, so an equal version proves nothing. Compares one page of a large resource.
 */
export async function hasSameState(
  version: string,
  cache: {holds(object: KubeObject): boolean; readonly size: number},
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
    const remaining = metadata?.continue ? metadata.remainingItemCount : 0;
    if (remaining !== undefined && items.length + remaining !== cache.size) return false;
    return items.every(item => cache.holds(item));
  } catch (error) {
    // The version expired, is in the future, or cannot be requested. Only a list helps.
    if (isApiError(error) && !isApiError(error, 401, 403, 404, 429, 502, 503)) return false;
    throw error;
  }
}

/**
 * `quiet`: no event after `version`, so a silent watch has missed none. `news`: there are events. `gone back`: the
 * server's version is older than ours. Throws when the server does not answer.
 */
export async function probeSince(
  version: string,
  options: ProbeOptions,
): Promise<{result: 'quiet' | 'news' | 'gone back'; count: number | undefined}> {
  const {version: now, count} = await readServerSummary(options);
  if ((compareVersions(now, version) ?? 0) < 0) return {result: 'gone back', count};
  if (now === version) return {result: 'quiet', count};
  return {result: (await hasEvents(version, options)) ? 'news' : 'quiet', count};
}

/** Opens a second watch for one second. It delivers at once every event after `version`. */
async function hasEvents(version: string, options: ProbeOptions): Promise<boolean> {
  const {client, resource, clock, query, signal} = options;
  const abort = new AbortController();
  const cancel = clock.after(patience, () =>
    abort.abort(new ConnectionError('timeout', 'watch', 'a second watch was silent too')),
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

/** Waits a moment for the open watch to deliver the event itself. */
export async function waitForArrival(
  clock: Clock,
  signal: AbortSignal,
  hasArrived: () => boolean,
  limit = grace,
): Promise<boolean> {
  for (let waited = 0; waited < limit && !hasArrived() && !signal.aborted; waited += 100)
    await sleep(clock, 100, signal);
  return hasArrived();
}

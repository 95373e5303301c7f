// Compares the cache with the server while a watch is open, to find events that the watch has lost. A proxy or a faulty
// server can drop an event and keep the watch alive; no probe of the watch itself shows that.

import type {WatchStream} from '../client/watch-stream.ts';
import {keyOf} from '../object.ts';
import {compareVersions} from '../resource-version.ts';
import {type ProbeOptions, patience, waitForArrival} from './watch-probe.ts';

/** Objects in one page of the comparison. Only their metadata is read. */
const pageSize = 500;
/** Milliseconds for events that are still on their way. */
const arrival = 5_000;

export interface AuditedVersion {
  uid?: string | undefined;
  resourceVersion?: string | undefined;
}

export interface AuditOptions extends ProbeOptions {
  cache: {versions(): Iterable<readonly [key: string, version: AuditedVersion]>};
  stream: WatchStream;
  /** The last version that the watch has delivered. */
  version(): string;
}

export interface AuditResult {
  /** Objects whose last change the watch has not delivered. */
  missed: number;
  /** The summed time of the audit's requests in milliseconds. */
  requestMs: number;
}

interface ServerState {
  objects: Map<string, AuditedVersion>;
  version: string;
  requestMs: number;
}

export class WatchAudit {
  /** Keys with events since the audit began. Their cached state may be newer than the list. */
  #changed: Set<string> | undefined;

  get isRunning(): boolean {
    return this.#changed !== undefined;
  }

  /** Call this for every event of the watch. */
  noteEvent(key: string): void {
    this.#changed?.add(key);
  }

  /** Throws when the server does not answer. */
  async run(options: AuditOptions): Promise<AuditResult> {
    const changed = new Set<string>();
    this.#changed = changed;
    try {
      const server = await readVersions(options);
      let missed = countDifferences(server.objects, options.cache, changed);
      if (missed > 0) {
        const hasArrived = () => (compareVersions(options.version(), server.version) ?? -1) >= 0;
        await waitForArrival(options.clock, options.signal, hasArrived, arrival);
        options.signal.throwIfAborted();
        missed = countDifferences(server.objects, options.cache, changed);
      }
      // On a slow link the events may only be late.
      if (options.stream.behind) missed = 0;
      return {missed, requestMs: server.requestMs};
    } finally {
      this.#changed = undefined;
    }
  }
}

async function readVersions(options: AuditOptions): Promise<ServerState> {
  const {client, resource, query, signal, clock} = options;
  const state: ServerState = {objects: new Map(), version: '', requestMs: 0};
  let next: string | undefined;
  do {
    const started = clock.now();
    const params = {as: 'metadata' as const, limit: pageSize, continue: next, retries: 0, timeout: patience};
    const {items, metadata} = await client.list(resource, {...query, ...params, signal});
    state.requestMs += clock.now() - started;
    state.version ||= metadata?.resourceVersion ?? '';
    for (const item of items) if (item.metadata) state.objects.set(keyOf(item), item.metadata);
    next = metadata?.continue || undefined;
  } while (next !== undefined);
  return state;
}

function countDifferences(
  server: ReadonlyMap<string, AuditedVersion>,
  cache: AuditOptions['cache'],
  changed: ReadonlySet<string>,
): number {
  let differences = 0;
  let found = 0;
  for (const [key, ours] of cache.versions()) {
    const theirs = server.get(key);
    if (theirs !== undefined) found++;
    if (changed.has(key)) continue;
    if (theirs === undefined || !isSameOrNewer(ours, theirs)) differences++;
  }
  if (found === server.size) return differences;
  const keys = new Set<string>();
  for (const [key] of cache.versions()) keys.add(key);
  for (const key of server.keys()) if (!keys.has(key) && !changed.has(key)) differences++;
  return differences;
}

function isSameOrNewer(ours: AuditedVersion, theirs: AuditedVersion): boolean {
  if (ours.uid !== theirs.uid) return false;
  return (compareVersions(ours.resourceVersion ?? '', theirs.resourceVersion ?? '') ?? -1) >= 0;
}

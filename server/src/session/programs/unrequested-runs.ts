// Recognises runs that neither a requeue nor a write of another client asked for: the sign of a loop.
import type {ReconcileCause} from '@krtscope/shared/controllers.ts';
import type {StartBucket} from '../../engine/link/controller-rows.ts';
import {eventVersion, type writtenVersion} from '../../engine/link/object-version.ts';

const BUCKET_MS = 10_000;
const MINUTE_MS = 60_000;
/** Own writes whose events may still come. */
const MAX_OWN_WRITES = 1000;

/** The versions that one controller wrote, oldest first. */
export class OwnWrites {
  readonly #versions = new Set<string>();

  add(version: ReturnType<typeof writtenVersion>): void {
    if (version === undefined) return;
    this.#versions.add(version);
    if (this.#versions.size > MAX_OWN_WRITES)
      this.#versions.delete(this.#versions.values().next().value as string);
  }

  /** Unknown causes count as a request. Retries, resyncs and events of own writes do not. */
  isRequested(causes: readonly ReconcileCause[]): boolean {
    if (causes.length === 0) return true;
    return causes.some(cause => {
      if (cause.reason === 'error') return false;
      if (cause.reason !== 'event') return true;
      const version = eventVersion(cause);
      return !cause.unchanged && (version === undefined || !this.#versions.has(version));
    });
  }
}

/** Adds a run to its bucket and drops buckets that are older than a minute. */
export function addStart(starts: readonly StartBucket[] = [], at: number): StartBucket[] {
  const bucket = Math.floor(at / BUCKET_MS) * BUCKET_MS;
  const kept = starts.filter(one => one.at > bucket - MINUTE_MS && one.at !== bucket);
  const count = starts.find(one => one.at === bucket)?.count ?? 0;
  return [...kept, {at: bucket, count: count + 1}];
}

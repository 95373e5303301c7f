// Waits until an informer has received a resourceVersion, so that a reader sees an earlier write.

import {compareVersions} from '../resource-version.ts';

/** Called after each change of the cache; it removes itself when its condition holds. */
export type VersionWaiter = () => void;

/** True when the position is at or after the version. Versions without an order count as reached only if equal. */
export function hasReached(position: string, version: string): boolean {
  const order = compareVersions(position, version);
  return order !== undefined && order >= 0;
}

/** Resolves to true when the condition holds, to false when the signal aborts first. */
export function waitUntil(
  waiters: Set<VersionWaiter>,
  holds: () => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  if (holds()) return Promise.resolve(true);
  if (signal.aborted) return Promise.resolve(false);
  return new Promise(resolve => {
    const end = (met: boolean) => {
      waiters.delete(check);
      signal.removeEventListener('abort', abort);
      resolve(met);
    };
    const check = () => {
      if (holds()) end(true);
    };
    const abort = () => end(false);
    waiters.add(check);
    signal.addEventListener('abort', abort, {once: true});
  });
}

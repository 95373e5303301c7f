// Errors of the cache. A missing object is an ApiError 404, as from the server.

import type {KindRef} from '../scheme/kind.ts';

/** A read before the cache was started. */
export class CacheNotStartedError extends Error {
  override readonly name = 'CacheNotStartedError';

  constructor() {
    super('the cache is not started, can not read objects; start the manager first, or read with apiReader');
  }
}

/** The kind is not watched, and the cache may not start a watch on a read. */
export class ResourceNotCachedError extends Error {
  override readonly name = 'ResourceNotCachedError';

  constructor(ref: KindRef) {
    super(
      `${ref.kind} (${ref.apiVersion}) is not cached; ask for its informer first, or turn readerFailOnMissingInformer off`,
    );
  }
}

/** The first list did not finish in time. */
export class CacheSyncTimeoutError extends Error {
  override readonly name = 'CacheSyncTimeoutError';

  constructor(ref: KindRef, reason: string, options?: {cause?: unknown}) {
    super(`failed waiting for ${ref.kind} (${ref.apiVersion}) to sync: ${reason}`, options);
  }
}

/** The watch has not brought a write of this program in time, so a read would return an older state. */
export class OwnWriteNotSeenError extends Error {
  override readonly name = 'OwnWriteNotSeenError';

  constructor(ref: KindRef, reason: string) {
    super(
      `the cache of ${ref.kind} (${ref.apiVersion}) has not received this program's last write: ${reason}; the read would be stale`,
    );
  }
}

/** The cache does not hold the requested namespace. */
export class UnknownNamespaceError extends Error {
  override readonly name = 'UnknownNamespaceError';

  constructor(namespace: string) {
    super(`unable to get: ${namespace}: unknown namespace for the cache; add it to the cache's namespaces`);
  }
}

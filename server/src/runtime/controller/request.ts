// The namespace and name of an object to reconcile. It does not say what changed, because a reconciler compares the
// actual with the desired state.

import type {ObjectKey} from '../scheme/kind.ts';

/** Can be passed to `client.get`. `namespace` is empty for cluster-scoped objects. */
export interface Request extends ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** Parses a queue key, `namespace/name` or `name`. */
export function requestOf(key: string): Request {
  const slash = key.indexOf('/');
  return slash < 0
    ? {namespace: '', name: key}
    : {namespace: key.slice(0, slash), name: key.slice(slash + 1)};
}

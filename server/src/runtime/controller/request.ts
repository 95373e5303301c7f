// What a reconciler is asked to look after: an object's place. Deliberately not what happened to it: whoever
// reconciles compares what is with what should be, however many changes led there.

import type {ObjectKey} from '../scheme/kind.ts';

/** Can be handed to `client.get` as it is. `namespace` is empty for cluster-scoped objects. */
export interface Request extends ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** From a queue's key, `namespace/name` or `name`. */
export function requestOf(key: string): Request {
  const slash = key.indexOf('/');
  return slash < 0
    ? {namespace: '', name: key}
    : {namespace: key.slice(0, slash), name: key.slice(slash + 1)};
}

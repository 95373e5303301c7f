// Names objects as kubectl does: the kind in singular, then namespace/name. The server's sentences and the page share it.
import type {ItemRef} from './run.ts';

/** Plurals that the rules below would cut at the wrong place. */
const invariable = new Set(['Series', 'Species', 'News']);

/** `Pods` is `Pod`, `NetworkPolicies` is `NetworkPolicy`; a name that is not a plural stays as it is. */
export function singularOf(collection: string): string {
  if (invariable.has(collection)) return collection;
  if (/[^aeiou]ies$/.test(collection)) return `${collection.slice(0, -3)}y`;
  if (/(ss|x|tch|sh|status|theus)es$/i.test(collection)) return collection.slice(0, -2);
  return /[^su]s$/.test(collection) && !/is$/.test(collection) ? collection.slice(0, -1) : collection;
}

/** Rows of `informer/Pods` and `ambient/informer/ServiceEntries` of a Go program are objects of the cluster. */
const informerPrefix = /^([^/]+\/)?informer\//;

/** `Pod shop/cart-x`. The only row of a singleton goes by the name of its collection. */
export function objectName({collection, key}: ItemRef): string {
  return key === '' ? collection : `${singularOf(collection.replace(informerPrefix, ''))} ${key}`;
}

// How labels, selector and namespace of an item are read: by an option of the collection, else by the item's own shape.

import type {Options} from './collection.ts';
import {asNamespace, asSelector, NO_LABELS, ownLabels, ownNamespace, ownSelector} from './key.ts';
import type {Labels} from './labels.ts';
import {refusePromise} from './thenable.ts';

/** A view takes them over from the collection that it is built on. */
export interface ItemAccessors {
  labels: (view: unknown) => Labels;
  selector: (view: unknown) => Labels;
  namespace: (view: unknown) => string;
  augment: ((item: unknown) => unknown) | null;
}

export function itemAccessorsOf(options: Options<unknown>, base: ItemAccessors | undefined): ItemAccessors {
  const {labels, selector, namespace, augment} = options;
  return {
    labels: labels ? view => labels(view) ?? NO_LABELS : (base?.labels ?? ownLabels),
    selector: selector ? view => asSelector(selector(view)) : (base?.selector ?? ownSelector),
    namespace: namespace ? view => asNamespace(namespace(view)) : (base?.namespace ?? ownNamespace),
    augment: augment
      ? item => refusePromise(augment(item), 'the function for augment')
      : (base?.augment ?? null),
  };
}

// Turns an informer of krtscope/kube into a source of a krt engine.

import {pluralOf} from '@krtscope/shared/sources.ts';
import {
  type Collection,
  collectionByUid,
  type Engine,
  newStaticCollection,
  newSyncLatch,
  type Options,
} from '../krt/index.ts';
import type {Change, Registration} from '../kube/informer/change-handler.ts';
import type {Informer} from '../kube/informer/informer.ts';
import type {KubeObject} from '../kube/object.ts';
import {toWireResource} from '../kube/resource.ts';
import {addInformerSource, removeInformerSource} from './informer-sources.ts';

/** The name is the plural of the kind, such as `Pods`, unless it is given. */
export type InformerCollectionOptions<T> = Pick<
  Options<T>,
  'name' | 'labels' | 'selector' | 'namespace' | 'equals' | 'augment' | 'metadata'
>;

/**
 * A collection with the objects of an informer. It is synced when the informer is, and each batch of the informer is one
 * batch of the engine. If the engine is reported, krtscope shows it as a source of its kind and names the writer of each
 * change. Stopping the collection does not stop the informer.
 */
export function collectionOf<T extends KubeObject = KubeObject>(
  engine: Engine,
  informer: Informer,
  options: InformerCollectionOptions<T> = {},
): Collection<T> {
  const latch = newSyncLatch(engine);
  const name = options.name ?? pluralOf(toWireResource(informer.resource));
  // In one batch, so that the first report of the collection already has its resource.
  const {collection, source} = engine.batch(() => {
    const made = newStaticCollection<T>(engine, [], {...options, name, synced: latch});
    return {collection: made, source: addInformerSource(engine, made.uid, informer.resource)};
  });
  const {uid} = collection;
  let registration: Registration | undefined;
  const apply = (changes: readonly Change[]): void => {
    if (collectionByUid(engine, uid) === undefined) {
      removeInformerSource(engine, uid);
      registration?.remove();
      return;
    }
    engine.batch(() => {
      source.note(changes);
      for (const {event, key, new: object} of changes) {
        if (event === 'delete' || object === undefined) collection.deleteObject(key);
        else collection.updateObject(object as T);
      }
    });
  };
  registration = informer.addHandler({onChanges: apply, onSynced: () => latch.markSynced()});
  return collection;
}

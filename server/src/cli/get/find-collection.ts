// Finds the collection that a word of the command line names. Asks the instance unless the kind ships.
import {fetchFromInstance, InstanceError, type InstanceTarget} from '../instance-client.ts';
import {findByWord, type NamedCollection, nearestNames, shippedCollections} from './kubectl-names.ts';

/** The shipped kind of this word. The session may be one of a program that has no such collection. */
export function findShipped(word: string): NamedCollection | undefined {
  return findByWord(shippedCollections, word);
}

/** Throws InstanceError if no collection has this name. */
export async function findCollection(
  target: InstanceTarget,
  word: string,
  at: string | undefined,
): Promise<NamedCollection> {
  const {collections} = (await fetchFromInstance(target, '/graph', {at})) as {
    collections: NamedCollection[];
  };
  const found = findByWord(collections, word);
  if (found !== undefined) return found;
  const names = collections.map(({name}) => name);
  const near = nearestNames(names, word);
  throw new InstanceError(
    'unknown-collection',
    near.length > 0
      ? `there is no collection "${word}"; did you mean ${near.join(' or ')}?`
      : `there is no collection "${word}"; there are ${names.slice(0, 20).join(', ')}`,
  );
}

/** The name of the collection for a path of the API. Exact names of shipped kinds need no request. */
export async function collectionNameOf(
  target: InstanceTarget,
  word: string,
  at: string | undefined,
): Promise<string> {
  const shipped = findShipped(word);
  if (shipped?.name === word) return word;
  return (await findCollection(target, word, at)).name;
}

/**
 * Splits COLLECTION/KEY, as kubectl writes TYPE/NAME. Collections of other programs have slashes in their names, so the
 * longest name that there is counts. The key is undefined where the word is a collection.
 */
export async function splitReference(
  target: InstanceTarget,
  word: string,
  at: string | undefined,
): Promise<{collection: string; key: string | undefined}> {
  const [first = word, ...others] = word.split('/');
  if (others.length === 0) return {collection: word, key: undefined};
  if (findShipped(first) !== undefined) return {collection: first, key: others.join('/')};
  const {collections} = (await fetchFromInstance(target, '/graph', {at})) as {collections: NamedCollection[]};
  const names = new Set(collections.map(({name}) => name));
  const parts = [first, ...others];
  for (let length = parts.length; length > 1; length--) {
    const collection = parts.slice(0, length).join('/');
    if (names.has(collection)) return {collection, key: parts.slice(length).join('/') || undefined};
  }
  return {collection: first, key: others.join('/')};
}

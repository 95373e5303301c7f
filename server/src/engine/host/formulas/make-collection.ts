// Makes an engine collection of any kind from the description in a user's text.
import {labelsOf, namespaceOf} from '../../../formula/sandbox/row-keys.ts';
import {
  type Collection,
  type Engine,
  type HandlerContext,
  joinCollection,
  joinWithMergeCollection,
  mapCollection,
  newCollection,
  newManyCollection,
  newManyFromNothing,
  newSingleton,
  newStatusCollection,
  newStatusManyCollection,
} from '../../../krt/index.ts';
import type {UserCollectionSpec, UserRunFunction} from './user-collections.ts';

export interface CollectionParts {
  readonly inputs: readonly Collection<unknown>[];
  /** Undefined for a collection that only combines others. */
  readonly run: UserRunFunction | undefined;
  key(row: unknown): string;
}

/** The status collection of each collection that was made with a status. */
const statusCollections = new WeakMap<object, Collection<unknown>>();

/** Throws for a status whose output collection does not exist. */
export function makeCollection(
  engine: Engine,
  spec: Pick<UserCollectionSpec, 'name' | 'kind' | 'view' | 'options' | 'index'>,
  {inputs, run, key}: CollectionParts,
): Collection<unknown> {
  const {labels = labelsOf, namespace = namespaceOf, selector} = spec.options ?? {};
  const options = {name: spec.name, labels, namespace, selector};
  const [input] = inputs;
  if (spec.view !== undefined)
    return spec.kind === 'map' && input !== undefined
      ? mapCollection(input, spec.view, options)
      : joinWithMergeCollection(inputs, spec.view, options);
  if (spec.kind === 'status-rows') {
    const made = input && statusCollections.get(input);
    if (made === undefined) throw new Error(`waits for ${input?.name}`);
    return made;
  }
  if (spec.index !== undefined && input !== undefined)
    return spec.index(input).asCollection({name: spec.name}) as Collection<unknown>;
  if (run === undefined) return joinCollection(inputs, options);
  const keyed = {...options, key};
  if (spec.kind === 'from-nothing')
    return newManyFromNothing(engine, run as (ctx: HandlerContext) => Iterable<unknown>, keyed);
  if (input === undefined) return newSingleton(engine, run as (ctx: HandlerContext) => unknown, keyed);
  if (spec.kind === 'status' || spec.kind === 'status-many') {
    const make = spec.kind === 'status' ? newStatusCollection : newStatusManyCollection;
    const [status, outputs] = make(input, run as (ctx: HandlerContext, item: unknown) => never, keyed);
    statusCollections.set(outputs, status);
    return outputs;
  }
  if (spec.kind === 'many')
    return newManyCollection(input, run as (ctx: HandlerContext, item: unknown) => Iterable<unknown>, keyed);
  return newCollection(input, run, keyed);
}

// Makes the cache's entry of an object: without managedFields, transformed, and sharing what it has in common with the
// last version. Parts that are equal to the last version's are neither measured nor transformed again.
import {shareStructure} from '@krtscope/shared/json/share-structure.ts';
import {type KubeObject, keyOf, type ObjectMeta} from '../object.ts';
import type {Resource} from '../resource.ts';
import {WriterSummary} from './field-writers.ts';
import type {CacheEntry} from './object-cache.ts';
import {nameOfBroken, ObjectMeasure, shapeProblem} from './object-problem.ts';

/**
 * Changes an object before it is cached, for example to hide secrets. Must be deterministic. `last` is the cached last
 * version: a part that is the same object in both is as the transform left it.
 */
export type Transform = (object: KubeObject, resource: Resource, last?: KubeObject) => KubeObject;

export interface EntryMakerOptions {
  resource: Resource;
  transform?: Transform | undefined;
  /** Leave out objects that are too deep, too large or malformed, and report them, instead of failing the whole list. */
  withhold?: boolean | undefined;
  /**
   * Let objects share their equal parts: an object with its last version, a new one with its neighbour in the list.
   * It saves half of the memory. Only for callers that never change an object.
   */
  share?: boolean | undefined;
}

interface MeasuredEntry extends CacheEntry {
  /** The size of the object is at most this (object-problem.ts); 0 if it was not measured. */
  readonly weight: number;
}

export class EntryMaker {
  readonly #options: EntryMakerOptions;
  readonly #cached: (key: string) => CacheEntry | undefined;
  readonly #summary = new WriterSummary();
  readonly #measure = new ObjectMeasure();
  /** The object that was made last. */
  #newest: KubeObject | undefined;

  constructor(options: EntryMakerOptions, cached: (key: string) => CacheEntry | undefined) {
    this.#options = options;
    this.#cached = cached;
  }

  make(object: KubeObject): CacheEntry {
    if (!this.#options.withhold) return this.#makeSound(object);
    const problem = shapeProblem(object);
    if (problem !== undefined) return this.#makeWithheld(object, problem);
    try {
      return this.#makeSound(object);
    } catch (error) {
      return this.#makeWithheld(
        object,
        `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  identify(object: KubeObject): {key: string; metadata: ObjectMeta} {
    const metadata: ObjectMeta = this.#options.withhold ? nameOfBroken(object) : object.metadata;
    return {key: keyOf({metadata}), metadata};
  }

  #makeWithheld(object: KubeObject, withheld: string): CacheEntry {
    const {key, metadata} = this.identify(object);
    return {key, object: {metadata}, writers: [], withheld};
  }

  #makeSound(object: KubeObject): CacheEntry | MeasuredEntry {
    const {transform, share, withhold, resource} = this.#options;
    const slim = withoutManagedFields(object);
    const key = keyOf(slim);
    // All entries of the cache were made here.
    const last = share ? (this.#cached(key) as MeasuredEntry | undefined) : undefined;
    // The depth of the last version limits this walk.
    if (last !== undefined) shareStructure(last.object, slim);
    let weight = 0;
    if (withhold) {
      const problem = this.#measure.problemOf(slim, last);
      if (problem !== undefined) return this.#makeWithheld(object, problem);
      weight = this.#measure.weight;
    }
    const writers = this.#summary.summarise(object.metadata.managedFields);
    const made = transform ? transform(slim, resource, last?.object) : slim;
    if (share) {
      // What the transform has hidden is equal only now.
      if (last === undefined || transform !== undefined) shareStructure(last?.object ?? this.#newest, made);
      this.#newest = made;
    }
    return {key, object: made, writers, weight};
  }
}

/** Copies the outer two levels, because deleting the field would turn metadata into a slow, large map. */
function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const {managedFields: _, ...metadata} = object.metadata;
  return {...object, metadata};
}

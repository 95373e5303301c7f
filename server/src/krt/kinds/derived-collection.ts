// The constructors of derived collections.

import type {Collection, DerivedCollection, DerivedSingleton, Options} from '../api/collection.ts';
import type {HandlerContext} from '../api/context.ts';
import {coreOf} from '../api/public.ts';
import {type Engine, engineCore} from '../graph/engine.ts';
import {Derived, type Formula} from './derived.ts';
import {DerivedSingletonCore, Nothing} from './singleton.ts';

type Maybe<T> = T | null | undefined;

/** One output or none for each item of `input`. */
export function newCollection<I, O>(
  input: Collection<I>,
  formula: (ctx: HandlerContext, item: I) => Maybe<O>,
  options: Options<O> = {},
): DerivedCollection<I, O> {
  return derive(input, formula as Formula, false, 'Collection[I,O]', options as Options<unknown>) as never;
}

/** Any number of outputs for each item of `input`. */
export function newManyCollection<I, O>(
  input: Collection<I>,
  formula: (ctx: HandlerContext, item: I) => Maybe<Iterable<O>>,
  options: Options<O> = {},
): DerivedCollection<I, O> {
  return derive(input, formula as Formula, true, 'ManyCollection[I,O]', options as Options<unknown>) as never;
}

function derive(
  input: Collection<unknown>,
  formula: Formula,
  many: boolean,
  name: string,
  options: Options<unknown>,
): Derived {
  const parent = coreOf(input);
  return new Derived(parent.engine, parent, formula, many ? 'many' : 'derived', many, name, options).begin();
}

/** One value or none, from fetches alone. */
export function newSingleton<O>(
  engine: Engine,
  formula: (ctx: HandlerContext) => Maybe<O>,
  options: Options<O> = {},
): DerivedSingleton<O> {
  const core = engineCore(engine);
  const own = options as Options<unknown>;
  const name = options.name ?? 'Singleton[T]';
  return new DerivedSingletonCore(
    core,
    new Nothing(core, name),
    formula as Formula,
    own,
    name,
  ).begin() as never;
}

/** Any number of items, from fetches alone. */
export function newManyFromNothing<O>(
  engine: Engine,
  formula: (ctx: HandlerContext) => Maybe<Iterable<O>>,
  options: Options<O> = {},
): DerivedCollection<undefined, O> {
  const core = engineCore(engine);
  const name = options.name ?? 'ManyFromNothing[T]';
  const parent = new Nothing(core, name);
  const own = options as Options<unknown>;
  return new Derived(core, parent, formula as Formula, 'many', true, name, own).begin() as never;
}

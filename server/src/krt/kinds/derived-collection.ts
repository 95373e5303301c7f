// The constructors of derived collections.

import {coreOf} from '../graph/core-of.ts';
import {type Engine, engineCoreOf} from '../graph/engine.ts';
import {DerivedCore, type FormulaFunction} from '../run/derived-core.ts';
import type {Collection, DerivedCollection, DerivedSingleton, Options} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';
import {DerivedSingletonCore, EmptyInput} from './singleton.ts';

type OptionalOutput<T> = T | null | undefined;

/** One output or none for each item of `input`. */
export function newCollection<I, O>(
  input: Collection<I>,
  formula: (ctx: HandlerContext, item: I) => OptionalOutput<O>,
  options: Options<O> = {},
): DerivedCollection<I, O> {
  return createDerived(
    input,
    formula as FormulaFunction,
    false,
    'Collection[I,O]',
    options as Options<unknown>,
  ) as never;
}

/** Any number of outputs for each item of `input`. */
export function newManyCollection<I, O>(
  input: Collection<I>,
  formula: (ctx: HandlerContext, item: I) => OptionalOutput<Iterable<O>>,
  options: Options<O> = {},
): DerivedCollection<I, O> {
  return createDerived(
    input,
    formula as FormulaFunction,
    true,
    'ManyCollection[I,O]',
    options as Options<unknown>,
  ) as never;
}

function createDerived(
  input: Collection<unknown>,
  formula: FormulaFunction,
  many: boolean,
  name: string,
  options: Options<unknown>,
): DerivedCore {
  const parent = coreOf(input);
  return new DerivedCore(
    parent.engine,
    parent,
    formula,
    many ? 'many' : 'derived',
    many,
    name,
    options,
  ).begin();
}

/** One value or none, from fetches alone. */
export function newSingleton<O>(
  engine: Engine,
  formula: (ctx: HandlerContext) => OptionalOutput<O>,
  options: Options<O> = {},
): DerivedSingleton<O> {
  const core = engineCoreOf(engine);
  const own = options as Options<unknown>;
  const name = options.name ?? 'Singleton[T]';
  return new DerivedSingletonCore(
    core,
    new EmptyInput(core, name),
    formula as FormulaFunction,
    own,
    name,
  ).begin() as never;
}

/** Any number of items, from fetches alone. */
export function newManyFromNothing<O>(
  engine: Engine,
  formula: (ctx: HandlerContext) => OptionalOutput<Iterable<O>>,
  options: Options<O> = {},
): DerivedCollection<undefined, O> {
  const core = engineCoreOf(engine);
  const name = options.name ?? 'ManyFromNothing[T]';
  const parent = new EmptyInput(core, name);
  const own = options as Options<unknown>;
  return new DerivedCore(core, parent, formula as FormulaFunction, 'many', true, name, own).begin() as never;
}

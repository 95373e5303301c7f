// Runs checked expressions: calls, logic with absorbed errors, variables and fields.
import type {CelOverload} from './functions.ts';
import {type Bindings, fits} from './types.ts';
import {CelError, CelObject, CelOptional, lookUp, NONE, noSuchOverload, typeOfValue} from './values.ts';

/** A variable at run time, with the variables around it. */
export interface Frame {
  readonly name: string;
  readonly value: unknown;
  readonly up: Frame | undefined;
}

export function dispatch(
  candidates: CelOverload[],
  exact: boolean,
  args: readonly {run(frame: Frame | undefined): unknown}[],
  frame: Frame | undefined,
): unknown {
  const values = args.map(arg => arg.run(frame)) as never[];
  if (exact) return candidates[0]!.call(...values);
  const types = values.map(typeOfValue);
  const found = candidates.find(({parameters}) => {
    const bound: Bindings = new Map();
    // Values of a type parameter may differ at run time: equality of unlike values is false, not an error.
    return parameters.every(
      (parameter, i) => parameter.kind === 'parameter' || fits(parameter, types[i]!, bound),
    );
  });
  if (!found) throw noSuchOverload();
  return found.call(...values);
}

/** && and ||: one decisive side is enough, even if the other one fails. */
export function logical(decisive: boolean, left: () => unknown, right: () => unknown): boolean {
  let problem: unknown;
  for (const side of [left, right]) {
    try {
      const value = side();
      if (value === decisive) return decisive;
      if (typeof value !== 'boolean') problem ??= noSuchOverload();
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      problem ??= error;
    }
  }
  if (problem !== undefined) throw problem;
  return !decisive;
}

/** or and orValue: the alternative is not evaluated if the value is there. */
export function orElse(value: unknown, name: 'or' | 'orValue', other: () => unknown): unknown {
  if (!(value instanceof CelOptional)) throw noSuchOverload();
  if (!value.present) return other();
  return name === 'or' ? value : value.value;
}

export function readVariable(frame: Frame | undefined, name: string): unknown {
  for (let here = frame; here; here = here.up) if (here.name === name) return here.value;
  throw new CelError(`no such attribute(s): ${name}`);
}

/** The value of a field; undefined if it is not set. */
export function fieldOf(value: unknown, field: string): unknown {
  if (value instanceof CelObject) return value.fields.get(field);
  if (value instanceof Map) return lookUp(value, field);
  throw noSuchOverload();
}

export function select(value: unknown, field: string): unknown {
  const found = fieldOf(value, field);
  if (found === undefined) throw new CelError(`no such key: ${field}`);
  return found;
}

export function selectOptional(value: unknown, field: string): unknown {
  const target = value instanceof CelOptional ? value.value : value;
  if (target === undefined) return NONE;
  const found = fieldOf(target, field);
  return found === undefined ? NONE : new CelOptional(found);
}

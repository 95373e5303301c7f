// Which rows an input yields, said apart from the engine: for inputs that have none.

import type {View} from './batch-truth.ts';
import type {Rows} from './expected-rows.ts';
import {textOf} from './expected-rows.ts';

/** Collections whose rows tell their input by their keys: by the collection that has the inputs. */
export const families: Readonly<
  Record<string, {readonly inputs: string; readonly isOf: (key: string, input: string) => boolean}>
> = {
  Workloads: {inputs: 'Pods', isOf: (key, input) => key === input},
  WorkloadServices: {inputs: 'Workloads', isOf: (key, input) => key.startsWith(`${input}/`)},
};

export function rowsOfInput(rows: Rows, collection: string, input: string): string[] {
  const family = families[collection];
  return [...(rows.get(collection)?.keys() ?? [])].filter(key => family?.isOf(key, input));
}

export function inputView(collection: string, input: string): View {
  return rows =>
    textOf(rowsOfInput(rows, collection, input).map(key => [key, rows.get(collection)?.get(key)]));
}

// The rows that an input yields, computed without the engine, for inputs without rows.

import type {View} from './batch-truth.ts';
import type {Rows} from './expected-rows.ts';

/** Collections whose row keys name their input, by the collection of the inputs. */
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
  return rows => rowsOfInput(rows, collection, input).map(key => [key, rows.get(collection)?.get(key)]);
}

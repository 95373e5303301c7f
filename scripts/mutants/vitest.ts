// Replaces `vitest` in test files while mutants are tried. Collects the tests, and the worker calls them.
export {expect, vi} from '../../node_modules/vitest/dist/index.js';

export interface Collected {
  readonly name: string;
  readonly run: () => unknown;
}

export const collected: Collected[] = [];
let path = '';

type Body = (...row: never[]) => unknown;

export function test(name: string, run: () => unknown): void {
  collected.push({name: `${path}${name}`, run});
}

test.each = (rows: readonly unknown[]) => (name: string, run: Body) => {
  for (const row of rows)
    test(`${name} ${String(row).slice(0, 40)}`, () => run(...(argumentsOf(row, rows) as never[])));
};

export function describe(name: string, body: () => void): void {
  const outer = path;
  path = `${outer}${name} > `;
  body();
  path = outer;
}

describe.each = (rows: readonly unknown[]) => (name: string, body: Body) => {
  for (const row of rows)
    describe(`${name} ${String(row).slice(0, 40)}`, () => void body(...(argumentsOf(row, rows) as never[])));
};

// Like vitest, spreads a row only if all rows are lists.
function argumentsOf(row: unknown, rows: readonly unknown[]): readonly unknown[] {
  return rows.every(Array.isArray) ? (row as unknown[]) : [row];
}

test.runIf = (condition: unknown) => (name: string, run: () => unknown) => {
  if (condition) test(name, run);
};

export const it = test;

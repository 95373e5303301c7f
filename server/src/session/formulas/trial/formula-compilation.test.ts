// What if at a past moment compiles the formulas of that moment again, from what the recording has of them.
import {expect, test} from 'vitest';
import {compileFormulaText, toFormulaOrder} from './formula-compilation.ts';

const HELPERS = 'const two = 2;\nexport const twice = (n: number) => n * two;\nexport const other = 1;\n';

test('the order of a formula has everything to compile it again: its parameters and its helpers', async () => {
  const stored = {
    name: 'Cost',
    input: 'Pods',
    code: "(ctx, pod) => ({cost: twice(param('price', 1))})",
    params: {price: 7},
    revision: '1',
  };
  const order = toFormulaOrder(stored, await compileFormulaText(stored, HELPERS));
  const {compiled: _, ...recorded} = JSON.parse(JSON.stringify(order)) as typeof order;
  const again = await compileFormulaText({...recorded, revision: '1'}, recorded.helpers);
  expect(again.problems).toEqual([]);
  expect(again.hash).toBe(order.hash);
  expect(again.compiled?.params).toEqual([{name: 'price', default: 1, value: 7}]);
});

test('a group is read with the collection that it is made of', async () => {
  const stored = {name: 'ByNode', input: 'Pods by spec.nodeName', code: '(ctx, group) => 1', revision: '1'};
  expect((await compileFormulaText(stored)).reads).toEqual(['Pods', 'Pods by spec.nodeName']);
});

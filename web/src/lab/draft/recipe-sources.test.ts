import type {Graph} from '@krtscope/shared/graph.ts';
import {recipes} from '@krtscope/shared/recipes/recipes.ts';
import {expect, test} from 'vitest';
import {missingSources} from './recipe-sources.ts';

const recipe = recipes.find(one => one.name === 'BlockedDrains')!;
const graphOf = (...resources: [string, string][]) =>
  ({
    collections: resources.map(([resource, group]) => ({
      name: resource,
      resource: {resource, group, version: 'v1', kind: resource, namespaced: true},
    })),
  }) as unknown as Graph;

test('a source is missing although the input of the example is there', () => {
  expect(missingSources(recipe, graphOf(['deployments', 'apps']))).toEqual(['poddisruptionbudgets.policy']);
});

test('a source that the session has is not added again', () => {
  expect(missingSources(recipe, graphOf(['poddisruptionbudgets', 'policy']))).toEqual([]);
});

test('without a graph every source is missing', () => {
  expect(missingSources(recipe, null)).toEqual(recipe.sources);
});

import {expect, test} from 'vitest';
import {ReadTracker} from './read-tracker.ts';

interface Parts {
  foo: {x: number; y: number};
  'foo-bar': {x: number};
  'a.b': {c: number};
  list: {n: number}[];
}

test('of what was read the deepest paths are told, whatever stands beside them', () => {
  const tracker = new ReadTracker();
  const spec: Parts = {foo: {x: 1, y: 2}, 'foo-bar': {x: 1}, 'a.b': {c: 1}, list: [{n: 1}]};
  const item = tracker.watch('C', 'k', {spec}) as {spec: Parts};
  expect([item.spec.foo.x, item.spec['foo-bar'].x, item.spec['a.b'].c]).toEqual([1, 1, 1]);
  expect(item.spec.list.map(({n}) => n)).toEqual([1]);
  const [read] = tracker.reads();
  expect(read?.paths).not.toContain('spec.foo');
  expect(read?.paths).toEqual(expect.arrayContaining(['spec.foo.x', 'spec.foo-bar.x', 'spec.list.n']));
  expect(read?.paths).toHaveLength(4);
});

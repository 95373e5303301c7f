import {expect, test} from 'vitest';
import {guardWrites} from './write-guard.ts';

interface Thing {
  name: string;
  labels: Record<string, string>;
  ports: {port: number}[];
  extra?: number;
}

const thing = (): Thing => ({name: 'a', labels: {app: 'x'}, ports: [{port: 1}, {port: 2}]});

function writesOf(change: (view: Thing) => void): {paths: string[]; item: Thing} {
  const item = thing();
  const paths: string[] = [];
  const {view, done} = guardWrites(item, path => paths.push(path));
  change(view as Thing);
  done();
  return {paths, item};
}

test.each<[string, (view: Thing) => void, string]>([
  [
    'a field',
    view => {
      view.name = 'b';
    },
    'name',
  ],
  [
    'a field with the value it has',
    view => {
      view.name = 'a';
    },
    'name',
  ],
  [
    'a field deep inside',
    view => {
      view.labels.app = 'y';
    },
    'labels.app',
  ],
  [
    'a new field',
    view => {
      view.extra = 1;
    },
    'extra',
  ],
  [
    'a new label',
    view => {
      view.labels.tier = 'z';
    },
    'labels.tier',
  ],
  ['a field that goes', view => void delete view.labels.app, 'labels.app'],
  ['a list that grows', view => void view.ports.push({port: 3}), 'ports.2'],
  ['a list that is sorted', view => void view.ports.sort((a, b) => b.port - a.port), 'ports.0'],
  [
    'an object in a list',
    view => {
      for (const p of view.ports) p.port = 9;
    },
    'ports.0.port',
  ],
])('[V3] %s is noticed and dropped', (_, change, path) => {
  const {paths, item} = writesOf(change);
  expect(paths).toContain(path);
  expect(item).toEqual(thing());
});

test('[V3] reading in any way is no write', () => {
  const {paths} = writesOf(view => {
    expect({...view}).toEqual(thing());
    expect(JSON.parse(JSON.stringify(view))).toEqual(thing());
    expect(Object.keys(view)).toEqual(Object.keys(thing()));
    expect(view.labels).toBe(view.labels);
    expect(view.ports.map(p => p.port)).toEqual([1, 2]);
    expect('extra' in view).toBe(false);
  });
  expect(paths).toEqual([]);
});

import {expect, test} from 'vitest';
import {listLeaves, parsePath, readPath, writePath} from './path.ts';

const pod = {
  metadata: {name: 'a', labels: {'istio.io/use-waypoint': 'wp', app: 'x'}},
  spec: {containers: [{name: 'c', image: 'i:1'}, {name: 'd'}]},
};

test('a path is written and read back, dots inside names in brackets', () => {
  const text = writePath(['metadata', 'labels', 'istio.io/use-waypoint']);
  expect(text).toBe('metadata.labels[istio.io/use-waypoint]');
  expect(parsePath(text)).toEqual(['metadata', 'labels', 'istio.io/use-waypoint']);
  expect(readPath(pod, text)).toBe('wp');
  expect(writePath(['spec', 'containers', 0, 'image'])).toBe('spec.containers[0].image');
});

test('a dotted name is found without brackets too', () => {
  expect(readPath(pod, 'metadata.labels.istio.io/use-waypoint')).toBe('wp');
  expect(readPath(pod, 'metadata.labels.nothing.here')).toBeUndefined();
});

test('a name on an array means that name in each element', () => {
  expect(readPath(pod, 'spec.containers.name')).toEqual(['c', 'd']);
  expect(readPath(pod, 'spec.containers[1].name')).toBe('d');
  expect(readPath(pod, 'spec.containers.image')).toEqual(['i:1']);
});

test('inherited names are not there', () => {
  expect(readPath(pod, 'constructor.name')).toBeUndefined();
  expect(readPath(pod, '__proto__')).toBeUndefined();
});

test('leaves are every end of a value', () => {
  expect(listLeaves({a: {b: 1}, c: [], d: [2]}).map(l => writePath(l.path))).toEqual(['a.b', 'c', 'd[0]']);
});

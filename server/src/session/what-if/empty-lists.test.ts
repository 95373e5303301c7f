import {expect, test} from 'vitest';
import {keepNulls} from './empty-lists.ts';

test('a null of the server stays, and a field that the edit sets wins', () => {
  const before = {endpoints: null, ports: null, spec: {a: null, list: [{x: null}]}, gone: {b: null}};
  const now = {ports: [{port: 80}], spec: {list: [{}]}};
  keepNulls(before, now);
  expect(now).toEqual({endpoints: null, ports: [{port: 80}], spec: {a: null, list: [{}]}});
});

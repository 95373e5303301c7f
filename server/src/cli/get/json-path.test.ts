// Templates with the results that kubectl 1.36 prints for them.
import {expect, test} from 'vitest';
import {compilePath, compileTemplate} from './json-path.ts';

const pods = {
  items: [
    {
      key: 'shop/a',
      metadata: {name: 'a', labels: {'app.kubernetes.io/name': 'x'}},
      status: {phase: 'Running', n: 3},
    },
    {key: 'shop/b', metadata: {name: 'b', labels: {app: 'y'}}, status: {phase: 'Pending', n: 1}},
    {key: 'shop/c', metadata: {name: 'c'}, status: {phase: 'Running'}},
  ],
};

test.each([
  ['{.items[*].metadata.name}', 'a b c'],
  ['.items[0].metadata.name', 'a'],
  ['items[-1].metadata.name', 'c'],
  ['{.items[1:].key}', 'shop/b shop/c'],
  ['{.items[0:3:2].key}', 'shop/a shop/c'],
  [
    '{range .items[*]}{.metadata.name}{"\\t"}{.status.phase}{"\\n"}{end}',
    'a\tRunning\nb\tPending\nc\tRunning\n',
  ],
  ['{.items[?(@.status.phase=="Running")].key}', 'shop/a shop/c'],
  ['{.items[?(@.status.phase != "Running")].key}', 'shop/b'],
  ['{.items[?(@.status.n>=2)].key}', 'shop/a'],
  ['{.items[?(@.status.n)].key}', 'shop/a shop/b'],
  ['{.items[0].metadata.labels.app\\.kubernetes\\.io/name}', 'x'],
  ["{.items[0].metadata.labels['app.kubernetes.io/name']}", 'x'],
  ["{.items[0]['key','status']}", 'shop/a {"phase":"Running","n":3}'],
  ['{..phase}', 'Running Pending Running'],
  ['names: {.items[*].metadata.name}!', 'names: a b c!'],
  ['{.items[0].missing.deep}', ''],
  ['{.items[0].metadata.labels}', '{"app.kubernetes.io/name":"x"}'],
])('%s', (template, text) => {
  expect(compileTemplate(template)(pods)).toBe(text);
});

test('a path of custom-columns may leave its dot and braces out', () => {
  const [first] = pods.items;
  for (const path of ['.metadata.name', 'metadata.name', '{.metadata.name}'])
    expect(compilePath(path)(first)).toEqual(['a']);
});

test.each(['{.items[', '{range .items[*]}{.key}', '{end}', '{.items[?(name)]}', '{.a'])(
  '%s is refused',
  template => {
    expect(() => compileTemplate(template)).toThrow(/JSONPath/);
  },
);

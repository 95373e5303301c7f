import {expect, test} from 'vitest';
import {ManifestError, parseManifestObjects} from './manifest-objects.ts';

test('numbers, booleans, anchors and merge keys are what kubectl reads', () => {
  const text = `
# a comment
---
base: &base {mode: 0644, on: yes}
copy:
  <<: *base
  own: 1
---
{"json": true}
---
`;
  expect(parseManifestObjects(text)).toEqual([
    {base: {mode: 420, true: true}, copy: {mode: 420, true: true, own: 1}},
    {json: true},
  ]);
});

test.each([
  ['a: 1\n---\n- list', 3, 'a document is not an object: it needs apiVersion, kind and metadata'],
  ['a: 1\n---\nb: *nothing', 3, "unknown anchor 'nothing' referenced"],
  ['a: {b', 1, 'Flow map must end with a }'],
])('%#: refused with its line', (text, line, message) => {
  try {
    parseManifestObjects(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ManifestError);
    expect((error as ManifestError).line).toBe(line);
    expect((error as ManifestError).message).toContain(message.split(' ')[0]);
  }
});

// A large collection opens folded by namespace, and beside a draft's column it does not: the draft would stand there empty.
import {expect, test} from 'vitest';
import {groupOf, MANY} from './use-sheet.ts';

test('many rows are grouped unless somebody says otherwise or drafts a column', () => {
  expect(groupOf(null, MANY + 1, false)).toBe('namespace');
  expect(groupOf(null, MANY, false)).toBeNull();
  expect(groupOf('none', MANY + 1, false)).toBeNull();
  expect(groupOf(null, MANY + 1, true)).toBeNull();
  expect(groupOf('spec.nodeName', 3, true)).toBe('spec.nodeName');
});

// A large collection opens grouped by namespace, but not beside a draft's column, which would look empty.
import {expect, test} from 'vitest';
import {AUTO_GROUP_ROWS, groupingFor} from './use-sheet.ts';

test('many rows are grouped unless somebody says otherwise or drafts a column', () => {
  expect(groupingFor(null, AUTO_GROUP_ROWS + 1, false, '')).toBe('namespace');
  expect(groupingFor(null, AUTO_GROUP_ROWS, false, '')).toBeNull();
  expect(groupingFor('none', AUTO_GROUP_ROWS + 1, false, '')).toBeNull();
  expect(groupingFor(null, AUTO_GROUP_ROWS + 1, true, '')).toBeNull();
  expect(groupingFor('spec.nodeName', 3, true, '')).toBe('spec.nodeName');
});

test('rows of one namespace are not folded into one group, however it was chosen', () => {
  const grouped = (filter: string) => groupingFor(null, AUTO_GROUP_ROWS + 1, false, filter);
  expect(['ns:shop', '-n shop', 'web ns:shop'].map(grouped)).toEqual([null, null, null]);
  expect(['web', '!ns:shop', 'state:failed'].map(grouped)).toEqual(['namespace', 'namespace', 'namespace']);
  expect(groupingFor('namespace', 3, false, 'ns:shop')).toBe('namespace');
});

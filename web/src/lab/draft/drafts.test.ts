import {describe, expect, test} from 'vitest';
import {
  addDraft,
  changeDraft,
  currentDraft,
  type Draft,
  formulaSkeleton,
  freeName,
  hasUnsavedChanges,
  itemParameterName,
  noDrafts,
  readDrafts,
  removeDraft,
} from './drafts.ts';

const draft = (id: string, more: Partial<Draft> = {}): Draft => ({
  id,
  name: id,
  kind: 'one',
  input: 'Pods',
  code: 'a',
  pins: [],
  history: [],
  ...more,
});

describe('the drafts of a session', () => {
  test('what is written is what is read; what is broken is left out', () => {
    const held = addDraft(addDraft(noDrafts, draft('a')), draft('b'));
    expect(readDrafts(JSON.stringify(held))).toEqual(held);
    expect(currentDraft(held)?.id).toBe('b');
    expect(
      readDrafts(
        '{"drafts": [{"id": 1}, {"id": "a", "name": "a", "kind": "one", "code": "x"}], "current": "z"}',
      ),
    ).toEqual({drafts: [{id: 'a', name: 'a', kind: 'one', code: 'x', pins: [], history: []}], current: null});
    expect(readDrafts('nonsense')).toEqual(noDrafts);
  });

  test('texts of one stretch of typing are one step of the history', () => {
    let held = addDraft(noDrafts, draft('a'));
    for (const [at, code] of [
      [0, 'ab'],
      [1000, 'abc'],
      [60_000, 'other'],
    ] as const)
      held = changeDraft(held, 'a', {code}, at);
    expect(currentDraft(held)?.history.map(one => one.code)).toEqual(['a', 'abc']);
  });

  test('the draft that is thrown away hands over to the next', () => {
    const held = addDraft(addDraft(noDrafts, draft('a')), draft('b'));
    expect(removeDraft(held, 'b').current).toBe('a');
    expect(removeDraft(removeDraft(held, 'b'), 'a')).toEqual(noDrafts);
  });

  test('a saved formula is changed by its text, name, kind or input', () => {
    const of = {name: 'a', revision: '1', code: 'a', kind: 'one' as const, input: 'Pods'};
    expect(hasUnsavedChanges(draft('a', {of}))).toBe(false);
    expect(hasUnsavedChanges(draft('a', {of, code: 'b'}))).toBe(true);
    expect(hasUnsavedChanges(draft('a', {of, input: 'Services'}))).toBe(true);
    expect(hasUnsavedChanges(draft('a'))).toBe(true);
  });
});

test('names that nothing has, ignoring case', () => {
  expect(freeName('Draft', ['Pods'])).toBe('Draft');
  expect(freeName('Draft', ['draft', 'DRAFT2'])).toBe('Draft3');
});

test.each([
  ['Pods', 'pod'],
  ['NetworkPolicies', 'networkPolicy'],
  ['EndpointSlices', 'endpointSlice'],
  ['Ingresses', 'ingress'],
  ['Workloads', 'workload'],
  ['Namespaces', 'item'],
  ['a/b', 'aB'],
  ['#', 'item'],
])('an item of %s is called %s', (collection, word) => {
  expect(itemParameterName(collection)).toBe(word);
});

test('a skeleton is one expression that runs as it stands', () => {
  expect(formulaSkeleton('one', 'Pods', true)).toBe('(ctx, pod) => ({\n  name: pod.metadata.name,\n})');
  expect(formulaSkeleton('many', 'Workloads', false)).toBe(
    '(ctx, workload) => [\n  {key: keyOf(workload)},\n]',
  );
  expect(formulaSkeleton('singleton', undefined, false)).toContain('ctx.fetch(Namespaces).length');
  expect(formulaSkeleton('singleton', 'Pods', true)).toContain('ctx.fetch(Pods).length');
});

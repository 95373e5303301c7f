import {expect, test} from 'vitest';
import {parseFilter, parseSelector} from './filter.ts';
import {meetsRequirements} from './labels/label-selector.ts';

const kinds = (q: string) =>
  parseFilter(q).terms.map(({start: _s, end: _e, text: _t, ...term}) => term as unknown);

test('every form of the grammar becomes a term of its own', () => {
  expect(kinds('reviews ns:shop -l app=reviews spec.nodeName=n1 state:noop runs>10 changed<30s')).toEqual([
    {kind: 'word', word: 'reviews', not: false},
    {kind: 'namespace', namespaces: ['shop'], not: false},
    {kind: 'labels', requirements: [{key: 'app', operator: 'In', values: ['reviews']}]},
    {kind: 'field', path: 'spec.nodeName', is: '=', value: 'n1'},
    {kind: 'state', states: ['equal'], not: false},
    {kind: 'runs', is: '>', count: 10},
    {kind: 'changed', is: '<', milliseconds: 30_000},
  ]);
});

test('a selector is taken as kubectl takes it, pasted or attached, with sets and blanks', () => {
  expect(kinds('-l app in (a, b),!old,tier!=db x')).toEqual([
    {
      kind: 'labels',
      requirements: [
        {key: 'app', operator: 'In', values: ['a', 'b']},
        {key: 'old', operator: 'DoesNotExist', values: []},
        {key: 'tier', operator: 'NotIn', values: ['db']},
      ],
    },
    {kind: 'word', word: 'x', not: false},
  ]);
  expect(kinds('-lapp=x')).toEqual(kinds('-l app=x'));
  expect(kinds('--selector=app=x')).toEqual(kinds("-l 'app=x'"));
});

test('a missing label meets != as in kubectl', () => {
  expect(meetsRequirements(parseSelector('app!=x'), {})).toBe(true);
  expect(meetsRequirements(parseSelector('app!=x'), {app: 'x'})).toBe(false);
  expect(meetsRequirements(parseSelector('app'), {})).toBe(false);
});

test('what is wrong is named with its place and the other terms stand', () => {
  const filter = parseFilter('ns:a state:borken runs>many');
  expect(filter.terms).toHaveLength(1);
  expect(filter.problems.map(p => [p.start, p.end])).toEqual([
    [5, 17],
    [18, 27],
  ]);
  expect(filter.problems[0]?.message).toContain('failed');
});

test('a half-typed prefix hides nothing', () => {
  expect(parseFilter('ns: state: -l').terms).toEqual([]);
  expect(parseFilter('ns: state: -l').problems).toEqual([]);
});

test('quotes keep blanks and turn off the grammar', () => {
  expect(kinds('"a b" name="x y" "ns:z"')).toEqual([
    {kind: 'word', word: 'a b', not: false},
    {kind: 'field', path: 'name', is: '=', value: 'x y'},
    {kind: 'word', word: 'ns:z', not: false},
  ]);
});

test('several states and namespaces are alternatives', () => {
  expect(kinds('state:failed|equal ns:a,b !state:empty')).toEqual([
    {kind: 'state', states: ['failed', 'equal'], not: false},
    {kind: 'namespace', namespaces: ['a', 'b'], not: false},
    {kind: 'state', states: ['empty'], not: true},
  ]);
});

import {expect, test} from 'vitest';
import {
  editDistance,
  findMistake,
  isUnfinished,
  joinFilter,
  labelValues,
  splitFilter,
  suggest,
} from './filter-text.ts';

const fields = ['status.phase', 'waypoint', 'owner'];
const suggestions = {
  namespaces: ['shop', 'ops'],
  fields,
  values: (field: string) => (field === 'owner' ? ['cart', 'catalog'] : []),
};

test('a pasted kubectl selector is one token', () => {
  expect(
    splitFilter('ns:shop -l app=reviews,tier!=batch checkout').map(token => [token.head, token.value]),
  ).toEqual([
    ['ns:', 'shop'],
    ['-l', 'app=reviews,tier!=batch'],
    ['', 'checkout'],
  ]);
});

test('joining gives the text back', () => {
  const text = 'ns:shop -l app=x owner=cart state:failed|equal';
  expect(joinFilter(splitFilter(text))).toBe(text);
});

test('a slip names the nearest field or state', () => {
  const of = (text: string) => findMistake(splitFilter(text)[0]!, fields);
  expect(of('chnged<30s')).toBe('Unknown field. Did you mean changed?');
  expect(of('state:eqaul')).toBe('Unknown state. Did you mean equal?');
  expect(of('waypoint=wp')).toBeUndefined();
  expect(of('spec.nodeName=n1')).toBeUndefined();
  expect(of('changed<soon')).toContain('changed is compared with an age');
});

test('completion goes on where the word is', () => {
  expect(suggest('ns:s', suggestions).map(one => one.text)).toEqual(['ns:shop', 'ns:ops']);
  expect(suggest('state:failed|eq', suggestions).map(one => one.text)).toEqual(['state:failed|equal']);
  expect(suggest('owner=ca', suggestions).map(one => one.text)).toEqual(['owner=cart', 'owner=catalog']);
  expect(suggest('way', suggestions).map(one => one.text)).toEqual(['waypoint=']);
  expect(suggest('', suggestions)[0]?.text).toBe('ns:');
});

test('edits counts and gives up', () => {
  expect(editDistance('catlog', 'catalog', 5)).toBe(1);
  expect(editDistance('a', 'abcdef', 3)).toBe(3);
});

test('a label selector completes keys and values from the rows', () => {
  const labels = labelValues([
    {metadata: {labels: {app: 'cart'}}},
    {labels: {app: 'catalog', tier: 'web'}},
    null,
  ]);
  const texts = (draft: string) => suggest(draft, {...suggestions, labels}).map(one => one.text);
  expect(texts('-l ')).toEqual(['-l app=', '-l tier=']);
  expect(texts('-l app=')).toEqual(['-l app=cart', '-l app=catalog']);
  expect(texts('-l app=cart,ti')).toEqual(['-l app=cart,tier=']);
});

test('a term without its value is unfinished, a word is not', () => {
  const known = {
    namespaces: ['shop', 'shopping', 'data'],
    labels: new Map([['app', ['cart', 'catalog']]]),
  };
  const unfinished = (draft: string) => isUnfinished(draft, known);
  expect(['-l', '-l app=', 'ns:', 'ns:shop owner=', 'runs>'].filter(unfinished)).toHaveLength(5);
  expect(['cart', '-l app', '-l app=cart', 'ns:shop'].filter(unfinished)).toEqual([]);
  // A part of a value that the rows have is still being typed; a value that they do not have is a question.
  expect(['ns:sh', '-l ap', '-l app=c', 'cart -l app=cat'].filter(unfinished)).toHaveLength(4);
  expect(['ns:zzz', '-l app=zzz', '-l zzz', '-l app!=c'].filter(unfinished)).toEqual([]);
  expect(isUnfinished('-l app=cart', {...known, labels: undefined})).toBe(true);
});

test('an unknown prefix is explained, a text with a colon and a number is not', () => {
  const of = (text: string) => findMistake(splitFilter(text)[0]!, fields);
  expect(of('foo:bar')).toContain('"foo:" is not a filter term');
  expect(of('nginx:1.25')).toBeUndefined();
});

import {expect, test} from 'vitest';
import {clausesOfFilter, keysOfFilter, textOfFilter} from './filter-text.ts';
import {parseLogLine, timeOfLine} from './log-line.ts';

const TIME = '2026-11-17T18:01:06.395953Z';
const krt = (message: string) => parseLogLine(`${TIME}\tdebug\tkrt\t${message}`);

test('the lines of krt’s debug scope', () => {
  expect(krt('event size 1, impacts [shop/a shop/b] objects\towner=ambient/X')).toEqual({
    kind: 'event',
    time: TIME,
    owner: 'ambient/X',
    size: 1,
    impacts: 'shop/a shop/b',
  });
  expect(
    krt('Fetch\tparent=ambient/X{shop/a} fetch=informer/N filter={keys=[shop],generic} size=12'),
  ).toEqual({
    kind: 'fetch',
    time: TIME,
    owner: 'ambient/X',
    input: 'shop/a',
    collection: 'informer/N',
    filter: 'keys=[shop],generic',
    matched: 12,
  });
  expect(krt('Fetch\tparent=One{} fetch=MeshConfig filter={} size=1')).toMatchObject({input: '', filter: ''});
  expect(krt('handled\towner=ambient/X res=a/b type=update')).toMatchObject({key: 'a/b', change: 'changed'});
  expect(krt('handled\towner=ambient/X res=a/b type=add')).toMatchObject({key: 'a/b', change: 'added'});
  expect(krt('handled delete\towner=ambient/X res=a/b')).toMatchObject({key: 'a/b', change: 'deleted'});
  expect(krt('calling handlers\towner=ambient/X events=3')).toMatchObject({owner: 'ambient/X', events: 3});
  for (const detail of [
    'no match generic',
    'register new dependency\towner=A collection=B',
    'sync complete\tname=A',
  ])
    expect(krt(detail)).toEqual({kind: 'detail'});
});

test('the kubelet’s time before the line is left out', () => {
  const line = `2026-11-17T18:01:06.396000123Z ${TIME}\tdebug\tkrt\tcalling handlers\towner=A events=1`;
  expect(parseLogLine(line)).toMatchObject({kind: 'published', time: TIME, owner: 'A'});
});

test('lines of other scopes are known, lines of another form are unread', () => {
  expect(parseLogLine(`${TIME}\tinfo\tads\tPush debounce stable`)).toBe('other');
  expect(parseLogLine(`${TIME}\tinfo\tsync complete\tname=A`)).toBe('other');
  for (const unread of ['goroutine 12 [running]:', '{"level":"debug","scope":"krt"}', '\tat main.go:12', 'x'])
    expect(parseLogLine(unread), unread).toBe('unread');
  for (const changed of ['Fetch parent=A', 'handled\towner=A type=add', 'event size 1', 'something new'])
    expect(krt(changed), changed).toBe('unread');
});

test('times have microseconds', () => {
  expect(timeOfLine(TIME)).toBeCloseTo(Date.parse('2026-11-17T18:01:06.395Z') + 0.953, 3);
});

test('filters as clauses and in words', () => {
  expect(keysOfFilter('keys=[a/b c],generic')).toEqual(['a/b', 'c']);
  expect(keysOfFilter('selects=map[keys:1]')).toBeUndefined();
  expect(textOfFilter('keys=[shop],suppressChange')).toBe('key shop');
  expect(textOfFilter('selectsNonEmpty=map[app:cart version:v1]')).toBe(
    'selectsNonEmpty app=cart,version=v1',
  );
  expect(clausesOfFilter('selects=map[app:cart],generic')).toEqual([
    {kind: 'selects', text: 'selects app=cart', labels: {app: 'cart'}, nonEmpty: false},
    {kind: 'generic', text: 'generic', name: 'generic'},
  ]);
  expect(textOfFilter('')).toBe('no filter that the log names');
});

test('times have microseconds; lines of the same and of another second, in any order', () => {
  for (const [text, iso, micros] of [
    ['2026-11-17T18:01:06.395953Z', '2026-11-17T18:01:06.395Z', 0.953],
    ['2026-11-17T18:01:06.000001Z', '2026-11-17T18:01:06.000Z', 0.001],
    ['2026-11-17T18:01:07.000000Z', '2026-11-17T18:01:07.000Z', 0],
    ['2026-11-17T18:01:06.999999Z', '2026-11-17T18:01:06.999Z', 0.999],
  ] as const)
    expect(timeOfLine(text)).toBeCloseTo(Date.parse(iso) + micros, 2);
  expect(timeOfLine('2026-11-17T18:01:06.395Z')).toBe(Date.parse('2026-11-17T18:01:06.395Z'));
  expect(timeOfLine('not a time')).toBeNaN();
});

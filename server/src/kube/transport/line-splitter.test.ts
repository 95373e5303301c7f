import {expect, test} from 'vitest';
import {LineSplitter, longestLine} from './line-splitter.ts';

function split(chunks: Buffer[]): {lines: string[]; unfinished: number} {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap(chunk => [...splitter.push(chunk)]);
  return {lines, unfinished: splitter.unfinished};
}

test('lines come out whole wherever they are cut, also inside a character', () => {
  const text = '{"a":"ß€😀"}\n\n{"b":"\u2028"}\n';
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size++) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    expect(split(chunks)).toEqual({lines: ['{"a":"ß€😀"}', '{"b":"\u2028"}'], unfinished: 0});
  }
});

test('what has no newline yet is unfinished, not a line', () => {
  expect(split([Buffer.from('{"a":1}\n{"b"')])).toEqual({lines: ['{"a":1}'], unfinished: 4});
});

test('a line without end is refused before it fills memory', () => {
  const splitter = new LineSplitter();
  const chunk = Buffer.alloc(longestLine / 4, 'x');
  for (let at = 0; at < 4; at++) expect([...splitter.push(chunk)]).toEqual([]);
  expect(() => [...splitter.push(chunk)]).toThrow(RangeError);
});

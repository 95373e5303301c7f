// JSON errors with Go's messages.
import {expect, test} from 'vitest';
import {parseJson} from './parse-json.ts';

test.each([
  ['not json', "invalid character 'o' in literal null (expecting 'u')"],
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['-x', "invalid character 'x' in numeric literal"],
  ['['.repeat(20_000), "invalid character '[' exceeded max depth"],
])('%#: %.20s is refused: %s', (text, message) => {
  expect(() => parseJson(text)).toThrow(message);
});

test('keys that come twice are remembered and the last one wins', () => {
  const {value, doubled} = parseJson('{"a":{"b":1,"b":2},"list":[{"c":1,"c":2}],"a":{"z":1}}');
  expect(doubled).toEqual(['a.b', 'list[0].c', 'a']);
  expect(value).toEqual({a: {z: 1}, list: [{c: 2}]});
});

test('integers beyond 2^53 come out as they went in', () => {
  const text = '{"big":9007199254740993,"small":5}';
  expect(JSON.stringify(parseJson(text).value)).toBe(text);
});

test('a key called __proto__ is a key like any other', () => {
  const value = parseJson('{"__proto__":{"x":1}}').value as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

// YAML errors with go-yaml's messages. The expected ones come from a real 1.36.
import {expect, test} from 'vitest';
import {parseYaml, YamlError} from './parse-yaml.ts';

/** A line of nine aliases, then nine lines that each refer nine times to the line before: nine to the tenth. */
function bomb(): string {
  const names = [...'abcdefghij'];
  const list = (item: string) => `[${Array(9).fill(item).join(', ')}]`;
  return names.map((name, i) => `${name}: &${name} ${list(i === 0 ? 'lol' : `*${names[i - 1]}`)}\n`).join('');
}

test.each([
  ['a: *b', "unknown anchor 'b' referenced"],
  ['a: &a [*a]', "anchor 'a' value contains itself"],
  ['a: &a {b: {c: *a}}', "anchor 'a' value contains itself"],
  ['a: {<<: 3}', 'map merge requires map or sequence of maps as the value'],
  ['a: &a 3\nb: {<<: [*a]}', 'map merge requires map or sequence of maps as the value'],
  ['a: {<<: }', 'map merge requires map or sequence of maps as the value'],
  ['? [a]\n: b', 'invalid map key: ["a"]'],
  ['~: b', 'invalid map key: null'],
  ['\nnot: [yaml', 'line 2: did not find expected node content'],
  [`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'line 1: exceeded max depth'],
  [bomb(), 'document contains excessive aliasing'],
])('%#: refused in words', (text, why) => {
  expect(() => parseYaml(text)).toThrow(new YamlError(`yaml: ${why}`));
});

test('an alias that many use is no bomb', () => {
  const {value} = parseYaml(`a: &a [1]\nb: [${Array(300).fill('*a').join(', ')}]`);
  expect((value as {b: number[][]}).b).toEqual(Array(300).fill([1]));
});

test('an alias is what had its name last before it, whatever is read again behind it', () => {
  const {value} = parseYaml('a: &x {b: &z 1}\nc: &z 2\nd: *x\ne: *z');
  expect(value).toEqual({a: {b: 1}, c: 2, d: {b: 1}, e: 2});
});

test('merges are laid in where they stand, of a list the first counts, and what comes twice is told', () => {
  const given = 'x: &x {a: b, c: d}\ny1: &y {a: bb, e: f}\n';
  const {value, doubled} = parseYaml(`${given}m:\n  a: own\n  <<: *x\no:\n  <<: [*x, *y]\n"<<": text`);
  expect(value).toMatchObject({m: {a: 'b', c: 'd'}, o: {a: 'b', c: 'd', e: 'f'}, '<<': 'text'});
  expect(doubled).toEqual(['line 1: key "a" already set in map', 'line 1: key "a" already set in map']);
});

test('words are read as go-yaml reads them, and of several documents the first', () => {
  const {value} = parseYaml(
    'a: yes\nb: "yes"\nc: off\nd: 0644\ne: !!str on\nf: ~\ng: |\n  on\n1: x\n---\nz: z',
  );
  expect(value).toEqual({a: true, b: 'yes', c: false, d: 420, e: 'on', f: null, g: 'on\n', 1: 'x'});
});

test('a key called __proto__ is a key like any other', () => {
  const value = parseYaml('__proto__: {x: 1}').value as Record<string, unknown>;
  expect([Object.keys(value), value.x]).toEqual([['__proto__'], undefined]);
});

test.each([
  ['0644', 420],
  ['0o644', 420],
  ['yes', true],
  ['off', false],
  ['1_000', 1000],
  ['0x1F', 31],
  ['~', null],
  ['1:30', '1:30'],
  ['2020-01-01', '2020-01-01'],
  ['"0644"', '0644'],
  ['_1', '_1'],
])('%s is what kubectl reads', (text, value) => {
  expect(parseYaml(`m: ${text}`).value).toEqual({m: value});
});

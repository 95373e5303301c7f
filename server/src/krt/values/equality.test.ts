// Equality must not find different values equal, because that update would be lost for good.

import {expect, test} from 'vitest';
import {createEngine, equal, newCollection, newStaticCollection, tracked} from '../index.ts';
import {createItemComparer, DIFFERENT, DIFFERENT_MAYBE_NOT_IN_JSON, EQUAL} from './equality.ts';

class Secret {
  readonly name = 'secret';
  readonly #value: number;

  constructor(value: number) {
    this.#value = value;
  }

  get value(): number {
    return this.#value;
  }
}

class Open {
  readonly n: number;

  constructor(n: number) {
    this.n = n;
  }
}

class Tagged extends Map<string, number> {
  tag = '';
}

const tagged = (tag: string, n: number) => {
  const map = new Tagged([['a', n]]);
  map.tag = tag;
  return map;
};

test('[K2] what hides its content is equal to itself alone', () => {
  const one = new Secret(1);
  expect(equal(one, one)).toBe(true);
  expect(equal(one, new Secret(2))).toBe(false);
  expect(equal({a: one}, {a: new Secret(2)})).toBe(false);
  expect(equal(new (class extends Secret {})(1), new (class extends Secret {})(2))).toBe(false);
  expect(equal(Promise.resolve(1), Promise.resolve(2))).toBe(false);
  expect(equal(new WeakMap(), new WeakMap())).toBe(false);
});

test('[K2] a class without anything hidden compares by its fields', () => {
  expect(equal(new Open(1), new Open(1))).toBe(true);
  expect(equal(new Open(1), new Open(2))).toBe(false);
});

test('[K2] what the language itself has compares by content', () => {
  expect(equal(/a/g, /a/g)).toBe(true);
  expect(equal(/a/g, /a/i)).toBe(false);
  expect(equal(/a/, /b/)).toBe(false);
  expect(equal(new Error('a'), new Error('a'))).toBe(true);
  expect(equal(new Error('a'), new Error('b'))).toBe(false);
  expect(equal(new Error('a'), new TypeError('a'))).toBe(false);
  expect(equal(new Error('a', {cause: 1}), new Error('a', {cause: 2}))).toBe(false);
  const bytes = (...values: number[]) => new Uint8Array(values);
  expect(equal(bytes(1, 2).buffer, bytes(1, 2).buffer)).toBe(true);
  expect(equal(bytes(1, 2).buffer, bytes(1, 3).buffer)).toBe(false);
  expect(equal(bytes(1), bytes(1))).toBe(true);
  expect(equal(bytes(1), bytes(2))).toBe(false);
  expect(equal(new DataView(bytes(1).buffer), new DataView(bytes(2).buffer))).toBe(false);
  expect(equal(new URLSearchParams('a=1'), new URLSearchParams('a=1'))).toBe(true);
  expect(equal(new URLSearchParams('a=1'), new URLSearchParams('a=2'))).toBe(false);
  expect(equal(new URL('http://a/b'), new URL('http://a/c'))).toBe(false);
  expect(equal(Object(1), Object(2))).toBe(false);
  expect(equal(Object('a'), Object('a'))).toBe(true);
  expect(equal(new Date(Number.NaN), new Date(Number.NaN))).toBe(true);
});

test.runIf('Temporal' in globalThis)('[K2] Temporal values compare by what they say', () => {
  const {Temporal} = globalThis as unknown as {Temporal: {Instant: {from(text: string): object}}};
  const at = (text: string) => Temporal.Instant.from(text);
  expect(equal(at('2026-01-01T00:00:00Z'), at('2026-01-01T00:00:00Z'))).toBe(true);
  expect(equal(at('2026-01-01T00:00:00Z'), at('2026-01-01T00:00:01Z'))).toBe(false);
});

test('[K2] a Map or Set with fields of its own compares by both', () => {
  expect(equal(tagged('a', 1), tagged('a', 1))).toBe(true);
  expect(equal(tagged('a', 1), tagged('b', 1))).toBe(false);
  expect(equal(tagged('a', 1), tagged('a', 2))).toBe(false);
});

test.each(['total', '-1', '1.5', '01', '-0', '', 'NaN', 'Infinity', '4294967295', '1e21'])(
  '[K2] a field "%s" of a list counts, however many of its items are missing',
  name => {
    const list = (value: number, items: readonly number[], length: number): unknown => {
      const made = Object.assign([...items], {[name]: value});
      made.length = length;
      return made;
    };
    for (const items of [[], [7], [7, 8, 9]]) {
      for (const length of [items.length, items.length + 1, items.length + 30]) {
        expect(equal(list(1, items, length), list(1, items, length))).toBe(true);
        expect(equal(list(1, items, length), list(2, items, length))).toBe(false);
      }
    }
  },
);

test('[K2] things of different classes are not equal, and a list is no object', () => {
  expect(equal(new Open(1), {n: 1})).toBe(false);
  expect(equal(new Map(), new Set())).toBe(false);
  expect(equal(Object.create(null), {})).toBe(true);
  expect(equal([1], {0: 1, length: 1})).toBe(false);
  // Both claim that Object is their constructor, and have the same fields.
  const over = (above: object) => Object.assign(Object.create(above) as object, {n: 1});
  const hidden = {[Symbol('kind')]: 1};
  expect(equal(over(hidden), {n: 1})).toBe(false);
  expect(equal({n: 1}, over(hidden))).toBe(false);
});

test('[K2] a row that changed only in what a class hides is announced', () => {
  const engine = createEngine();
  const source = newStaticCollection<{key: string; n: number}>(engine, [{key: 'a', n: 1}]);
  const rows = newCollection(source, (_, item) => ({key: item.key, held: new Secret(item.n)}));
  const tracker = tracked(rows);
  source.updateObject({key: 'a', n: 2});
  expect(tracker.taken()).toEqual(['update/a']);
  expect(rows.getKey('a')?.held.value).toBe(2);
});

const bases = [
  ...['Date', 'Map', 'Set', 'Error', 'TypeError', 'RegExp', 'URL', 'URLSearchParams'],
  ...['Uint8Array', 'Float64Array', 'ArrayBuffer', 'Array', 'String'],
];

/** Two objects of a class with this source text and a number of its own. */
function twoOf(text: string): [unknown, unknown] {
  const Made = new Function(`return ${text}`)() as new (n: number) => unknown;
  return [new Made(1), new Made(2)];
}

const ARGUMENTS: Record<string, string> = {URL: `'http://a'`, ArrayBuffer: '2', Date: '0'};

test.each(bases)('[K2] a class over %s with a private field equals itself alone', base => {
  const made = (name: string) =>
    twoOf(
      `class extends ${base} {#n; constructor(n) {super(${ARGUMENTS[base] ?? ''}); this.#n = n;} get ${name}() {return this.#n;}}`,
    );
  const [one, other] = made('n');
  expect(equal({one}, {one})).toBe(true);
  expect(equal({v: one}, {v: other})).toBe(false);
});

test.each([
  ['an escaped private name', 'class {#\\u0061b; constructor(n) {this.#\\u0061b = n;}}'],
  [
    'what esbuild makes of one',
    'class {constructor(n) {const __privateAdd = () => {}; __privateAdd(this, n);}}',
  ],
  [
    'what Babel makes of one',
    'class {constructor(n) {const _classPrivateFieldInitSpec = () => {}; _classPrivateFieldInitSpec(this, n);}}',
  ],
  [
    'what SWC makes of one',
    'class {constructor(n) {const _class_private_field_init = () => {}; _class_private_field_init(this, n);}}',
  ],
  ['a field that is not listed', `class {constructor(n) {Object.defineProperty(this, 'n', {value: n});}}`],
  [
    'a class that names another as its own',
    `(() => {class A {#n; constructor(n) {this.#n = n;}} A.prototype.constructor = class {}; return A;})()`,
  ],
  [
    'a date whose class says another time',
    'class extends Date {constructor(n) {super(n);} getTime() {return 0;}}',
  ],
  [
    'a map whose class shows nothing',
    'class extends Map {constructor(n) {super(); this.set(n, n);} *[Symbol.iterator]() {}}',
  ],
  [
    'a set whose class shows nothing',
    'class extends Set {constructor(n) {super(); this.add(n);} *[Symbol.iterator]() {}}',
  ],
  [
    'a pattern whose class says another',
    `class extends RegExp {constructor(n) {super(String(n));} get source() {return '';}}`,
  ],
  [
    'an address whose class says another',
    `class extends URL {constructor(n) {super('http://a/' + n);} toString() {return '';}}`,
  ],
])('[K2] %s loses no update', (_, text) => {
  const [one, other] = twoOf(text);
  expect(equal({v: one}, {v: other})).toBe(false);
});

test('[K2] a class over what the language has, with nothing hidden, compares by content', () => {
  const made = (base: string) =>
    twoOf(`class extends ${base} {constructor() {super(${ARGUMENTS[base] ?? ''});}}`);
  for (const base of bases) {
    const [one, same] = made(base);
    expect([base, equal({v: one}, {v: same})]).toEqual([base, true]);
  }
  expect(equal(Buffer.from('a'), Buffer.from('a'))).toBe(true);
  expect(equal(Buffer.from('a'), Buffer.from('b'))).toBe(false);
});

test('[K2] the field that differed last decides only where the whole comparison would look at it', () => {
  const compare = createItemComparer(undefined);
  const hidden = (v: unknown) => Object.defineProperty({key: 'k'}, 'v', {value: v, enumerable: false});
  const first = () => expect(compare({key: 'k', v: 'a'}, {key: 'k', v: 'b'})).toBe(DIFFERENT);
  first();
  expect(compare(hidden('a'), hidden('b'))).toBe(EQUAL);
  expect(compare({key: 'k', v: 'a'}, {key: 'k', v: 'a'})).toBe(EQUAL);
  expect(compare({key: 'k', v: undefined}, {key: 'k'})).toBe(EQUAL);
  expect(compare({key: 'k', v: 0}, {key: 'k', v: -0})).toBe(EQUAL);
  expect(compare({key: 'k', v: Number.NaN}, {key: 'k', v: Number.NaN})).toBe(EQUAL);
  expect(compare({key: 'k', v: 1}, {key: 'k', v: 2})).toBe(DIFFERENT);
  // JSON leaves functions out, so the difference may not show there.
  expect(compare({key: 'k', v: () => 1}, {key: 'k', v: () => 1})).toBe(DIFFERENT_MAYBE_NOT_IN_JSON);
  first();
  expect(compare(['a'], ['b'])).toBe(DIFFERENT);
  expect(compare(null, {key: 'k', v: 'a'})).toBe(DIFFERENT_MAYBE_NOT_IN_JSON);
  expect(compare({key: 'k', w: 'a'}, {key: 'k', w: 'b'})).toBe(DIFFERENT);
});

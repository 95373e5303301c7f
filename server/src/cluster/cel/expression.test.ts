import {expect, test} from 'vitest';
import {FieldSchema} from '../schema/field-schema.ts';
import {CelCompileError, compileExpression} from './expression.ts';
import {SchemaRules} from './schema-rules.ts';
import {BOOL, INT, listOf, STRING} from './types.ts';
import {CelError} from './values.ts';

const variables = {i: INT, s: STRING, l: listOf(INT), b: BOOL};
const run = (text: string) =>
  compileExpression(text, variables).run({i: 5n, s: 'hello', l: [3n, 1n, 2n], b: true});

test.each([
  ['i + 2 == 7 && s.startsWith("he")', true],
  ['l.sort() == [1, 2, 3] && l.exists_one(x, x > 2)', true],
  ['b || i / 0 == 1', true],
  ['i / 0 == 1 || b', true],
  ['"%s has %d".format([s, i])', 'hello has 5'],
  ['quantity("1Ki").isGreaterThan(quantity("1k"))', true],
  ['s.matches("^h.*o$") ? "yes" : "no"', 'yes'],
])('%s is %s', (text, result) => {
  expect(run(text)).toEqual(result);
});

test('an error of an evaluation is not absorbed without a decisive side', () => {
  expect(() => run('i / 0 == 1 && b')).toThrow(new CelError('division by zero'));
});

test('a type error names the place', () => {
  expect(() => run('i + s == 2')).toThrow(
    new CelCompileError(
      "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'\n | i + s == 2\n | ..^",
    ),
  );
});

test('every type error is listed', () => {
  expect(() => run('foo && s.bar()')).toThrow(
    /undeclared reference to 'foo'[\s\S]*undeclared reference to 'bar'/,
  );
});

test('a pattern that would backtrack for ever is matched in no time', () => {
  const {run: matches} = compileExpression('s.matches("^(a+)+$")', variables);
  expect(matches({s: `${'a'.repeat(5000)}b`})).toBe(false);
});

test('a value that does not change may break a rule that does not look back', () => {
  const schema = new FieldSchema(
    {type: 'object', properties: {n: {type: 'integer', 'x-kubernetes-validations': [{rule: 'self < 3'}]}}},
    '',
  );
  const rules = SchemaRules.of(schema);
  expect(rules?.check({n: 5}, {n: 5}, [])).toEqual({
    errors: [],
    warnings: ['n: Invalid value: 5: failed rule: self < 3'],
  });
  expect(rules?.check({n: 5}, {n: 6}, []).errors).toHaveLength(1);
});

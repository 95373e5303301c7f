import fc from 'fast-check';
import {expect, test} from 'vitest';
import {matchesLabelMap, matchesSelector, meetsRequirements, selectorParts} from './label-selector.ts';
import {parseLabelSelector} from './selector-parser.ts';

const labelKey = fc.constantFrom('app', 'tier', 'example.com/team', 'constructor');
const labelValue = fc.constantFrom('web', 'db', 'x.y', '10');
const labels = fc.dictionary(labelKey, labelValue, {maxKeys: 3});
const expression = fc.oneof(
  fc.record({
    key: labelKey,
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.array(labelValue, {minLength: 1, maxLength: 3}),
  }),
  fc.record({key: labelKey, operator: fc.constantFrom('Exists', 'DoesNotExist')}),
);
const selector = fc.record({matchLabels: labels, matchExpressions: fc.array(expression, {maxLength: 3})});

test('a selector as an object and as text matches the same labels', () => {
  fc.assert(
    fc.property(selector, labels, (object, own) => {
      const text = selectorParts(object).join(',');
      expect(meetsRequirements(parseLabelSelector(text), own)).toBe(matchesSelector(object, own));
    }),
  );
});

test('only own labels count', () => {
  expect(meetsRequirements(parseLabelSelector('constructor'), {})).toBe(false);
  expect(matchesSelector({matchExpressions: [{key: 'constructor', operator: 'Exists'}]}, {})).toBe(false);
  expect(matchesLabelMap({toString: 'x'}, {})).toBe(false);
});

test('an empty selector matches everything, also an object without labels', () => {
  expect(matchesSelector({}, undefined)).toBe(true);
  expect(meetsRequirements([], undefined)).toBe(true);
  expect(matchesLabelMap({}, undefined)).toBe(true);
});

test.each([
  ['n>5', '10', true],
  ['n<5', '10', false],
  ['n>5', '', false],
  ['n>5', 'six', false],
])('%s with n=%j: %j', (text, n, matches) => {
  expect(meetsRequirements(parseLabelSelector(text), {n})).toBe(matches);
});

test('an operator that Kubernetes does not have is refused by name', () => {
  const wrong = {matchExpressions: [{key: 'a', operator: 'Like', values: ['b']}]};
  expect(() => matchesSelector(wrong, {a: 'b'})).toThrow('not "Like"');
});

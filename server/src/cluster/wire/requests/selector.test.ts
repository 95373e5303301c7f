// Label and field selectors.
import {meetsRequirements} from '@krtscope/shared/labels/label-selector.ts';
import {expect, test} from 'vitest';
import {ResourceRegistry} from '../../kinds/resource-registry.ts';
import {compileSelectors, parseLabels} from './selector.ts';

test.each([
  ['app=web', true],
  ['app==web,tier!=db', true],
  ['app in (web, api)', true],
  ['app notin (web)', false],
  ['app', true],
  ['!app', false],
  ['none', false],
  ['!none,app', true],
  ['', true],
])('%j on app=web', (text, wanted) => {
  expect(meetsRequirements(parseLabels(text), {app: 'web'})).toBe(wanted);
});

test.each([
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a=b c', "found 'c', expected: ',' or 'end of string'"],
])('%j is refused', (text, message) => {
  expect(() => parseLabels(text)).toThrow(message);
});

test('fields a kind does not offer are refused', () => {
  const resources = new ResourceRegistry();
  const pods = resources.must('', 'v1', 'pods');
  expect(() => compileSelectors(pods, '', 'spec.odd=1')).toThrow('field label not supported: spec.odd');
  const match = compileSelectors(pods, '', 'spec.nodeName=n,status.phase!=Running');
  expect(
    match?.({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {name: 'p'},
      spec: {nodeName: 'n'},
      status: {phase: 'Pending'},
    }),
  ).toBe(true);
});

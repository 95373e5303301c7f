import {expect, test} from 'vitest';
import {shortenMiddle} from '../text/shorten-middle.ts';
import {changeLines} from './Diff.tsx';
import {toYamlBlock} from './yaml-lines.ts';

const text = (lines: ReturnType<typeof toYamlBlock>['lines']) =>
  lines.map(line => `${' '.repeat(line.indent)}${line.name}${line.text === '' ? '' : ` ${line.text}`}`);

test('objects, lists and lists of objects as YAML writes them', () => {
  const {lines} = toYamlBlock(
    {a: 1, list: ['x', 'y'], ports: [{port: 80, name: 'http'}], none: {}},
    undefined,
    [],
  );
  expect(text(lines)).toEqual([
    'a: 1',
    'list:',
    '  - x',
    '  - y',
    'ports:',
    '  - port: 80',
    '    name: http',
    'none: {}',
  ]);
});

test('status and managedFields are folded with their number of lines, and leave no hollow parent', () => {
  const value = {
    spec: {a: 1},
    metadata: {managedFields: [{manager: 'x'}]},
    status: {phase: 'Running', ip: '1'},
  };
  const block = toYamlBlock(value, undefined, []);
  expect(text(block.lines)).toEqual(['spec:', '  a: 1']);
  expect(block.folds.map(fold => [fold.label, fold.lines.length])).toEqual([
    ['status', 3],
    ['managedFields', 2],
  ]);
});

test('a change inside status unfolds it and says what was', () => {
  const block = toYamlBlock({status: {phase: 'Failed', ip: '1'}}, {status: {phase: 'Running', ip: '1'}}, [
    'status.phase',
  ]);
  expect(block.folds).toEqual([]);
  expect(block.lines.find(line => line.changed)).toMatchObject({text: 'Failed', was: 'Running'});
});

test('a label with dots in its name is found by its path', () => {
  const value = {metadata: {labels: {'istio.io/use-waypoint': 'wp'}}};
  const {lines} = toYamlBlock(value, {metadata: {labels: {}}}, ['metadata.labels[istio.io/use-waypoint]']);
  expect(lines.find(line => line.changed)).toMatchObject({text: 'wp', was: 'not set'});
});

test('changed paths become a minus and a plus, none where there was nothing', () => {
  expect(changeLines([{path: 'a', new: 1}])).toEqual([
    {sign: '-', text: 'a: (none)'},
    {sign: '+', text: 'a: 1', note: undefined},
  ]);
  expect(changeLines([{path: 'a', old: 1, read: false}])).toEqual([
    {sign: '-', text: 'a: 1'},
    {sign: '+', text: 'a: (none)', note: 'not read'},
  ]);
});

test('long keys lose their middle, never their end', () => {
  expect(shortenMiddle('shop/checkout-7c9d4b9f6-x2x8k', 18)).toBe('shop/checko…-x2x8k');
  expect(shortenMiddle('short', 18)).toBe('short');
});

import {expect, test} from 'vitest';
import type {ViolationFacts} from '../../../explain/records.ts';
import {journals} from '../../../history/journal.ts';
import {collectionByName, createEngine} from '../../../krt/index.ts';
import {JournalWriter} from './journal-writer.ts';

function rig() {
  const engine = createEngine({checks: 'off'});
  const journal = new JournalWriter(engine);
  let batches = 0;
  engine.onTrace(() => {
    batches += 1;
  });
  const hold = (code: string, message: string, count = 1): ViolationFacts => {
    return {code, collection: 'Rows', keys: ['a'], message, sequence: count, count};
  };
  const rows = () => collectionByName(engine, journals.violations)?.list() as {value: ViolationFacts}[];
  return {journal, hold, batches: () => batches, said: () => rows().map(({value}) => value.message)};
}

test('a violation that holds in other words is written down in those', () => {
  const {journal, hold, said, batches} = rig();
  journal.writeViolations([hold('map-failed', 'no port')]);
  journal.writeViolations([hold('map-failed', 'no port', 2)]);
  expect([said(), batches()]).toEqual([['no port'], 1]);
  journal.writeViolations([hold('map-failed', 'no host', 3)]);
  expect([said(), batches()]).toEqual([['no host'], 2]);
  journal.writeViolations([hold('full-scan', 'each run looks at all 0 items')]);
  journal.writeViolations([hold('full-scan', 'each run looks at all 900 items', 2)]);
  expect(said()).toEqual(['each run looks at all 900 items']);
  journal.writeViolations([]);
  expect(said()).toEqual([]);
});

test('one that counts in its words is not written down with every batch', () => {
  const {journal, hold, said, batches} = rig();
  for (let n = 5; n < 50; n++)
    journal.writeViolations([hold('never-equal', `unequal ${n} times in a row`, n)]);
  expect([said(), batches()]).toEqual([['unequal 5 times in a row'], 1]);
});

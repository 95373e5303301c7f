import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {LabRowSource} from '../../engine/supervisor/lab-process.ts';
import type {KubeObject} from '../../kube/object.ts';
import {EngineRows} from './engine-rows.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Part = Parameters<Parameters<LabRowSource['bring']>[2]>[0];

const part = (keys: readonly string[], more: Partial<Part> = {}): Part => ({
  reset: false,
  rows: JSON.stringify(keys.map(key => [key, {metadata: {name: key}}])),
  gone: [],
  synced: true,
  ...more,
});

/** Each read gets the next answer: its parts and the state after them, or that the process is away. */
async function followed(...answers: {parts: Part[]; away?: true}[]) {
  const asked: (string | undefined)[] = [];
  const source: LabRowSource = {
    bring: async (_, since, give) => {
      asked.push(since);
      const answer = answers.shift();
      for (const one of answer?.parts ?? []) give(one);
      if (answer === undefined || answer.away) throw new Error('it is away');
      return `look ${asked.length}`;
    },
  };
  const rows = new EngineRows('Wanted', source);
  const heard: string[] = [];
  rows.registerBatch(changes => {
    for (const {key, new: now} of changes) heard.push(now === undefined ? `${key} gone` : key);
  });
  const stop = new AbortController();
  const following = rows.follow(stop.signal);
  const looks = answers.length;
  for (let n = 0; n < looks; n++) await vi.advanceTimersByTimeAsync(500);
  stop.abort();
  await following;
  return {heard, asked, keys: rows.list().map(({metadata}: KubeObject) => metadata?.name)};
}

test('what is not synced wants nothing: whoever prunes by it would delete everything from the cluster', async () => {
  const {heard, keys, asked} = await followed(
    {parts: [part(['a', 'b'], {reset: true})]},
    // Another engine process: half of its first runs are done, or the formula is quarantined and empty.
    {parts: [part(['a'], {reset: true, synced: false})]},
    {parts: [part([], {reset: true, synced: false})]},
    {parts: [part(['b'], {reset: true})]},
  );
  expect(heard).toEqual(['a', 'b', 'b', 'a gone']);
  expect(keys).toEqual(['b']);
  expect(asked).toEqual([undefined, 'look 1', 'look 1', 'look 1']);
});

test('a process that goes away in the middle of an answer has said nothing: what is gone is told the next time', async () => {
  const {heard, keys} = await followed(
    {parts: [part(['a', 'b'], {reset: true})]},
    {parts: [part(['c'], {gone: ['a'], synced: false})], away: true},
    {parts: [part(['c'], {gone: ['a']})]},
  );
  expect(heard).toEqual(['a', 'b', 'c', 'a gone']);
  expect(keys).toEqual(['b', 'c']);
});

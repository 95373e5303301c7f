// The engine process of a session that nothing feeds ends, and comes back with the next question.
import type {Items} from '@krtscope/shared/items.ts';
import type {Timeline} from '@krtscope/shared/timeline.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {afterEach, expect, test} from 'vitest';
import {ask, engineFor, put, type TestEngine, until} from './testing-engine.ts';

const sources = [{collection: 'Pods'}];
const pod = (name: string, app: string) => put('Pods', {metadata: {namespace: 'a', name, labels: {app}}});
let engine: TestEngine;
afterEach(() => engine.stop());

const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};
const gone = (pid: number) => until(async () => isGone(pid) || undefined);
const namesOf = ({items}: Items) => items.map(({key}) => key);

async function startFed(): Promise<void> {
  engine = engineFor({sources, restMs: 100, spareMs: 2 ** 31 - 1});
  engine.sourceState('Pods', {state: 'synced', synced: true});
  engine.apply([pod('one', 'x')]);
  await until(async () => (engine.unsettled === 0 ? true : undefined));
  engine.apply([pod('two', 'x'), put('Pods', {metadata: {namespace: 'a', name: 'one'}}, 'delete')]);
  await until(async () => (engine.unsettled === 0 ? true : undefined));
}

test('it ends without readers, and a question brings rows and history back', async () => {
  await startFed();
  const states: string[] = [];
  engine.onState(state => states.push(state));
  const {recording, sequence, pid} = engine;
  const before = sequence - 1;
  engine.allowRest(true);
  await gone(pid);
  await until(async () => (engine.isResting ? true : undefined));
  expect([engine.state, states]).toEqual(['ready', []]);
  const [now, past, why] = await Promise.all([
    ask<Items>(engine, {ask: 'items', collection: 'Pods'}),
    ask<Items>(engine, {ask: 'items', collection: 'Pods', at: before}),
    ask<Why>(engine, {ask: 'why', collection: 'Pods', key: 'a/two'}),
  ]);
  expect(namesOf(now)).toEqual(['a/two']);
  expect(namesOf(past)).toEqual(['a/one']);
  expect(why).toMatchObject({sequence});
  expect(engine.recording).toBe(recording);
  expect(engine.sequence).toBeGreaterThanOrEqual(sequence);
  expect(engine.gaps).toEqual([]);
  expect(engine.pid).not.toBe(pid);
  // Later it rests again.
  await gone(engine.pid);
});

test('a subscription keeps it, and what feeds the session again starts it', async () => {
  await startFed();
  const {pid} = engine;
  let last: Timeline | undefined;
  const unsubscribe = engine.subscribe(
    {ask: 'timeline', buckets: 10},
    update => {
      if (update.topic === 'timeline' && 'snapshot' in update) last = update.snapshot;
    },
    () => {},
  );
  await until(async () => last);
  engine.allowRest(true);
  await new Promise(resolve => setTimeout(resolve, 400));
  expect(isGone(pid)).toBe(false);
  unsubscribe();
  await gone(pid);
  await until(async () => (engine.isResting ? true : undefined));
  engine.allowRest(false);
  engine.apply([pod('three', 'x')]);
  await until(async () => (engine.unsettled === 0 ? true : undefined));
  expect(namesOf(await ask<Items>(engine, {ask: 'items', collection: 'Pods'}))).toEqual(['a/three', 'a/two']);
  await new Promise(resolve => setTimeout(resolve, 400));
  expect(isGone(engine.pid)).toBe(false);
});

test('a page that opens while the process ends gets its rows', async () => {
  await startFed();
  engine.allowRest(true);
  await until(async () => (engine.isResting ? true : undefined));
  const rows = await new Promise<string[]>(resolve => {
    engine.subscribe(
      {ask: 'timeline', buckets: 10},
      async () => resolve(namesOf(await ask<Items>(engine, {ask: 'items', collection: 'Pods'}))),
      () => {},
    );
  });
  expect(rows).toEqual(['a/two']);
});

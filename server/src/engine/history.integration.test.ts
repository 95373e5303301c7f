// Compares the recording with copies of whole states that were taken while they were current: after eviction, after
// deaths of the engine process during many writes, and from a file.
import type {Items} from '@krtscope/shared/items.ts';
import {afterEach, describe, expect, test} from 'vitest';
import type {AllKindsInput} from './host/testing-all-kinds-graph.ts';
import type {EngineHandle} from './link/engine-link.ts';
import {openRecording} from './supervisor/start-engine.ts';
import {ask, engineFor, put, type TestEngine, until, waitForRestart} from './testing-engine.ts';

const running: {stop(): Promise<void>}[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

const graph = new URL('./host/testing-all-kinds-graph.ts', import.meta.url).href;
const collections = [
  'Moods',
  'Spares',
  'Results',
  'Parts',
  'Extras',
  'Either',
  'Both',
  'Doubles',
  'ByZone',
  'Total',
] as const;

/** A small seeded generator, so that every run writes the same. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return sides => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

type State = Record<string, unknown>;

async function stateOf(engine: EngineHandle, at?: number): Promise<{sequence: number; state: State}> {
  const state: State = {};
  let sequence = -1;
  for (const collection of collections) {
    const items = await ask<Items>(engine, {
      ask: 'items',
      collection,
      limit: 1000,
      ...(at === undefined ? {} : {at}),
    });
    if (sequence >= 0) expect(items.sequence, 'nothing happens between the parts of a copy').toBe(sequence);
    sequence = items.sequence;
    state[collection] = items.items.map(({key, value}) => [key, value]);
  }
  return {sequence, state};
}

function begin(options: Parameters<typeof engineFor>[0] = {}): TestEngine {
  const engine = engineFor({graph, ...options});
  running.push(engine);
  for (const source of ['Moods', 'Spares']) engine.sourceState(source, {state: 'synced', synced: true});
  return engine;
}

const modes = ['plain', 'plain', 'plain', 'fail', 'discard', 'none'] as const;

/** One batch of one to three writes. */
function blow(engine: EngineHandle, roll: (sides: number) => number): void {
  const writes = Array.from({length: 1 + roll(3)}, () => {
    const source = roll(3) === 0 ? 'Spares' : 'Moods';
    const mood: AllKindsInput = {
      metadata: {name: `m${roll(6)}`, labels: {zone: ['a', 'b', 'c'][roll(3)] as string}},
      mode: modes[roll(modes.length)] as (typeof modes)[number],
      size: roll(7),
    };
    return put(source, mood, roll(6) === 0 ? 'delete' : 'update');
  });
  engine.apply(writes);
}

/** Many writes, with copies of the state in between and deaths of the process. */
async function storm(
  engine: TestEngine,
  seed: number,
  batches: number,
  deaths: readonly number[],
  inARow = false,
): Promise<Map<number, State>> {
  const roll = dice(seed);
  const copies = new Map<number, State>();
  for (let i = 0; i < batches; i++) {
    blow(engine, roll);
    if (deaths.includes(i)) {
      const back = waitForRestart(engine);
      process.kill(engine.pid, 'SIGKILL');
      for (let more = 0; more < 5; more++) blow(engine, roll);
      await back;
      // Questions about the past wait until the recording is back.
      if (copies.size > 0 && !inARow) await stateOf(engine, [...copies.keys()].at(-1));
    }
    if (roll(inARow ? 2 : 4) !== 0) continue;
    // A question is answered after all earlier writes. While the process is away it is refused.
    const {sequence, state} = await until(() => stateOf(engine));
    copies.set(sequence, state);
  }
  const last = await until(() => stateOf(engine));
  copies.set(last.sequence, last.state);
  return copies;
}

/** Questions about the past wait until the recording is back. Before that, the process knows only its own batches. */
async function oldestOf(engine: EngineHandle, copies: ReadonlyMap<number, State>): Promise<number> {
  await stateOf(engine, [...copies.keys()].at(-1));
  return (await ask<{oldest: number}>(engine, {ask: 'kept'})).oldest;
}

/** Every retained copy equals the recording's state at that moment, also piece by piece. */
async function compare(engine: EngineHandle, copies: ReadonlyMap<number, State>): Promise<number> {
  const oldest = await oldestOf(engine, copies);
  let compared = 0;
  for (const [sequence, state] of copies) {
    if (sequence < oldest) {
      await expect(stateOf(engine, sequence)).rejects.toMatchObject({code: 'rolled-off'});
      continue;
    }
    const then = await stateOf(engine, sequence);
    expect(then.sequence).toBe(sequence);
    expect(then.state, `at ${sequence}`).toEqual(state);
    compared++;
  }
  return compared;
}

type Rows = [key: string, value: unknown][];
type Differences = Record<string, {key: string; old?: unknown; new?: unknown}[]>;

function differenceOf(from: State, to: State): Differences {
  const found: Differences = {};
  for (const collection of collections) {
    const before = new Map(from[collection] as Rows);
    const after = new Map(to[collection] as Rows);
    const rows = [...new Set([...before.keys(), ...after.keys()])]
      .filter(key => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)))
      .map(key => ({
        key,
        ...(before.has(key) ? {old: before.get(key)} : {}),
        ...(after.has(key) ? {new: after.get(key)} : {}),
      }));
    if (rows.length > 0) found[collection] = rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  }
  return found;
}

async function compareDiffs(engine: EngineHandle, copies: ReadonlyMap<number, State>): Promise<void> {
  const oldest = await oldestOf(engine, copies);
  const kept = [...copies].filter(([sequence]) => sequence >= oldest);
  for (let i = 0; i + 1 < kept.length; i += 3) {
    for (const j of [i + 1, kept.length - 1]) {
      const [from, before] = kept[i]!;
      const [to, after] = kept[j]!;
      const answer = await ask<{collections: Differences}>(engine, {ask: 'diff', from, to});
      const sorted: Differences = {};
      for (const [name, rows] of Object.entries(answer.collections)) {
        sorted[name] = rows.sort((a, b) => (a.key < b.key ? -1 : 1));
      }
      expect(sorted, `from ${from} to ${to}`).toEqual(differenceOf(before, after));
    }
  }
}

type RowOutcome = {outcome: string; run: {id: string} | null};

describe('every state that was the present', () => {
  test('is there again by its sequence, and so is the difference of any two', async () => {
    const engine = begin();
    const copies = await storm(engine, 1, 120, []);
    expect(await compare(engine, copies)).toBe(copies.size);
    expect(copies.size).toBeGreaterThan(20);
    await compareDiffs(engine, copies);
  });

  test('also after deaths of the engine process in the middle of the storm', async () => {
    const engine = begin();
    const copies = await storm(engine, 2, 90, [30, 60, 75]);
    expect(engine.gaps.length).toBeGreaterThan(0);
    expect(await compare(engine, copies)).toBe(copies.size);
    await compareDiffs(engine, copies);
  });

  test('also when it dies again before the recording is back', async () => {
    const engine = begin();
    const copies = await storm(engine, 5, 60, [20, 22, 24, 40], true);
    expect(await compare(engine, copies)).toBe(copies.size);
    await compareDiffs(engine, copies);
  });

  test('as far as a full ring reaches, over a death, and no further', async () => {
    const engine = begin({historyRuns: 80});
    const copies = await storm(engine, 3, 120, [100]);
    const compared = await compare(engine, copies);
    expect(compared).toBeGreaterThan(3);
    expect(compared).toBeLessThan(copies.size);
    const kept = await ask<{runs: number}>(engine, {ask: 'kept'});
    expect(kept.runs).toBeLessThanOrEqual(80);
  });

  test('and never holds more megabytes than it may, whenever it is asked', async () => {
    const engine = begin({historyMb: 1});
    const limit = 1024 * 1024;
    let most = 0;
    for (let i = 0; i < 900; i++) {
      const mood: AllKindsInput = {
        metadata: {name: `m${i % 5}`, labels: {blob: `x${i}`.repeat(900)}},
        size: i % 3,
      };
      engine.apply([put('Moods', mood)]);
      if (i % 50 !== 0) continue;
      const {bytes} = await ask<{bytes: number}>(engine, {ask: 'kept'});
      most = Math.max(most, bytes);
    }
    expect(most).toBeLessThanOrEqual(limit);
    expect(most).toBeGreaterThan(limit / 2);
    const {oldest} = await until(async () => {
      const kept = await ask<{oldest: number; newest: number}>(engine, {ask: 'kept'});
      return kept.newest > 900 ? kept : undefined;
    });
    const before = await stateOf(engine, oldest);
    const back = waitForRestart(engine);
    process.kill(engine.pid, 'SIGKILL');
    await back;
    expect((await stateOf(engine, oldest)).state).toEqual(before.state);
    await expect(stateOf(engine, oldest - 1)).rejects.toMatchObject({code: 'rolled-off', nearest: oldest});
  });

  test('and out of a file, with the whys that the session gave', async () => {
    const engine = begin({historyRuns: 150});
    const copies = await storm(engine, 4, 90, [50]);
    const opened = await openRecording(await engine.export({name: 'x'}), {name: 'file:x', memoryMb: 256});
    running.push(opened);
    expect(await compare(opened, copies)).toBeGreaterThan(3);
    await compareDiffs(opened, copies);
    for (const collection of collections) {
      const {items} = await ask<Items>(engine, {ask: 'items', collection, limit: 1000});
      for (const {key} of items) {
        const question = {ask: 'why', collection, key} as const;
        const live = await ask<RowOutcome>(engine, question);
        const then = await ask<RowOutcome>(opened, question);
        expect([then.run?.id, then.outcome], `${collection}/${key}`).toEqual([live.run?.id, live.outcome]);
      }
    }
  });
});

test('rows that stayed because a later run failed or was discarded come back with the process', async () => {
  const engine = begin();
  const mood = (name: string, mode: AllKindsInput['mode'], size: number): AllKindsInput => ({
    metadata: {name},
    mode,
    size,
  });
  for (const size of [1, 2, 3]) engine.apply([put('Moods', mood('a', 'plain', size))]);
  engine.apply([put('Moods', mood('b', 'plain', 2))]);
  engine.apply([put('Moods', mood('a', 'fail', 6))]);
  engine.apply([put('Moods', mood('b', 'discard', 3))]);
  const before = await until(() => stateOf(engine));
  const whyOf = (key: string) => ask<{sentence: string}>(engine, {ask: 'why', collection: 'Results', key});
  const said = [(await whyOf('a')).sentence, (await whyOf('b')).sentence];
  expect(said[0]).toContain('failed with a is not in the mood');
  const back = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await back;
  // Questions about the past wait until the recording is back.
  await stateOf(engine, before.sequence);
  const after = await stateOf(engine);
  expect(after.state).toEqual(before.state);
  expect([(await whyOf('a')).sentence, (await whyOf('b')).sentence]).toEqual(said);
  const {items} = await ask<Items>(engine, {ask: 'items', collection: 'Results'});
  expect(items.map(({key, outcome, stale}) => [key, outcome, stale])).toEqual([
    ['a', 'failed', true],
    ['b', 'discarded', undefined],
  ]);
  // They recover as if nothing had happened.
  engine.apply([put('Moods', mood('a', 'plain', 1))]);
  const healed = await until(() => stateOf(engine));
  expect(healed.state.Results).toContainEqual(['a', {name: 'a', size: 1, zone: 'a', friends: []}]);
});

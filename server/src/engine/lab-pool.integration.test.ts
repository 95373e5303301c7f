// The pool of lab processes: a draft that hangs does not delay others, and a tab has one draft in the queue.
import {afterEach, expect, test} from 'vitest';
import {compileFormula} from '../formula/compile/formula-compiler.ts';
import {LabPool} from './supervisor/lab-pool.ts';
import {DraftStopped} from './supervisor/lab-process.ts';

const pools: LabPool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});

function createPool(): LabPool {
  const pool = new LabPool({bring: async () => '1'});
  pools.push(pool);
  return pool;
}

async function draft(code: string) {
  return {name: 'draft', kind: 'singleton' as const, compiled: await compileFormula(code, 'singleton')};
}

const HANGS = '(ctx) => /(x+x+)+y/.test("x".repeat(40))';

test('a harmless draft is answered while another one hangs', async () => {
  const pool = createPool();
  const order: string[] = [];
  const hanging = pool
    .try(await draft(HANGS), [])
    .catch(error => error)
    .finally(() => order.push('hanging'));
  const {rows} = await pool.try(await draft('(ctx) => ({n: 1})'), []);
  order.push('harmless');
  expect(rows[0]?.items).toEqual([{n: 1}]);
  expect(await hanging).toBeInstanceOf(DraftStopped);
  expect(order).toEqual(['harmless', 'hanging']);
});

test('the newest draft of a tab replaces its older ones in the queue; a client that leaves is dropped from it', async () => {
  const pool = createPool();
  const busy = [await draft(HANGS), await draft(`${HANGS} `)].map(one => pool.try(one, []).catch(() => {}));
  const left = new AbortController();
  const older = pool.try(await draft('(ctx) => 1'), [], {tab: 'a'});
  const other = pool.try(await draft('(ctx) => ({n: 2})'), [], {tab: 'b'});
  const leaving = pool.try(await draft('(ctx) => 3'), [], {signal: left.signal});
  const newer = pool.try(await draft('(ctx) => ({n: 4})'), [], {tab: 'a'});
  left.abort();
  await expect(older).rejects.toMatchObject({code: 'out-of-date'});
  await expect(leaving).rejects.toMatchObject({code: 'out-of-date'});
  expect((await other).rows[0]?.items).toEqual([{n: 2}]);
  expect((await newer).rows[0]?.items).toEqual([{n: 4}]);
  await Promise.all(busy);
});

test('a draft that was stopped before waits for the others', async () => {
  const pool = createPool();
  const hanging = await draft(HANGS);
  await pool.try(hanging, []).catch(() => {});
  expect(pool.stoppedDraft(hanging)).toBeDefined();
  const order: string[] = [];
  const again = Array.from({length: 3}, () =>
    pool
      .try(hanging, [])
      .catch(() => {})
      .finally(() => order.push('hanging')),
  );
  const harmless = pool.try(await draft('(ctx) => ({n: 1})'), []).finally(() => order.push('harmless'));
  await Promise.all([...again, harmless]);
  expect(order.indexOf('harmless')).toBeLessThan(3);
});

test('a harmless draft behind six that hang is answered before most of them are', async () => {
  const pool = createPool();
  const order: string[] = [];
  const hanging = Array.from({length: 6}, async (_, at) => {
    await pool.try(await draft(`${HANGS} // ${at}`), []).catch(() => {});
    order.push('hanging');
  });
  // All of them are in the queue.
  await Promise.all(Array.from({length: 6}, (_, at) => draft(`${HANGS} // ${at}`)));
  const harmless = pool.try(await draft('(ctx) => ({n: 1})'), []).then(() => order.push('harmless'));
  await Promise.all([...hanging, harmless]);
  expect(order.indexOf('harmless')).toBeLessThan(3);
});

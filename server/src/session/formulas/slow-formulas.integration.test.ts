// Slow formulas on a running demo, as drafts, saved, changed and deleted: the other collections, the frames and /readyz
// keep answering. The test prints the longest wait; `npm run bench` has no limit for it, because machines differ.
import type {Preview, SavedFormula} from '@krtscope/shared/formulas.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {TestInstance} from '../../start/testing-instance.ts';
import {queryInstance} from './testing-queries.ts';
import {longestWait} from './testing-waits.ts';

let instance: TestInstance;
const {node, rows} = queryInstance(() => instance);

beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '1']);
  await instance.ready();
});
afterAll(() => instance.stop());

async function send<T>(method: string, path: string, body?: object): Promise<{status: number; body: T}> {
  const answer = await instance.get(`/api/v1${path}`, {
    method,
    headers: {'content-type': 'application/json'},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });
  const text = await answer.text();
  return {status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T};
}

async function until(holds: () => Promise<boolean>, limit = 60_000): Promise<void> {
  const end = Date.now() + limit;
  while (!(await holds())) {
    if (Date.now() > end) {
      const state = {node: await node('Slow'), rows: (await rows('Slow')).length};
      throw new Error(`it did not come about in time: ${JSON.stringify(state)}`);
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

const isCurrent = (name: string) => async () => {
  const found = await node(name);
  return found?.synced === true && found.current !== false && (await rows(name)).length > 0;
};

/** Its first rows have come from a process of its own. Waiting for all of them would take a minute. */
const hasSlowRows = (name: string) => async () =>
  (await node(name))?.lane === 'slow' && (await rows(name)).length > 4;

const hasFailed = (name: string) => async () => ((await node(name))?.failed ?? 0) > 20;

/** What each does to a row, and the lane that it needs. */
const slow: Record<string, {code: string; done: (name: string) => () => Promise<boolean>}> = {
  'a sort of 3,000,000': {
    code: '(ctx, p) => ({n: new Array(3e6).fill(p.metadata.name).sort().length})',
    done: hasSlowRows,
  },
  '2,000 filters a row': {
    code: '(ctx, p) => { let n = 0; for (let i = 0; i < 2000; i++) n += ctx.fetch(Services, label({app: "a" + (i % 50)})).length; return {n}; }',
    done: isCurrent,
  },
  '4 MB of text': {code: '(ctx, p) => ({text: "x".repeat(4e6) + p.metadata.name})', done: hasFailed},
  'a split of 2,000,000': {
    code: `(ctx, p) => ({n: 'abcdefgh'.repeat(25e4).split('').sort().join('').length, at: p.metadata.name})`,
    done: hasSlowRows,
  },
};

const printed: string[] = [];
const refused = new Set<string>();
afterAll(() => {
  process.stdout.write(
    `\nlongest wait for an answer of another collection or /readyz:\n${[...printed, ...refused].join('\n')}\n`,
  );
});

test.each(Object.entries(slow))('%s', async (what, {code, done}) => {
  const line: string[] = [];
  const note = async (step: string, work: () => Promise<void>) => {
    line.push(`${step} ${await longestWait(instance, refused, work)} ms`);
  };
  await note('draft', async () => {
    const {status, body} = await send<Preview>('POST', '/formulas/preview', {code, input: 'Pods', limit: 50});
    expect([status, body.tried > 0]).toEqual([200, true]);
  });
  await note('saved', async () => {
    const {status, body} = await send('POST', '/formulas', {name: 'Slow', code, input: 'Pods'});
    expect([status, body]).toEqual([201, body]);
    await until(done('Slow'));
  });
  const {body} = await send<SavedFormula>('GET', '/formulas/Slow');
  expect(body.cost?.runs).toBeGreaterThan(0);
  await note('mended', async () => {
    const fast = {code: '(ctx, p) => ({n: 1})'};
    expect((await send('PUT', '/formulas/Slow', fast)).status).toBe(200);
    await until(isCurrent('Slow'));
    expect((await send('PUT', '/formulas/Slow', {code})).status).toBe(200);
    await until(done('Slow'));
  });
  await note('deleted', async () => {
    expect((await send('DELETE', '/formulas/Slow')).status).toBe(204);
    await until(async () => (await node('Slow')) === undefined);
  });
  printed.push(`  ${what}: ${line.join(', ')}`);
});

test('a formula that data makes slow', async () => {
  await send('POST', '/formulas', {name: 'Switch', code: '(ctx) => ({on: false})'});
  const {status} = await send('POST', '/formulas', {
    name: 'Later',
    code: '(ctx, p) => ({n: ctx.fetch(Switch)[0].on ? new Array(1e6).fill(p.metadata.name).sort().length : 0})',
    input: 'Pods',
  });
  expect(status).toBe(201);
  await until(isCurrent('Later'));
  expect((await node('Later'))?.lane).toBe('engine');
  const waited = await longestWait(instance, refused, async () => {
    await send('PUT', '/formulas/Switch', {code: '(ctx) => ({on: true})'});
    await until(async () => (await node('Later'))?.lane === 'slow');
    await until(isCurrent('Later'));
  });
  expect((await rows('Later')).every(({value}) => (value as {n: number}).n === 1e6)).toBe(true);
  printed.push(`  data makes it slow: ${waited} ms`);
});

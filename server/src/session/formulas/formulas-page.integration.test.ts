// Runs every example of docs/formulas.md.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ModuleState, Preview, SavedFormula} from '@krtscope/shared/formulas.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {until} from '../../engine/testing-engine.ts';
import {TestInstance} from '../../start/testing-instance.ts';

const page = readFileSync(new URL('../../../../docs/formulas.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```ts (\w+) ?([^\n]*)\n([\s\S]*?)```/g)].map(
  ([, use = '', about = '', code = ''], at) => ({at, use, about, code}),
);
const folder = mkdtempSync(join(tmpdir(), 'krtscope-guide-'));
let instance: TestInstance;

beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0', '--graph', folder]);
  await instance.ready();
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, {recursive: true, force: true});
});

async function preview(code: string, about: string): Promise<{status: number; body: Preview}> {
  const [, input, kind] = /^(\S+(?: by \S+)?)? ?(\w+)?$/.exec(about) ?? [];
  const answer = await instance.get('/api/v1/formulas/preview', {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({code, ...(input && {input}), ...(kind && {kind}), limit: 20}),
  });
  return {status: answer.status, body: (await answer.json()) as Preview};
}

test('the page has examples of every use', () => {
  expect(new Set(examples.map(({use}) => use))).toEqual(new Set(['draft', 'refused', 'fails', 'file']));
  expect(page.match(/```ts\n/g)).toBeNull();
});

test.each(examples.filter(({use}) => use === 'draft'))('draft $at runs', async ({code, about}) => {
  const {status, body} = await preview(code, about);
  expect([status, body.failed, body.rows.map(({error}) => error).find(Boolean)]).toEqual([200, 0, undefined]);
  expect(body.tried).toBeGreaterThan(0);
});

test.each(examples.filter(({use}) => use === 'refused'))('draft $at is refused', async ({code, about}) => {
  const {status, body} = await preview(code, about);
  expect([status, body]).toMatchObject([422, {errors: [{line: 1}]}]);
});

test.each(examples.filter(({use}) => use === 'fails'))('draft $at fails', async ({code, about}) => {
  const {status, body} = await preview(code, about);
  expect(status).toBe(200);
  expect(body.failed).toBe(body.tried);
});

test('the files make their collections', async () => {
  const files = examples.filter(({use}) => use === 'file');
  for (const {about, code} of files) writeFileSync(join(folder, about), code);
  const live = async () => {
    const {formulas, modules} = await instance.json<{formulas: SavedFormula[]; modules: ModuleState[]}>(
      '/api/v1/formulas',
    );
    const names = [
      ...formulas.filter(({state, items}) => state === 'live' && items > 0).map(({name}) => `${name}.ts`),
      ...modules.filter(({state}) => state === 'live').map(({name}) => name),
    ];
    return files.every(({about}) => names.includes(about)) ? true : undefined;
  };
  await until(live);
  const {collections} = await instance.json<{collections: {name: string; size: number}[]}>('/api/v1/graph');
  for (const name of ['Places', 'Crowds', 'Crowded'])
    expect(collections.find(one => one.name === name)?.size).toBeGreaterThan(0);
});

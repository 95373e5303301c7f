// Asks a running krtscope every example of docs/api.md.
import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {TestInstance} from '../start/testing-instance.ts';

const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
const examples = [...text.matchAll(/```http\nGET (\S+)\n```\s+```json\n([\s\S]*?)```/g)].map(
  ([, path = '', json = '']) => ({
    path,
    wanted: JSON.parse(json) as unknown,
  }),
);

let instance: TestInstance;
beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0', '--demo-seed', '1']);
  await instance.ready();
});
afterAll(() => instance.stop());

/** Differences between answer and example. Numbers match any number, `…` any text, lists some entries. */
function differences(wanted: unknown, got: unknown, path = ''): string[] {
  if (typeof wanted === 'number')
    return typeof got === 'number' ? [] : [`${path}: not a number but ${JSON.stringify(got)}`];
  if (typeof wanted === 'string') {
    const pattern = wanted
      .split('…')
      .map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[\\s\\S]*');
    const fits = typeof got === 'string' && new RegExp(`^${pattern}$`).test(got);
    return fits ? [] : [`${path}: not ${wanted} but ${JSON.stringify(got)}`];
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got)) return [`${path}: not a list`];
    return wanted.flatMap((one, i) => {
      if (got.some(other => differences(one, other).length === 0)) return [];
      const closest = got
        .map(other => differences(one, other, `${path}[${i}]`))
        .sort((a, b) => a.length - b.length)[0];
      return closest ?? [`${path}[${i}]: the list is empty`];
    });
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof got !== 'object' || got === null) return [`${path}: not an object`];
    return Object.entries(wanted).flatMap(([name, value]) =>
      differences(value, (got as Record<string, unknown>)[name], `${path}.${name}`),
    );
  }
  return wanted === got ? [] : [`${path}: not ${wanted} but ${JSON.stringify(got)}`];
}

test('the page has examples', () => {
  expect(examples.length).toBeGreaterThan(12);
});

test.each(examples)('GET $path answers as the page says', async ({path, wanted}) => {
  expect(differences(wanted, await instance.json(path))).toEqual([]);
});

test.each(['/api/v1/graph.mmd', '/api/v1/graph.dot', '/metrics'])('%s answers in text', async path => {
  const answer = await instance.get(path);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('Workloads');
});

test('the recording is handed out as a file', async () => {
  const answer = await instance.get('/api/v1/recording');
  expect(answer.headers.get('content-disposition')).toContain('.krtrec');
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1000);
});

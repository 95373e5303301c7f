// Other entries in a folder of formulas: none of them keeps the formulas from being read.
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test, vi} from 'vitest';
import {FileStore} from './file-store.ts';
import type {StoredFormula} from './formula-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-store-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

test('a folder and a pipe that are called like a formula are none', async () => {
  mkdirSync(join(folder, 'Folder.ts'));
  execFileSync('mkfifo', [join(folder, 'Pipe.ts')]);
  writeFileSync(join(folder, 'Rows.ts'), "export default formula({input: 'Pods'}, (ctx, pod) => ({}));\n");
  const said: string[] = [];
  const store = new FileStore(folder, problem => said.push(problem));
  const found = await Promise.race([
    store.open(() => {}),
    new Promise<undefined>(resolve => setTimeout(resolve, 5000, undefined)),
  ]);
  store.close();
  expect(found?.map(({name}) => name)).toEqual(['Rows']);
  expect(said).toEqual([]);
});

const rows = "export default formula({input: 'Pods'}, (ctx, pod) => ({n: 1}));\n";

/** A store with one formula, and a function that waits for its next change. */
async function openStore(name: string) {
  const own = mkdtempSync(join(folder, 'own-'));
  const path = join(own, `${name}.ts`);
  writeFileSync(path, rows);
  const changes: (StoredFormula | undefined)[] = [];
  const store = new FileStore(own, () => {});
  await store.open((_name, stored) => changes.push(stored));
  return {store, path, next: () => vi.waitUntil(() => changes.length > 0 && changes.splice(0), 10_000)};
}

test.each<[string, (path: string) => void, RegExp]>([
  ['empty', path => writeFileSync(path, ''), /the file is empty/],
  ['binary', path => writeFileSync(path, Buffer.from([0, 255, 1, 2])), /the file is binary/],
  ['without a formula', path => writeFileSync(path, 'export const a = 1;\n'), /no "export default/],
  ['huge', path => writeFileSync(path, rows.padEnd(3 * 1024 * 1024)), /3\.0 MB, more than 1 MB/],
  [
    'a link into nowhere',
    path => {
      rmSync(path);
      symlinkSync(`${path}.gone`, path);
    },
    /points to a missing file/,
  ],
  [
    'a folder',
    path => {
      rmSync(path);
      mkdirSync(path);
    },
    /not a regular file/,
  ],
])('a file that becomes %s keeps the last good formula, with the reason', async (_case, damage, reason) => {
  const {store, path, next} = await openStore('Rows');
  damage(path);
  const [stored] = await next();
  expect(stored).toMatchObject({
    name: 'Rows',
    input: 'Pods',
    code: '(ctx, pod) => ({n: 1})',
    problems: [{message: expect.stringMatching(reason)}],
  });
  rmSync(path, {recursive: true});
  expect(await next()).toEqual([undefined]);
  store.close();
});

test('a damaged file can be written again, and a repaired one is read again', async () => {
  const {store, path, next} = await openStore('Rows');
  writeFileSync(path, '');
  const [damaged] = await next();
  const written = await store.write({name: 'Rows', code: '() => 2', input: 'Pods'}, damaged?.revision);
  expect(written).toMatchObject({code: '() => 2'});
  writeFileSync(path, 'export default formula(,');
  expect(await next()).toMatchObject([{input: 'Pods', problems: [expect.anything()]}]);
  writeFileSync(path, rows);
  expect(await next()).toEqual([
    {name: 'Rows', code: '(ctx, pod) => ({n: 1})', input: 'Pods', revision: expect.any(String)},
  ]);
  store.close();
});

test('a renamed formula keeps the comments of its file', async () => {
  const {store, path} = await openStore('Rows');
  const text = `// mine\n${rows}`;
  writeFileSync(path, text);
  await store.write({name: 'Other', code: '(ctx, pod) => ({n: 1})', input: 'Pods'}, undefined, 'Rows');
  expect(readFileSync(join(path, '../Other.ts'), 'utf8')).toBe(text);
  store.close();
});

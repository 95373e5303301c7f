// What else may lie in a folder of formulas: nothing of it keeps the formulas beside it from being read.
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {FileStore} from './file-store.ts';

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

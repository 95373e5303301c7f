import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {replaceFile, replaceFileSync} from './atomic-write.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-atomic-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

test('the new text replaces the old one', async () => {
  const file = join(folder, 'a.txt');
  await replaceFile(file, 'one');
  replaceFileSync(file, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['a.txt']);
});

test('a file that cannot be replaced leaves no temporary file', async () => {
  const taken = join(folder, 'taken');
  mkdirSync(join(taken, 'x'), {recursive: true});
  await expect(replaceFile(taken, 'text')).rejects.toThrow();
  expect(() => replaceFileSync(taken, 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});

test.runIf(process.platform === 'linux')(
  'without space for the text, the old file stays and no temporary file is left',
  () => {
    const file = join(folder, 'a.txt');
    writeFileSync(file, 'old');
    const module = fileURLToPath(new URL('atomic-write.ts', import.meta.url));
    const code = `
      const {replaceFile, replaceFileSync} = await import(${JSON.stringify(module)});
      const codes = [];
      await replaceFile(${JSON.stringify(file)}, 'x'.repeat(100_000)).catch(error => codes.push(error.code));
      try { replaceFileSync(${JSON.stringify(file)}, 'x'.repeat(100_000)); } catch (error) { codes.push(error.code); }
      console.log(codes.join());`;
    // The shell's limit of a file's size stops the write in the middle, as a full disk does.
    const script = `trap '' XFSZ; ulimit -f 8; exec "$0" --input-type=module -e "$1"`;
    const said = execFileSync('bash', ['-c', script, process.execPath, code], {encoding: 'utf8'});
    expect(said.trim()).toBe('EFBIG,EFBIG');
    expect(readdirSync(folder)).toEqual(['a.txt']);
    expect(readFileSync(file, 'utf8')).toBe('old');
  },
);

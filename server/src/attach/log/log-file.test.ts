import {appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test, vi} from 'vitest';
import {LogFile} from './log-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-log-'));
afterAll(() => rmSync(folder, {recursive: true}));

function follow(path: string) {
  const told = {text: '', restarts: 0, reason: undefined as string | undefined};
  const file = new LogFile(path);
  file.start({
    data: piece => {
      told.text += Buffer.from(piece).toString();
    },
    restart: () => {
      told.restarts += 1;
    },
    problem: reason => {
      told.reason = reason;
    },
  });
  const expectText = (text: string) => vi.waitFor(() => expect(told.text).toBe(text), {timeout: 10_000});
  return {file, told, expectText};
}

test('follows what is appended, through rotation and truncation; not what was there', async () => {
  const path = join(folder, 'istiod.log');
  writeFileSync(path, 'old\n');
  const {file, told, expectText} = follow(path);
  appendFileSync(path, 'one\n');
  await expectText('one\n');
  appendFileSync(path, 'last of the first file\n');
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'two\n');
  await expectText('one\nlast of the first file\ntwo\n');
  expect(told.restarts).toBe(1);
  truncateSync(path);
  await vi.waitFor(() => expect(told.restarts).toBe(2), {timeout: 10_000});
  appendFileSync(path, 'three\n');
  await expectText('one\nlast of the first file\ntwo\nthree\n');
  await file.stop();
});

test('a file that is not there yet is read from its beginning', async () => {
  const path = join(folder, 'later.log');
  const {file, told, expectText} = follow(path);
  await vi.waitFor(() => expect(told.reason).toContain('later.log'));
  writeFileSync(path, 'first\n');
  await expectText('first\n');
  expect(told.reason).toBeUndefined();
  await file.stop();
});

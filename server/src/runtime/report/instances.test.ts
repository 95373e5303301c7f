import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {findTarget} from './report-target.ts';

test('a krtscope that somebody else started lives, though it may not be signalled', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-instances-'));
  try {
    mkdirSync(join(folder, 'instances'));
    const instance = {address: 'http://127.0.0.1:7070', token: 'secret', pid: 1, started: 1};
    writeFileSync(join(folder, 'instances', '7070.json'), JSON.stringify(instance));
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), {code: 'EPERM'});
    });
    expect(findTarget({KRTSCOPE_DATA_DIR: folder})).toEqual({
      url: 'ws://127.0.0.1:7070/api/v1/programs',
      token: 'secret',
    });
  } finally {
    rmSync(folder, {recursive: true});
  }
});

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Quarantine} from './quarantine.ts';

test('what is locked and what has passed is known after a start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-quarantine-'));
  try {
    const file = join(folder, 'deeper', 'demo.json');
    const first = new Quarantine(file);
    first.lock('bad', 'Bad', 'it never ends');
    first.pass('good', 'Good');
    const next = new Quarantine(file);
    expect([next.reason('bad'), next.hasTried('good'), next.reason('good')]).toEqual([
      'it never ends',
      true,
      undefined,
    ]);
  } finally {
    rmSync(folder, {recursive: true});
  }
});

test('where nothing can be written it holds as long as the program, and says so once: nobody who locks may fail', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-quarantine-'));
  try {
    writeFileSync(join(folder, 'taken'), '');
    const said: string[] = [];
    const quarantine = new Quarantine(join(folder, 'taken', 'demo.json'), problem => said.push(problem));
    quarantine.lock('bad', 'Bad', 'it never ends');
    quarantine.pass('good', 'Good');
    expect([quarantine.reason('bad'), quarantine.hasTried('good')]).toEqual(['it never ends', true]);
    expect(said).toEqual([expect.stringContaining(join(folder, 'taken'))]);
  } finally {
    rmSync(folder, {recursive: true});
  }
});

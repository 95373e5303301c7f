// History on disk: the recording of an earlier run is listed on Connect, opens, and can be deleted.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {TestInstance} from '../../server/src/start/testing-instance.ts';
import {expect, test} from './helpers/page-test.ts';

test('the recording of an earlier demo opens from Connect and can be deleted', async ({page}) => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-history-page-'));
  const start = () =>
    new TestInstance(['--demo', '--demo-pace', '0', '--no-open', '--port', '0', '--data-dir', folder]);
  const first = start();
  await first.ready();
  await first.stop();
  const second = start();
  try {
    await second.ready();
    const {url, token} = await second.address();
    await page.goto(`${url}/connect?token=${token}`);
    const stored = page.getByRole('region', {name: 'On disk'});
    await stored.getByRole('button', {name: /until \d+ s ago/}).click();
    await expect(page).toHaveURL(/\/s\/history%3A.*\/overview/);
    await expect(page.getByRole('region', {name: 'Sync'})).toContainText('19 collections');
    await page.goto(`${url}/connect`);
    await page.getByRole('button', {name: /Close history:/}).click();
    await expect(page.getByRole('button', {name: /Close history:/})).toBeHidden();
    await stored.getByRole('button', {name: /^Delete the recording of/}).click();
    await stored.getByRole('button', {name: 'Delete for good'}).click();
    await expect(stored).toBeHidden();
  } finally {
    await second.stop();
    rmSync(folder, {recursive: true, force: true});
  }
});

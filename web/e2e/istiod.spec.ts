// From the Overview of an attached istiod to the write that took a workload's waypoint away, in three clicks: a recorded
// case of a real istiod, its documents over HTTP and its log in a file.
import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {recordedCases} from '../../server/src/attach/testing-cases.ts';
import {TestInstance} from '../../server/src/start/testing-instance.ts';
import {expect, expectAccessible, test} from './helpers/page-test.ts';

/** A label of namespace shop names another waypoint. */
const label = recordedCases.find(({what}) => what.startsWith('label namespace shop use-waypoint'));

test('three clicks from the Overview to the write behind a lost waypoint', async ({page}) => {
  if (label === undefined) {
    console.info('no recorded cases of istiod here: nothing to click');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-istiod-'));
  const log = join(folder, 'istiod.log');
  writeFileSync(log, '');
  let document: unknown = label.before;
  const istiod: Server = createServer((_, response) => response.end(JSON.stringify(document)));
  await new Promise<void>(resolve => istiod.listen(0, '127.0.0.1', resolve));
  const krtz = `http://127.0.0.1:${(istiod.address() as AddressInfo).port}/debug/krtz`;
  const server = new TestInstance([
    ...['--demo', '--demo-pace', '0', '--port', '0', '--no-open'],
    ...['--attach', `istiod=${krtz}`, '--attach-log', `istiod=${log}`],
  ]);
  try {
    await server.ready();
    const {url, token} = await server.address();
    const address = new URL('/s/attached:istiod/overview', url);
    address.searchParams.set('token', token);
    await page.goto(address.href);
    await expect(page.getByRole('region', {name: 'Root writes'})).toBeVisible();
    // The namespaces are those of the program's own informer, and its nested rows are found by them.
    await page.goto(new URL('/s/attached:istiod/sheet/ambient%2FPodWorkloads', url).href);
    await expect(page.getByText(/^5 of 5 rows/)).toBeVisible();
    const bank = page.getByRole('menuitemradio', {name: 'bank'});
    await expect(async () => {
      if (!(await bank.isVisible())) await page.getByTitle('Namespace', {exact: true}).click();
      await bank.click({timeout: 3000});
    }).toPass();
    await expect(page.getByText(/^2 of 5 rows/)).toBeVisible();
    await page.goto(new URL('/s/attached:istiod/overview', url).href);
    await expect(page.getByRole('region', {name: 'Root writes'})).toBeVisible();

    document = label.after;
    appendFileSync(log, label.log);

    const write = page
      .locator('.write')
      .filter({has: page.getByTitle('informer/Namespaces', {exact: true})})
      .first();
    await expect(write).toBeVisible({timeout: 30_000});
    await write.click();
    // The write, and under it what followed.
    const changed = 'metadata.labels[istio.io/use-waypoint]: second';
    await expect(page.getByRole('figure', {name: 'Changed paths'}).first()).toContainText(changed);
    const effects = page.getByRole('region', {name: 'Effect'});
    await effects.getByRole('button', {name: /^ambient\/ServicesInfo Service\/shop\/cart/}).click();
    await expect(page).toHaveURL(/ambient%2FServicesInfo/);
    await page.getByText('Why this value?').first().click();
    const found = page.getByRole('region', {name: 'The write'});
    await expect(found).toContainText(changed);
    await expectAccessible(page);
  } finally {
    await server.stop();
    istiod.close();
    istiod.closeAllConnections();
    rmSync(folder, {recursive: true});
  }
});

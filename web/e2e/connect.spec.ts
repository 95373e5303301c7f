// Connect: the demo, contexts with reachability, recordings; opens by itself when the cluster does not answer.

import {mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {small} from '../../server/src/attach/testing-documents.ts';
import {TestInstance} from '../../server/src/start/testing-instance.ts';
import {writeKubeconfig} from './helpers/kubeconfig.ts';
import {findLayoutProblems} from './helpers/layout-problems.ts';
import {expect, expectAccessible, expectNoSidewaysScroll, test} from './helpers/page-test.ts';

test('without a kubeconfig the demo is highlighted and Enter opens it', async ({visit}) => {
  const page = await visit('/connect');
  await expect(page.getByRole('heading', {name: 'What do you want to debug?'})).toBeVisible();
  await expect(page.getByText('No kubeconfig found. The demo needs no cluster')).toBeVisible();
  await expect(page.getByRole('region', {name: 'Demo'})).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/s\/demo\/overview/);
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('synced');
});

test('a recording exported here opens beside the demo; the switch in the bar goes between them', async ({
  visit,
  server,
}) => {
  const bytes = Buffer.from(await (await server.get('/api/v1/recording')).arrayBuffer());
  const page = await visit('/connect');
  await page
    .getByLabel('Recording')
    .setInputFiles({name: 'friday.krtrec', mimeType: 'application/octet-stream', buffer: bytes});
  await expect(page).toHaveURL(/\/s\/file%3Afriday.*\/overview/);
  await expect(page.getByText('RECORDING')).toBeVisible();
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('19 collections');
  await page.getByRole('button', {name: /^Session file:friday/}).click();
  await page.getByRole('menuitemradio', {name: /^demo/}).click();
  await expect(page).toHaveURL(/\/s\/demo\//);
  await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
  await page.getByRole('button', {name: 'Session demo'}).click();
  await page.getByRole('menuitem', {name: /Connect to another/}).click();
  await page.getByRole('button', {name: /Close file:friday/}).click();
  await expect(page.getByRole('button', {name: /Close file:friday/})).toBeHidden();
});

test('ages in a recording count from its last moment, however late it is opened', async ({
  visit,
  server,
  page,
}) => {
  const bytes = Buffer.from(await (await server.get('/api/v1/recording')).arrayBuffer());
  await page.clock.install();
  await visit('/connect');
  await page
    .getByLabel('Recording')
    .setInputFiles({name: 'late.krtrec', mimeType: 'application/octet-stream', buffer: bytes});
  await expect(page).toHaveURL(/\/s\/file%3Alate.*\/overview/);
  const head = page.getByRole('region', {name: 'Incident', exact: true}).locator('.detail-head');
  await expect(head).toContainText(/open \d+ (s|min)/);
  const said = await head.textContent();
  await page.clock.fastForward('21:00');
  await expect(page.getByRole('region', {name: 'Root writes'})).not.toContainText(/2\d min/);
  expect(await head.textContent()).toBe(said);
});

test('a file that is no recording is refused with the reason', async ({visit}) => {
  const page = await visit('/connect');
  await page
    .getByLabel('Recording')
    .setInputFiles({name: 'x.krtrec', mimeType: 'application/octet-stream', buffer: Buffer.from('no')});
  await expect(page.getByRole('region', {name: 'Open a file'}).getByRole('alert')).toContainText(
    '"krtrec"; open',
  );
  await expect(page).toHaveURL(/\/connect/);
});

test('a program on Go’s krt is attached to by the address of its debug document; one that is not there says so', async ({
  visit,
}) => {
  const program = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(small({pods: {pay: {app: 'pay'}}})));
  });
  await new Promise<void>(resolve => program.listen(0, '127.0.0.1', resolve));
  const {port} = program.address() as AddressInfo;
  try {
    const page = await visit('/connect');
    const attach = page.getByRole('form', {name: 'Attach to a program'});
    await expect(attach.getByRole('button', {name: 'Attach'})).toBeDisabled();
    await attach.getByRole('textbox').fill('ftp://127.0.0.1/debug/krtz');
    await attach.getByRole('button', {name: 'Attach'}).click();
    await expect(attach.getByRole('alert')).toContainText('ftp:// is not supported; use http:// or https://');
    await attach.getByRole('textbox').fill(`http://127.0.0.1:${port}/debug/krtz`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/s\/attached%3A127\.0\.0\.1-\d+\/overview/);
    // Nobody has seen its formulas run: nothing is promised for them.
    await expect(page.getByText('unknown', {exact: true}).first()).toBeVisible();
    await page.getByRole('button', {name: 'Graph'}).click();
    await expect(page.getByRole('region', {name: 'Graph'}).getByRole('button', {name: /Pods/})).toBeVisible();
  } finally {
    program.close();
    program.closeAllConnections();
  }
});

test('attached to where nothing listens: nothing is called well, old or fast that nobody has seen', async ({
  visit,
  server,
}) => {
  const nobody = createServer();
  await new Promise<void>(resolve => nobody.listen(0, '127.0.0.1', resolve));
  const {port} = nobody.address() as AddressInfo;
  await new Promise(resolve => nobody.close(resolve));
  const {url, token} = await server.address();
  await fetch(`${url}/api/v1/sessions`, {
    method: 'POST',
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
    body: JSON.stringify({krtz: `http://127.0.0.1:${port}/debug/krtz`}),
  });
  const page = await visit(`/s/attached:127.0.0.1-${port}/overview`);
  const overview = page.getByRole('main');
  await expect(page.getByRole('status').filter({hasText: 'does not answer'})).toBeVisible();
  await expect(page.getByText('NO DATA YET')).toBeVisible();
  await expect(page.getByRole('region', {name: 'Incidents'})).toContainText('No data yet');
  await expect(overview.getByText('No problems found')).toHaveCount(0);
  await expect(page.getByRole('region', {name: 'Behind the cluster'})).toContainText(
    'Not compared: no document has arrived yet',
  );
  await expect(page.getByRole('region', {name: 'Timeline'})).toContainText('kept nothing yet');
  await expect(page.getByRole('region', {name: 'Timeline'}).getByText(/^\d\d:\d\d/)).toHaveCount(0);
});

for (const theme of ['dark', 'light'] as const) {
  test(`axe finds nothing serious on Connect, ${theme}; narrow it stacks`, async ({page, visit}) => {
    await page.emulateMedia({colorScheme: theme});
    await visit('/connect');
    await expect(page.getByRole('button', {name: /Open demo/})).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({width: 800, height: 900});
    await expectNoSidewaysScroll(page);
  });
}

test('a cluster that does not answer opens Connect by itself, with the reason, retry and the demo', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-connect-'));
  const file = join(folder, 'config');
  const cluster = {server: 'https://127.0.0.1:9', 'insecure-skip-tls-verify': true};
  writeKubeconfig(file, 'gone', cluster, {token: 'x'});
  const server = new TestInstance(['--kubeconfig', file, '--port', '0', '--no-open']);
  try {
    const {url, token} = await server.address();
    await page.goto(`${url}/?token=${token}`);
    await expect(page).toHaveURL(/\/connect$/);
    const live = page.getByRole('region', {name: 'Live cluster'});
    await expect(live.getByRole('radio', {name: /gone/})).toBeChecked();
    await expect(live.getByRole('button', {name: 'Retry gone'})).toBeVisible();
    await expect(live.getByRole('button', {name: 'Copy kubectl --context gone version'})).toBeVisible();
    await expect(page.getByRole('region', {name: 'Demo'})).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('d');
    await expect(page).toHaveURL(/\/s\/demo\/overview/);
    await expect(page.getByRole('region', {name: 'Sync'})).toContainText('19 synced');
  } finally {
    await server.stop();
    rmSync(folder, {recursive: true});
  }
});

test('a context that does not answer and has a name as clouds give them: its reason, its rows and its buttons fit, at any width', async ({
  page,
}, info) => {
  const name = 'arn:aws:eks:eu-central-1:123456789012:cluster/production-payments-eu-central-1-blue-green';
  const file = info.outputPath('config');
  const cluster = {server: 'https://127.0.0.1:9', 'insecure-skip-tls-verify': true};
  writeKubeconfig(file, name, cluster, {token: 'x'});
  const server = new TestInstance(['--kubeconfig', file, '--port', '0', '--no-open']);
  try {
    const {url, token} = await server.address();
    await page.goto(`${url}/connect?token=${token}`);
    const live = page.getByRole('region', {name: 'Live cluster'});
    const retry = live.getByRole('button', {name: `Retry ${name}`});
    const look = async (where: string) => {
      for (const width of [1440, 1024, 820, 390]) {
        await page.setViewportSize({width, height: 900});
        await expectNoSidewaysScroll(page);
        // A picture that is on its way to another width is looked at again.
        await expect.poll(() => findLayoutProblems(page), `${where}, ${width} wide`).toEqual([]);
      }
    };
    await expect(retry).toBeVisible();
    await look('Connect');
    const card = (await live.boundingBox())!;
    const copy = (await live.getByRole('button', {name: /^Copy kubectl/}).boundingBox())!;
    expect(copy.x + copy.width).toBeLessThan(card.x + card.width);
    // The demo is what Enter opens; why the cluster is not is still said.
    await expect(page.getByRole('region', {name: 'Demo'})).toHaveAttribute('aria-current', 'true');
    await expect(live.getByText('nothing is listening there')).toBeVisible();
    await retry.click();
    await expect(live.getByRole('radio')).toBeChecked();

    await page.getByRole('button', {name: new RegExp(`^${name}`)}).click();
    const strip = page
      .getByRole('status')
      .filter({hasText: `${name} does not answer: GET https://127.0.0.1:9`});
    await expect(strip.getByRole('button', {name: 'Connect elsewhere'})).toBeInViewport({ratio: 1});
    await look('Overview');
    await strip.getByRole('button', {name: 'Connect elsewhere'}).click();
    await expect(page).toHaveURL(/\/connect$/);
  } finally {
    await server.stop();
  }
});

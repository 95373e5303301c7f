// What breaks: the socket, the server, the engine, a sleeping tab. The page says so, recovers, shows nothing wrong.
import {readFileSync} from 'node:fs';
import type {Page, WebSocketRoute} from '@playwright/test';
import {descendants, Instance} from '../../server/src/start/testing-instance.ts';
import {expect, labelNamespace, test} from './journey.ts';

const shownValue = (page: Page) =>
  page.getByRole('complementary', {name: 'Inspector'}).getByRole('figure', {name: 'Value'});

test('a cut socket: a strip with a countdown, data stays, and it comes back by itself', async ({
  page,
  visit,
  cluster,
}) => {
  let open: WebSocketRoute | null = null;
  let cut = false;
  await page.routeWebSocket(/\/api\/v1\/stream/, socket => {
    if (cut) {
      void socket.close();
      return;
    }
    socket.connectToServer();
    open = socket;
  });
  const before = await labelNamespace(cluster, 'shop');
  await visit('/s/demo/sheet/Namespaces/shop');
  await expect(shownValue(page)).toContainText(before);
  cut = true;
  await open!.close();
  const strip = page.getByRole('status').filter({hasText: 'The server has not answered since'});
  await expect(strip).toBeVisible();
  await expect(strip).toContainText(/Next try in \d+ s|Trying now/);
  await expect(page.getByText('WAITING')).toBeVisible();
  await expect(shownValue(page)).toContainText(before);
  const after = await labelNamespace(cluster, 'shop');
  cut = false;
  await strip.getByRole('button', {name: 'Try now'}).click();
  await expect(strip).toBeHidden();
  await expect(shownValue(page)).toContainText(after);
  await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
});

test('the engine process killed: frozen with a word, then live again, and the history is still there', async ({
  visit,
  cluster,
  server,
}) => {
  const before = await labelNamespace(cluster, 'shop');
  const page = await visit('/s/demo/sheet/Namespaces/shop');
  await expect(shownValue(page)).toContainText(before);
  const restarting = page.getByText('The engine process is restarting.');
  const seen = restarting.waitFor({state: 'visible'});
  const engine = descendants(server.child.pid!).find(pid => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes('engine/host');
  });
  process.kill(engine!, 'SIGKILL');
  await seen;
  await expect(shownValue(page)).toContainText(before);
  await expect(restarting).toBeHidden({timeout: 30_000});
  const after = await labelNamespace(cluster, 'shop');
  await expect(shownValue(page)).toContainText(after);
  await page.keyboard.press('Shift+,');
  await expect(page.getByText('PAUSED')).toBeVisible();
});

test('the server restarted on its port: the open page resumes with the new recording', async ({page}) => {
  test.setTimeout(150_000);
  const flags = ['--demo', '--demo-pace', '0', '--no-open', '--token', 'same-token'];
  const first = new Instance([...flags, '--port', '0']);
  await first.ready();
  const {url} = await first.address();
  await page.goto(`${url}/s/demo/overview?token=same-token`);
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('19 synced');
  await page.evaluate(() => {
    (window as {sameDocument?: boolean}).sameDocument = true;
  });
  await first.stop();
  const strip = page.getByText('The server has not answered since');
  await expect(strip).toBeVisible();
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('19 synced');
  const second = new Instance([...flags, '--port', new URL(url).port]);
  try {
    await second.ready();
    await expect(strip).toBeHidden({timeout: 30_000});
    await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
    await expect(page.getByRole('region', {name: 'Sync'})).toContainText('19 synced');
    expect(await page.evaluate(() => (window as {sameDocument?: boolean}).sameDocument)).toBe(true);
  } finally {
    await second.stop();
  }
});

test('a tab asleep for a minute wakes up to what is, with the clock right', async ({
  page,
  visit,
  cluster,
}) => {
  await page.clock.install();
  const before = await labelNamespace(cluster, 'shop');
  await visit('/s/demo/sheet/Namespaces/shop');
  await page.clock.runFor(2000);
  await expect(shownValue(page)).toContainText(before);
  await page.clock.pauseAt(new Date(Date.now() + 5000));
  const after = await labelNamespace(cluster, 'shop');
  await page.clock.fastForward(60_000);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.clock.resume();
  await expect(shownValue(page)).toContainText(after);
  await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
  await expect(page.getByText('The server has not answered since')).toBeHidden();
});

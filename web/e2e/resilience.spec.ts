// What breaks: the socket, the server, the engine, a sleeping tab. The page says so, recovers, shows nothing wrong.
import {readFileSync} from 'node:fs';
import type {Page, WebSocketRoute} from '@playwright/test';
import {descendants, TestInstance} from '../../server/src/start/testing-instance.ts';
import {expect, expectAccessible, labelNamespace, test} from './helpers/page-test.ts';

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
  // It is there for a blink: looking every half second could miss it.
  await page.evaluate(text => {
    const seen = new Promise<void>(resolve => {
      const look = () => document.body.textContent?.includes(text) && resolve();
      new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
    });
    (window as {seen?: Promise<void>}).seen = seen;
  }, 'The engine process is restarting.');
  // With the one that waits to take over: else it could be over before the page is drawn again.
  const engines = descendants(server.child.pid!).filter(pid =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine/host'),
  );
  for (const pid of engines) process.kill(pid, 'SIGKILL');
  await page.evaluate(() => (window as {seen?: Promise<void>}).seen);
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
  const first = new TestInstance([...flags, '--port', '0']);
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
  const second = new TestInstance([...flags, '--port', new URL(url).port]);
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

test('a watch that is lost: the amber strip with its reason and the next try; nothing is cleared', async ({
  page,
  visit,
}) => {
  const lost = {state: 'lost', reason: 'connection reset', since: Date.now(), retryAt: Date.now() + 60_000};
  let tell: (connection: object) => void = () => {};
  await page.routeWebSocket(/\/api\/v1\/stream/, socket => {
    const server = socket.connectToServer();
    server.onMessage(text => {
      const message = JSON.parse(String(text));
      if (message.type === 'welcome') {
        tell = connection =>
          socket.send(
            JSON.stringify({
              type: 'session',
              session: {...message.session, cluster: {...message.session.cluster, kind: 'live'}, connection},
            }),
          );
      }
      socket.send(String(text));
    });
  });
  await visit('/s/demo/overview');
  const sync = page.getByRole('region', {name: 'Sync'});
  await expect(sync).toContainText('19 synced');
  tell(lost);
  const strip = page.getByRole('status').filter({hasText: /has not answered since \d\d:\d\d:\d\d/});
  await expect(strip).toContainText('connection reset');
  await expect(strip).toContainText(/Next try in \d+ s/);
  await expect(strip.getByRole('button', {name: 'Try now'})).toBeVisible();
  await expect(sync).toContainText('19 synced');
  await expectAccessible(page);
  tell({state: 'unreachable', reason: 'timeout', hint: 'kubectl --context x version', since: 0});
  await expect(page.getByText(/does not answer: timeout/)).toBeVisible();
  await expect(page.getByRole('button', {name: 'Copy command: kubectl --context x version'})).toBeVisible();
  await page.getByRole('button', {name: 'Connect elsewhere'}).click();
  await expect(page).toHaveURL(/\/connect$/);
});

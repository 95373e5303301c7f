// The access token in a real browser: where it is kept, who gets it, and what the page shows without it.
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type IncomingHttpHeaders} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {TestInstance} from '../../../server/src/start/testing-instance.ts';
import {expect, test} from '../helpers/server-test.ts';

const tokenField = 'Access token, or the whole address';

test('the token leaves the address, stays in this origin, and another port of the host receives nothing of it', async ({
  visit,
  server,
  context,
}) => {
  const {url, token} = await server.address();
  const page = await visit('/s/demo/sheet/Workloads?ns=shop');
  await expect(page.getByRole('grid').first()).toBeVisible();
  expect(page.url()).not.toContain('token');
  expect(page.url()).toContain('ns=shop');
  expect(await context.cookies()).toEqual([]);

  const received: {url: string; headers: IncomingHttpHeaders}[] = [];
  const other = createServer((req, res) => {
    received.push({url: req.url ?? '', headers: req.headers});
    res.setHeader('content-type', 'text/html');
    res.end(`<!doctype html><title>other</title><a id="link" href="${url}/s/demo/overview">krtscope</a>`);
  });
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  const otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  try {
    // The browser goes there from krtscope's page, and a page of that server tries to reach krtscope.
    const stranger = await context.newPage();
    await stranger.goto(`${otherUrl}/`, {referer: page.url()});
    await page.evaluate(address => void fetch(address, {mode: 'no-cors'}).catch(() => {}), otherUrl);
    const found = await stranger.evaluate(async krtscope => {
      const answer = (path: string) =>
        fetch(krtscope + path, {credentials: 'include', mode: 'no-cors'}).then(
          one => `${one.type} ${one.status}`,
          () => 'failed',
        );
      const socket = await new Promise(resolve => {
        const own = new WebSocket(`${krtscope.replace('http', 'ws')}/api/v1/stream`);
        own.onopen = () => resolve('open');
        own.onerror = () => resolve('refused');
      });
      return {
        cookie: document.cookie,
        stored: JSON.stringify(localStorage),
        api: await answer('/api/v1/graph'),
        socket,
      };
    }, url);
    expect(found).toEqual({
      cookie: '',
      stored: '{}',
      api: expect.stringMatching(/^(opaque 0|failed)$/),
      socket: 'refused',
    });
    expect(received.length).toBeGreaterThan(0);
    for (const request of received) {
      expect(JSON.stringify(request)).not.toContain(token);
      expect(request.headers.cookie).toBeUndefined();
      expect(request.headers.authorization).toBeUndefined();
    }
    // The page stays signed in after a reload and after a link from elsewhere.
    await page.reload();
    await expect(page.getByRole('grid').first()).toBeVisible();
    await stranger.click('#link');
    await expect(stranger.getByRole('navigation').first()).toBeVisible();
    await expect(stranger.getByLabel(tokenField)).toBeHidden();
  } finally {
    other.close();
    other.closeAllConnections();
  }
});

test('without a token the page asks for it, says when it is wrong, and takes the whole address', async ({
  page,
  server,
}) => {
  const {url, token} = await server.address();
  await page.goto(`${url}/s/demo/sheet/Workloads?ns=shop`);
  await expect(page.getByLabel(tokenField)).toBeFocused();
  await expect(page.getByRole('alert')).toBeHidden();
  await page.keyboard.type('not-the-token');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Wrong access token');
  await page.getByLabel(tokenField).fill(`${url}/?token=${token}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid').first()).toBeVisible();
  expect(page.url()).toContain('/s/demo/sheet/Workloads?ns=shop');
});

test('a link with a wrong token shows the field and says so', async ({page, server}) => {
  const {url} = await server.address();
  await page.goto(`${url}/s/demo/overview?token=of-yesterday`);
  await expect(page.getByRole('alert')).toContainText('Wrong access token');
  expect(page.url()).toBe(`${url}/s/demo/overview`);
});

test('sign-out removes the token in every tab; the recording is saved through fetch', async ({
  visit,
  context,
  server,
}) => {
  const page = await visit('/s/demo/overview');
  const second = await context.newPage();
  const {url} = await server.address();
  await second.goto(`${url}/s/demo/overview`);
  await expect(second.getByRole('navigation').first()).toBeVisible();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('Export recording');
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toBe('krtscope-demo.krtrec');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('Sign out');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(tokenField)).toBeVisible();
  await expect(second.getByLabel(tokenField)).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('krtscope-token');
  await page.reload();
  await expect(page.getByLabel(tokenField)).toBeVisible();
});

test('an open tab survives a restart: the token is kept in the data directory', async ({page}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-data-'));
  const flags = ['--demo', '--demo-pace', '0', '--no-open', '--data-dir', dataDir];
  const first = new TestInstance([...flags, '--port', '0']);
  let second: TestInstance | undefined;
  try {
    const {url, token} = await first.address();
    await first.ready();
    await page.goto(`${url}/s/demo/overview?token=${token}`);
    await expect(page.getByRole('navigation').first()).toBeVisible();
    await first.stop();
    second = new TestInstance([...flags, '--port', new URL(url).port]);
    expect((await second.address()).token).toBe(token);
    await second.ready();
    await expect(page.getByText('The server has not answered')).toBeHidden();
    await expect(page.getByLabel(tokenField)).toBeHidden();
    await expect(page.getByRole('navigation').first()).toBeVisible();
  } finally {
    await second?.stop();
    await first.stop();
    rmSync(dataDir, {recursive: true, force: true});
  }
});

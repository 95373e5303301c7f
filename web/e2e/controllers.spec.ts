// The Controllers view with the mouse and with keys: which there are, what a request went through, why it ran, and
// the same at a moment; a program without controllers is told how to show some.
import {fork} from 'node:child_process';
import {findLayoutProblems} from './helpers/layout-problems.ts';
import {expect, test} from './helpers/server-test.ts';

test.use({flags: ['--demo-seed', '1']});

interface Why {
  sentence: string;
}

test('from the list of controllers to why one request ran, live and at a moment', async ({visit, server}) => {
  const page = await visit('/s/demo/sheet');
  await page.getByRole('button', {name: /^Controllers/}).waitFor();
  await page.keyboard.press('6');
  await expect(page).toHaveURL(/\/s\/demo\/controllers/);
  const list = page.getByRole('navigation', {name: 'Controllers'});
  await list.getByRole('button', {name: /^replicaset-controller/}).click();
  await expect(page).toHaveURL(/c=replicaset-controller/);
  await expect(page.getByRole('heading', {name: 'replicaset-controller'})).toBeVisible();
  const results = page.getByRole('region', {name: 'Results'});
  await results.getByRole('button').first().click();
  await expect(page).toHaveURL(/k=/);
  const key = new URL(page.url()).searchParams.get('k') ?? '';
  const attempts = page.getByRole('region', {name: 'Attempts'});
  await expect(attempts).toContainText(key);
  await attempts.getByRole('button').last().click();
  await expect(page).toHaveURL(/[?&]a=/);
  const attempt = new URL(page.url()).searchParams.get('a') ?? '';
  const body = page.getByRole('region', {name: `Attempt ${attempt}`, exact: true});
  const steps = body.getByRole('table', {name: 'Steps'});
  await expect(steps.getByRole('row').last()).toContainText('return');
  await expect(steps).toContainText('ReplicaSet');
  await page.keyboard.press('w');
  const told = page.getByRole('region', {name: 'Why it ran'});
  const path = `/api/v1/why-reconcile/replicaset-controller/${encodeURIComponent(key)}?attempt=${attempt}`;
  const {sentence} = await server.json<Why>(path);
  expect(sentence).toMatch(new RegExp(`^${key} (ran|was) `));
  await expect(told).toContainText(sentence);

  // A moment stands still: what happens meanwhile is not in it.
  await page.getByRole('button', {name: 'Pause view'}).click();
  await expect(page).toHaveURL(/t=\d+/);
  const at = new URL(page.url()).searchParams.get('t');
  const counts = async () => (await results.locator('header').textContent()) ?? '';
  const paused = await counts();
  await expect
    .poll(async () => {
      const now = await server.json<{controllers: {done: number}[]}>('/api/v1/controllers');
      const then = await server.json<{controllers: {done: number}[]}>(`/api/v1/controllers?at=${at}`);
      const sum = (all: typeof now) => all.controllers.reduce((n, {done}) => n + done, 0);
      return sum(now) - sum(then);
    })
    .toBeGreaterThan(0);
  expect(await counts()).toBe(paused);
  await page.keyboard.press('Shift+End');
  await expect(page).not.toHaveURL(/t=\d+/);

  await page.keyboard.press('k');
  await expect(page).not.toHaveURL(/c=replicaset-controller/);
  await page.setViewportSize({width: 620, height: 900});
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
});

test('an attempt can be read at any width: its axis of time has room for its times, or is not there', async ({
  visit,
}) => {
  const page = await visit('/s/demo/controllers?c=replicaset-controller');
  await page.getByRole('region', {name: 'Results'}).getByRole('button').first().click();
  await expect(page.getByRole('table', {name: 'Steps'})).toContainText('return');
  // What is looked at must not be another one meanwhile.
  await page.getByRole('button', {name: 'Pause view'}).click();
  await expect(page).toHaveURL(/t=\d+/);
  await expect(page.getByRole('table', {name: 'Steps'})).toContainText('return');
  for (const width of [1440, 1250, 1110, 1024, 820, 390]) {
    await page.setViewportSize({width, height: 900});
    // A picture that is on its way to another width is looked at again.
    await expect.poll(() => findLayoutProblems(page), `${width} wide`).toEqual([]);
    const axis = page.getByRole('columnheader', {name: 'Time'});
    if (await axis.isVisible())
      expect((await axis.boundingBox())!.width, `${width} wide`).toBeGreaterThan(140);
  }
});

test('a program shows up in Connect, and without controllers is told how to show some', async ({
  visit,
  server,
}) => {
  const {url, token} = await server.address();
  const child = fork(new URL('../../server/src/program/testing-program.ts', import.meta.url), {
    env: {PATH: process.env.PATH ?? '', HOME: server.home, KRTSCOPE_URL: `${url}/?token=${token}`},
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    await expect
      .poll(async () => (await server.get('/api/v1/session?session=program:shop')).status)
      .toBe(200);
    const page = await visit('/connect');
    await page.getByRole('button', {name: /^program:shop program/}).click();
    await expect(page).toHaveURL(/\/s\/program%3Ashop\/overview|\/s\/program:shop\/overview/);
    await page.getByRole('button', {name: /^Graph/}).click();
    await expect(page.getByText('Zones').first()).toBeVisible();
    await page.getByRole('button', {name: /^Controllers/}).click();
    await expect(page.getByText('No controllers in program:shop')).toBeVisible();
    await expect(page.getByText(/KRTSCOPE_URL=/)).toBeVisible();
  } finally {
    child.kill('SIGKILL');
  }
});

test('every way in which a run can end is seen with the mouse, with what comes next, and the lease counts down', async ({
  visit,
  server,
}) => {
  const {url, token} = await server.address();
  const child = fork(new URL('../../server/test/operator/every-result.ts', import.meta.url), {
    env: {PATH: process.env.PATH ?? '', HOME: server.home, KRTSCOPE_URL: `${url}/?token=${token}`},
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const path = '/api/v1/controllers/orders/requests/default%2Fall?session=program:operator';
    await expect
      .poll(async () => {
        const answer = await server.get(path);
        return answer.ok ? ((await answer.json()) as {attempts: unknown[]}).attempts.length : 0;
      })
      .toBe(7);
    const page = await visit('/s/program:operator/controllers');
    await page
      .getByRole('navigation', {name: 'Controllers'})
      .getByRole('button', {name: /^orders/})
      .click();
    await page
      .getByRole('region', {name: 'Results'})
      .getByRole('button', {name: /default\/all/})
      .first()
      .click();
    const attempts = page.getByRole('region', {name: 'Attempts'}).getByRole('button');
    await expect(attempts).toHaveCount(7);
    for (const [at, result] of [
      /^error, retry 1 in 5\.0 ms$/,
      /^requeue, in 10 ms$/,
      /^timeout, retry 3 in 20 ms$/,
      /^panic, retry 4 in 40 ms$/,
      /^requeue after 50 ms$/,
      /^done$/,
      /^error, no retry$/,
    ].entries()) {
      await attempts.nth(6 - at).click();
      const body = page.getByRole('region', {name: `Attempt ${at + 1}`, exact: true});
      await expect(body.locator('.attempt-result')).toHaveText(result);
    }
    // What the done one wrote woke the last one.
    await attempts.nth(1).click();
    const done = page.getByRole('region', {name: 'Attempt 6', exact: true});
    await expect(done).toContainText('Secret');
    await attempts.nth(0).click();
    const last = page.getByRole('region', {name: 'Attempt 7', exact: true});
    await last.getByRole('button', {name: /^Why/}).click();
    await expect(page.getByRole('region', {name: 'Why it ran'})).toContainText('Secret');
    const lease = page.getByRole('region', {name: 'Manager'});
    await expect(lease).toContainText('default/operator, 3');
    await expect(lease).toContainText(/3[0-9](\.\d)? s left/);

    await page.getByRole('button', {name: /^Sheet/}).click();
    await expect(page).toHaveURL(/sheet/);
    await expect(page.getByRole('main')).not.toContainText('went wrong');
  } finally {
    child.kill('SIGKILL');
  }
});

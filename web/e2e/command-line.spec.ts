// The command line (:), the verbs of the palette, and journeys by keys alone, counted: each under twelve key presses.
import {fork} from 'node:child_process';
import type {Page} from '@playwright/test';
import {expect, labelNamespace, resources, test} from './helpers/page-test.ts';

/** A hand on the keyboard that counts what it presses. */
function keyboardOf(page: Page) {
  let count = 0;
  return {
    async press(...keys: string[]): Promise<void> {
      for (const key of keys) {
        await page.keyboard.press(key);
        count += 1;
      }
    },
    get count(): number {
      return count;
    },
  };
}

const dialog = (page: Page) => page.getByRole('dialog', {name: 'Command line'});

test(':pods, :svc shop, :ctx and :why do what they say, and the arrows work at once', async ({visit}) => {
  const page = await visit('/');
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('synced');
  await page.keyboard.press(':');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.type('pods');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/sheet\/Pods/);
  await expect(page.getByRole('grid', {name: /Pods/})).toBeVisible();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/\/sheet\/Pods\/./);
  const item = new URL(page.url()).pathname;

  await page.keyboard.press(':');
  await page.keyboard.type('why');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe(item.replace('/sheet/', '/why/'));
  await page.keyboard.press('Escape');

  await page.keyboard.press(':');
  await page.keyboard.type('svc shop');
  await expect(dialog(page).getByRole('option').first()).toContainText('Services in namespace shop');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/sheet\/Services.*ns=shop/);

  await page.keyboard.press(':');
  await page.keyboard.type('ctx');
  await expect(dialog(page).getByRole('option').first()).toContainText('demo');
  await page.keyboard.press('Escape');
  await page.keyboard.press(':');
  await page.keyboard.type('why catalog');
  await expect(dialog(page).getByRole('option').first()).toContainText(/Why .*catalog/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/why\/.*catalog/);
});

test('the palette: open incidents and recent items come first; why and compare are verbs', async ({
  visit,
}) => {
  const page = await visit('/s/demo/sheet/Pods');
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/\/sheet\/Pods\/./);
  const key = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1)!);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', {name: 'Commands'});
  await expect(palette.getByRole('group', {name: 'Recent'})).toContainText(key);
  await page.keyboard.type('why cart');
  await expect(palette.getByRole('option').first()).toContainText('cart');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/why\/.*cart/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('compare 5 min ago');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/sheet.*vs=\d+/);
  await expect(page.getByRole('region', {name: 'Comparison'})).toBeVisible();
});

test('the first Tab stop leads into the view', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Pods');
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', {name: 'Skip to the view'})).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid').first()).toBeFocused();
});

test('journey: which Service lost its endpoints, and who did it', async ({visit, cluster}) => {
  await cluster.patch(
    resources.Services,
    {namespace: 'shop', name: 'cart'},
    {spec: {selector: {app: 'crat'}}},
    {type: 'merge', fieldManager: 'helm'},
  );
  const page = await visit('/');
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('synced');
  const keys = keyboardOf(page);
  await keys.press('Control+k');
  const palette = page.getByRole('dialog', {name: 'Commands'});
  await expect(palette.getByRole('group', {name: 'Open incidents'})).toContainText(
    'Service shop/cart selects no Pod',
  );
  await keys.press('c', 'a', 'r', 't');
  await expect(palette.getByRole('option').first()).toBeVisible();
  const mine = palette.getByRole('option', {name: /Service shop\/cart selects no Pod/});
  while ((await mine.getAttribute('aria-selected')) !== 'true') await keys.press('ArrowDown');
  await keys.press('Enter');
  await expect(page.getByRole('main').getByRole('status').filter({hasText: 'helm'})).toContainText('crat');
  expect(keys.count).toBeLessThan(12);
  // Other specs share this server.
  await cluster.patch(
    resources.Services,
    {namespace: 'shop', name: 'cart'},
    {spec: {selector: {app: 'cart'}}},
    {type: 'merge', fieldManager: 'helm'},
  );
});

test('journey: what changed in the last five minutes in namespace shop', async ({visit, cluster}) => {
  const page = await visit('/');
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('synced');
  await cluster.patch(
    resources.Services,
    {namespace: 'shop', name: 'orders'},
    {metadata: {labels: {tier: `t${Date.now()}`}}},
    {type: 'merge', fieldManager: 'kubectl-label'},
  );
  const keys = keyboardOf(page);
  await keys.press(':', 'n', 's', 'Space', 's', 'h');
  await expect(dialog(page).getByRole('option').first()).toContainText('shop');
  await keys.press('Enter', 'Control+k', 'c', 'o', 'Enter');
  await expect(page).toHaveURL(/ns=shop.*vs=|vs=.*ns=shop/);
  await expect(page.getByRole('complementary').filter({hasText: 'shop/orders'})).toBeVisible();
  expect(keys.count).toBeLessThan(12);
});

test('journey: why did this controller reconcile', async ({visit}) => {
  const page = await visit('/');
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('synced');
  const keys = keyboardOf(page);
  await keys.press('6');
  await expect(page.getByRole('navigation', {name: 'Controllers'})).toBeVisible();
  await expect(page.getByRole('region', {name: 'Attempts'}).getByRole('button').first()).toBeVisible();
  await keys.press('Enter');
  await expect(page.getByRole('region', {name: 'Why it ran'})).toContainText(/ran because|was re/);
  await keys.press('ArrowLeft', 'Escape');
  await expect(page.getByRole('region', {name: 'Why it ran'})).toHaveCount(0);
  await keys.press('ArrowDown');
  await expect(page).toHaveURL(/c=/);
  expect(keys.count).toBeLessThan(12);
});

test('journey: which controller fails, and with what error', async ({visit, server}) => {
  const {url, token} = await server.address();
  const child = fork(new URL('../../server/test/operator/failing.ts', import.meta.url), {
    env: {PATH: process.env.PATH ?? '', HOME: server.home, KRTSCOPE_URL: `${url}/?token=${token}`},
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const page = await visit('/');
    await expect(page.getByRole('region', {name: 'Sync'})).toContainText(/19\s*synced/);
    await expect
      .poll(async () => (await server.get('/api/v1/incidents?session=program:failing')).status, {
        timeout: 60_000,
      })
      .toBe(200);
    const keys = keyboardOf(page);
    await keys.press(':', 'c', 't', 'x', 'Space', 'f');
    await expect(dialog(page).getByRole('option').first()).toContainText('program:failing');
    await keys.press('Enter');
    const incidents = page.getByRole('region', {name: 'Incidents'});
    await expect(incidents).toContainText('Controller buckets fails for default/bucket');
    const wanted = incidents.getByRole('button', {name: /Controller buckets fails/});
    while ((await wanted.getAttribute('aria-current')) !== 'true') await keys.press('ArrowDown');
    await keys.press('Enter');
    await expect(page).toHaveURL(/\/controllers/);
    await expect(page.getByRole('main')).toContainText('no such bucket: check the name in the ConfigMap');
    expect(keys.count).toBeLessThan(12);
  } finally {
    child.kill('SIGKILL');
  }
});

test('journey: what the run before this one of a Workload changed', async ({visit, cluster}) => {
  await labelNamespace(cluster, 'data');
  await labelNamespace(cluster, 'data');
  const page = await visit('/');
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText(/19\s*synced/);
  const keys = keyboardOf(page);
  await keys.press(':', 'w', 'o', 'r', 'k');
  await expect(dialog(page).getByRole('option').first()).toContainText('Workloads');
  await keys.press('Enter');
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  // The first row begins with its Pod; the Workload is computed from it.
  await keys.press('j');
  await expect(page).toHaveURL(/\/sheet\/Pods\/./);
  await keys.press(']');
  await expect(page).toHaveURL(/\/sheet\/Workloads\/./);
  await keys.press('w');
  const run = page.getByRole('toolbar', {name: 'Why'}).getByText(/^run #/);
  await expect(run).toBeVisible();
  const newest = await run.textContent();
  await keys.press(',');
  await expect(run).not.toHaveText(newest!);
  await expect(page.getByRole('region', {name: 'Cause'})).toBeVisible();
  expect(keys.count).toBeLessThan(12);
});

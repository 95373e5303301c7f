// Journey A: why has my workload no service? From the Sheet to the write, by mouse alone and by keys alone.
import type {Page} from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  readClipboard,
  resources,
  test,
} from './helpers/page-test.ts';

interface Items {
  items: {key: string}[];
}

/** Relabels one Pod of an app as `kubectl label` does; returns its key. Each test takes an app of its own. */
async function relabel(
  server: {json<T>(path: string): Promise<T>},
  cluster: Parameters<Parameters<typeof test>[2]>[0]['cluster'],
  app: string,
): Promise<string> {
  const {items} = await server.json<Items>(`/api/v1/collections/Pods/items?q=ns:shop%20-l%20app=${app}`);
  const key = items[0]!.key;
  await cluster.patch(
    resources.Pods,
    {namespace: 'shop', name: key.split('/')[1]!},
    {metadata: {labels: {app: app.slice(0, -1)}}},
    {type: 'merge', fieldManager: 'kubectl-label'},
  );
  await expect
    .poll(async () =>
      (
        await server.json<{items: {value: {services: string[]}}[]}>(
          `/api/v1/collections/Workloads/items?q=${encodeURIComponent(key.split('/')[1]!)}`,
        )
      ).items.map(item => item.value.services.length),
    )
    .toEqual([0]);
  return key;
}

async function seesTheWrite(page: Page, key: string, app: string): Promise<void> {
  const sentence = page.getByRole('main').getByRole('status').filter({hasText: 'has no row'});
  await expect(sentence).toContainText(
    new RegExp(`^No Service selects Pod ?${key}: it has app=${app.slice(0, -1)}, and Service ?`),
  );
  await expect(sentence).toContainText(`selects app=${app}.`);
  await expect(sentence).toContainText(
    new RegExp(`kubectl-label changed label app of Pod ?${key} from ${app} to ${app.slice(0, -1)} at`),
  );
  const write = page.getByRole('region', {name: 'The write'});
  await expect(write).toContainText(`+metadata.labels.app: ${app.slice(0, -1)}`);
  await expect(write).toContainText('kubectl-label');
}

test('by mouse: the empty cell, its why?, and the write stands there with the command that mends it', async ({
  visit,
  cluster,
  server,
}) => {
  const key = await relabel(server, cluster, 'orders');
  const page = await visit('/s/demo/sheet/Workloads?ns=shop');
  const row = page.locator(`[data-key="${key}"]`);
  await row.getByRole('button', {name: 'why is this empty?'}).first().click();
  await seesTheWrite(page, key, 'orders');
  const fix = page.getByRole('button', {name: /^Copy command: kubectl/});
  await fix.click();
  // The terminal's own cluster may be another one.
  await expect
    .poll(() => readClipboard(page))
    .toMatch(
      new RegExp(
        `^kubectl -n shop label pod ${key.split('/')[1]} app=orders --overwrite --kubeconfig \\S+/kubeconfig$`,
      ),
    );
  await expect(page.getByText(/^Command copied, with --kubeconfig/)).toBeVisible();
  const steps = page.getByRole('region', {name: 'Steps'});
  await expect(steps.getByText('read by this formula').first()).toBeVisible();
  await steps.getByRole('button', {name: 'Evidence of step 2'}).click();
  await expect(steps.getByText('read by this formula')).toHaveCount(0);
  await expect(page.getByText('Proved:')).toBeVisible();
  await page.getByRole('button', {name: /^Markdown/}).click();
  await expect
    .poll(() => readClipboard(page))
    .toMatch(/### Why WorkloadServices `shop\/orders.*has this value/);
  expect(await readClipboard(page)).toContain(
    '```diff\n- metadata.labels.app: orders\n+ metadata.labels.app: order\n```',
  );
  await expectAccessible(page);
  for (const width of [390, 768]) {
    await page.setViewportSize({width, height: 900});
    await expectNoSidewaysScroll(page);
  }
});

test('by keys: from the row to the write, along the steps and back', async ({visit, cluster, server}) => {
  const key = await relabel(server, cluster, 'cart');
  const page = await visit(`/s/demo/sheet/WorkloadServices/${encodeURIComponent(key)}?ns=shop`);
  await expect(page.getByRole('gridcell', {selected: true}).first()).toBeVisible();
  await page.keyboard.press('o');
  await seesTheWrite(page, key, 'cart');
  const steps = page.getByRole('region', {name: 'Steps'});
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(steps.locator('[aria-current=step]')).toContainText('Workloads');
  await page.keyboard.press('ArrowLeft');
  await expect(steps.getByRole('button', {name: 'Evidence of step 2'})).toHaveAttribute(
    'aria-expanded',
    'false',
  );
  await page.keyboard.press('t');
  await expect(page).toHaveURL(/t=\d+/);
  await expect(page.getByRole('region', {name: 'The write'})).toContainText('kubectl-label');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/\/why\/WorkloadServices\//);
  await page.keyboard.press('o');
  await seesTheWrite(page, key, 'cart');
});

test('a field of the Inspector is asked about by its line; the answer stays while the row goes on', async ({
  visit,
  cluster,
  server,
}) => {
  const key = await relabel(server, cluster, 'checkout');
  const page = await visit(`/s/demo/sheet/Workloads/${encodeURIComponent(key)}?ns=shop`);
  const value = page.getByRole('complementary', {name: 'Inspector'}).getByRole('figure', {name: 'Value'});
  await value.locator('.yaml-line').filter({hasText: 'services:'}).hover();
  await value.getByRole('button', {name: 'Why this value? services'}).click();
  await expect(page).toHaveURL(/\/origin\/Workloads\/.*field=services/);
  const sentence = page.getByRole('main').getByRole('status').filter({hasText: 'services'});
  await expect(sentence).toContainText('kubectl-label changed label app');
  const before = await sentence.textContent();
  await cluster.patch(
    resources.Pods,
    {namespace: 'shop', name: key.split('/')[1]!},
    {metadata: {labels: {app: 'checkout'}}},
    {type: 'merge', fieldManager: 'kubectl-label'},
  );
  await expect(page.getByText('The value has changed since.')).toBeVisible();
  expect(await sentence.textContent()).toBe(before);
  await page.getByRole('button', {name: 'Show newest'}).click();
  await expect(page.getByText('The value has changed since.')).toHaveCount(0);
  await expect(page.getByRole('region', {name: 'The write'})).toContainText('+metadata.labels.app: checkout');
});

test('Why stays on its run while others come, and says how many', async ({visit, cluster, server}) => {
  const {items} = await server.json<Items>(
    '/api/v1/collections/Workloads/items?q=ns:shop%20-l%20app=payments',
  );
  const key = items[0]!.key;
  const name = key.split('/')[1]!;
  const write = (patch: object) =>
    cluster.patch(resources.Pods, {namespace: 'shop', name}, patch, {
      type: 'merge',
      fieldManager: 'kubectl-label',
    });
  await write({metadata: {labels: {note: 'one'}}});
  const page = await visit(`/s/demo/why/Workloads/${encodeURIComponent(key)}`);
  const sentence = page.getByRole('main').getByRole('status').filter({hasText: 'because'});
  await expect(sentence).toContainText('changed');
  const before = await sentence.textContent();
  // An annotation that the formula does not read runs it again, with an equal result.
  await write({metadata: {annotations: {seen: 'yes'}}});
  await expect(page.getByText(/\d+ equal runs? since/)).toBeVisible();
  await write({metadata: {labels: {note: 'two'}}});
  await expect(page.getByText(/The item has changed (once|\d+ times) since this run/)).toBeVisible();
  expect(await sentence.textContent()).toBe(before);
  await page.getByRole('button', {name: 'Show newest'}).click();
  await expect(sentence).toContainText('two');
});

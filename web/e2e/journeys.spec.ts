// Journeys A and B from the landing page to the answer, by mouse alone and by keys alone: no step that only an address,
// or the other hand, could take. origin.spec.ts and overview.spec.ts have A's short ways, one and two clicks.
import type {Locator, Page} from '@playwright/test';
import {expect, labelNamespace, resources, test} from './helpers/page-test.ts';

interface Items {
  items: {key: string}[];
}

/** A hand on the mouse: where it clicks is where the middle of a thing is, and it counts. */
function hand(page: Page) {
  let clicks = 0;
  return {
    async click(target: Locator): Promise<void> {
      await expect(target).toBeVisible();
      await target.scrollIntoViewIfNeeded();
      const box = (await target.boundingBox())!;
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      clicks += 1;
    },
    get clicks(): number {
      return clicks;
    },
  };
}

async function podOf(server: {json<T>(path: string): Promise<T>}, app: string): Promise<string> {
  const {items} = await server.json<Items>(`/api/v1/collections/Pods/items?q=-l%20app=${app}`);
  return items[0]!.key;
}

const sentenceOf = (page: Page, words: string) =>
  page.getByRole('main').getByRole('status').filter({hasText: words});

test('journey A by keys alone: from the search field to the write that took the service away', async ({
  visit,
  server,
  cluster,
}) => {
  const key = await podOf(server, 'search');
  const name = key.split('/')[1]!;
  const page = await visit('/');
  await expect(page.getByRole('combobox', {name: /Find an item/})).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', {name: /Find an item/})).toBeFocused();
  await cluster.patch(
    resources.Pods,
    {namespace: key.split('/')[0]!, name},
    {metadata: {labels: {app: 'serch'}}},
    {type: 'merge', fieldManager: 'kubectl-label'},
  );
  await page.keyboard.type(name);
  const workload = page.getByRole('option').filter({has: page.getByText('Workloads', {exact: true})});
  await expect(workload.first()).toBeVisible();
  while ((await workload.first().getAttribute('aria-selected')) !== 'true')
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/sheet\/Workloads\//);
  await expect(page.getByRole('gridcell', {selected: true}).first()).toBeVisible();
  // To the cell at its right, which is empty, and the question.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('o');
  await expect(sentenceOf(page, 'kubectl-label')).toContainText('changed label app');
  await expect(page.getByRole('region', {name: 'The write'})).toContainText('+metadata.labels.app: serch');
});

test('journey B by mouse alone: why it ran, its earlier runs, and why it did not react to something', async ({
  visit,
  server,
  cluster,
}) => {
  const value = await labelNamespace(cluster, 'shop');
  const key = await podOf(server, 'cart');
  const page = await visit('/');
  const mouse = hand(page);
  await mouse.click(page.getByRole('navigation').getByRole('button', {name: /^Sheet/}));
  const line = page.locator(`.line[data-key="${key}"]`).first();
  await mouse.click(line.getByText('Deployment/cart'));
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await mouse.click(inspector.getByRole('button', {name: /^Why it ran/}));
  // Three clicks from the landing page, two from the Sheet.
  expect(mouse.clicks).toBe(3);
  await expect(sentenceOf(page, 'because')).toContainText(value);
  await expect(page.getByRole('region', {name: 'Cause'})).toContainText('kubectl-label');
  const run = page.getByRole('toolbar', {name: 'Why'}).getByText(/^run #/);
  const newest = await run.textContent();
  await mouse.click(page.getByRole('button', {name: 'Previous run'}));
  await expect(run).not.toHaveText(newest!);
  await mouse.click(page.getByRole('region', {name: 'Runs of this item'}).getByRole('button').last());
  await expect(run).toHaveText(newest!);
  await mouse.click(page.getByRole('radio', {name: /^Why not/}));
  await mouse.click(page.getByRole('button', {name: /Expected to react to/}));
  // Nothing is typed: what is near is offered.
  const offered = page.getByRole('dialog', {name: 'Expected to react to'}).getByRole('button');
  const nearby = (await offered.first().textContent())!;
  await mouse.click(offered.first());
  await expect(page.getByRole('button', {name: /Expected to react to/})).toContainText(
    nearby.trim().split(/\s+/)[0]!,
  );
  await expect(page.getByRole('listitem').and(page.locator('[aria-current]'))).toBeVisible();
  await mouse.click(page.getByRole('button', {name: 'Close and go to the Sheet'}));
  await expect(page.locator('.line[data-key]').first()).toBeVisible();
});

test('journey B by keys alone: find the item, why it ran, an earlier run, why not', async ({
  visit,
  server,
  cluster,
}) => {
  const value = await labelNamespace(cluster, 'shop');
  const key = await podOf(server, 'orders');
  const page = await visit('/');
  await expect(page.getByRole('combobox', {name: /Find an item/})).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', {name: /Find an item/})).toBeFocused();
  await page.keyboard.type(key.split('/')[1]!);
  const workload = page.getByRole('option').filter({has: page.getByText('Workloads', {exact: true})});
  await expect(workload.first()).toBeVisible();
  while ((await workload.first().getAttribute('aria-selected')) !== 'true')
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('gridcell', {selected: true}).first()).toBeVisible();
  await page.keyboard.press('w');
  await expect(sentenceOf(page, 'because')).toContainText(value);
  const run = page.getByRole('toolbar', {name: 'Why'}).getByText(/^run #/);
  const newest = await run.textContent();
  await page.keyboard.press(',');
  await expect(run).not.toHaveText(newest!);
  await page.keyboard.press('.');
  await expect(run).toHaveText(newest!);
  await page.keyboard.press('Shift+W');
  await expect(page).toHaveURL(/\/why-not\/Workloads\//);
  const picker = page.getByRole('button', {name: /Expected to react to/});
  await expect(picker).toBeVisible();
  while (!(await picker.evaluate(one => one === document.activeElement))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('shop');
  const hit = page.getByRole('dialog', {name: 'Expected to react to'}).getByRole('button', {name: /shop/});
  await expect(hit.first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/expected=/);
  await expect(page.getByRole('listitem').and(page.locator('[aria-current]'))).toBeVisible();
});

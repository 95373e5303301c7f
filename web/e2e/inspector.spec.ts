// The Inspector: value with the changed line, inputs, outputs, runs, raw; stepping through an item's runs.
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  labelNamespace,
  readClipboard,
  resources,
  test,
} from './helpers/page-test.ts';

interface Items {
  items: {key: string}[];
}
const cart = '/api/v1/collections/Workloads/items?q=ns:shop%20-l%20app=cart';

test('the changed line says what it was; inputs name the filter and the fields read', async ({
  visit,
  cluster,
  server,
}) => {
  const before = await labelNamespace(cluster, 'shop');
  const after = await labelNamespace(cluster, 'shop');
  const key = (await server.json<Items>(cart)).items[0]!.key;
  const page = await visit(`/s/demo/sheet/Workloads/${encodeURIComponent(key)}`);
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  const value = inspector.getByRole('figure', {name: 'Value'});
  await expect(value).toContainText(`waypoint: ${after}`);
  await expect(value).toContainText(`was ${before}`);
  await expect(inspector).toContainText(/changed \d+ s ago/);
  await expect(inspector).toContainText('Namespaces');
  await page.keyboard.press('d');
  await expect(inspector.getByRole('figure', {name: 'Changed in the last run'})).toContainText(
    `waypoint: ${before}`,
  );
  await inspector.getByRole('tab', {name: 'Value'}).focus();
  await page.keyboard.press('ArrowRight');
  const inputs = inspector.getByRole('tabpanel', {name: /Inputs/});
  await expect(inputs.getByRole('button', {name: /^Pods /})).toBeVisible();
  await expect(inputs.getByRole('button', {name: /^Namespaces shop/})).toBeVisible();
  await expect(inputs).toContainText('key shop');
  await expect(inputs).toContainText('metadata.labels');
  await page.keyboard.press('ArrowRight');
  await expect(
    inspector
      .getByRole('tabpanel', {name: /Outputs/})
      .getByRole('button')
      .first(),
  ).toContainText('WorkloadServices');
  await page.keyboard.press('ArrowRight');
  await expect(inspector.getByRole('tabpanel', {name: /Runs/})).toContainText('Namespaces shop');
  await expect(page).toHaveURL(/tab=runs/);
  await expectAccessible(page);
});

test('after equal runs the sentence is titled by the run it explains, not by the last run', async ({
  visit,
  cluster,
  server,
}) => {
  const value = await labelNamespace(cluster, 'shop');
  const key = (await server.json<Items>(cart)).items[0]!.key;
  const [namespace, name] = key.split('/') as [string, string];
  for (const note of ['one', 'two']) {
    const patch = {metadata: {annotations: {'example.com/note': `${note}-${value}`}}};
    await cluster.patch(resources.Pods, {namespace, name}, patch, {type: 'merge'});
  }
  const page = await visit(`/s/demo/sheet/Workloads/${encodeURIComponent(key)}`);
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await expect(inspector).toContainText(/equal \d+ s ago/);
  const cause = inspector.getByRole('region', {name: 'Why it changed'});
  await expect(cause).toContainText('Namespaces');
  await expect(cause).toContainText(/\d+ equal runs? since/);
  await expect(inspector).not.toContainText('stayed equal');
});

test('a source: folded status, the kubectl command to copy, YAML by a key', async ({visit, server}) => {
  const {items} = await server.json<Items>('/api/v1/collections/Pods/items?q=ns:shop%20-l%20app=cart');
  const key = items[0]!.key;
  const page = await visit(`/s/demo/sheet/Pods/${encodeURIComponent(key)}`);
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await inspector.getByRole('button', {name: /status \d+ lines folded/}).click();
  await expect(inspector.getByRole('button', {name: /status \d+ lines shown/})).toBeVisible();
  await inspector.getByRole('tab', {name: 'Raw'}).click();
  await inspector.getByRole('button', {name: /Copy command: kubectl .* get pods/}).click();
  const name = key.split('/')[1]!;
  expect(await readClipboard(page)).toMatch(
    new RegExp(`^kubectl --kubeconfig \\S+ -n shop get pods ${name} -o yaml$`),
  );
  await page.keyboard.press('y');
  await expect(page.getByText('YAML copied')).toBeVisible();
  expect(await readClipboard(page)).toContain(`name: ${name}`);
});

test(', and . step through the runs of the item and take the whole page there', async ({
  visit,
  cluster,
  server,
}) => {
  const before = await labelNamespace(cluster, 'shop');
  const after = await labelNamespace(cluster, 'shop');
  const key = (await server.json<Items>(cart)).items[0]!.key;
  const page = await visit(`/s/demo/sheet/Workloads/${encodeURIComponent(key)}`);
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  const value = inspector.getByRole('figure', {name: 'Value'});
  await expect(value).toContainText(`waypoint: ${after}`);
  await page.keyboard.press(',');
  await expect(page.getByText('PAUSED')).toBeVisible();
  await expect(value).toContainText(`waypoint: ${before}`);
  await expect(page).toHaveURL(/run=[\d.]+.*t=\d+/);
  await page.keyboard.press('.');
  await expect(value).toContainText(`waypoint: ${after}`);
  await page.keyboard.press('Shift+End');
  await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
});

test('i opens and closes it; a collection shows what feeds it with its filters', async ({visit}) => {
  const page = await visit('/s/demo/graph/Workloads');
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await expect(inspector).toBeHidden();
  await page.keyboard.press('i');
  await expect(inspector).toContainText('derived, one to one');
  await expect(inspector.getByRole('region', {name: 'Reads from'})).toContainText('key = metadata.namespace');
  await expect(inspector.getByRole('region', {name: 'Read by'})).toContainText('WorkloadServices');
  await expectAccessible(page);
  await page.keyboard.press('i');
  await expect(inspector).toBeHidden();
});

test('closed from within, it gives the keyboard to the rows: arrows go on where one was', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads?ns=shop');
  await page
    .getByRole('gridcell', {name: /Deployment\/cart/})
    .first()
    .click();
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  for (const close of ['Escape', 'Enter']) {
    const place = new URL(page.url()).pathname;
    await inspector.getByRole('button', {name: 'Close Inspector'}).focus();
    await page.keyboard.press(close);
    await expect(inspector).toBeHidden();
    await expect(page.getByRole('grid')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page).not.toHaveURL(new RegExp(`${place}(\\?|$)`));
    await page.keyboard.press('i');
    await expect(inspector).toBeVisible();
  }
});

test('a key that is nowhere offers why not', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads/shop%2Fno-such-pod');
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await expect(inspector).toContainText('No shop/no-such-pod in Workloads');
  await inspector.getByRole('button', {name: /Why not/}).click();
  await expect(page).toHaveURL(/\/why-not\/Workloads\/shop%2Fno-such-pod/);
});

test('it stays with the Sheet and the Graph: other views have their whole width, and i leads back to it', async ({
  visit,
}) => {
  const page = await visit('/s/demo/sheet/Services/shop%2Fcatalog?i=1');
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await expect(inspector).toBeVisible();
  for (const [key, view] of [
    ['6', /\/controllers/],
    ['5', /\/lab/],
    ['1', /\/overview/],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(view);
    await expect(inspector).toHaveCount(0);
  }
  await page.keyboard.press('i');
  await expect(page).toHaveURL(/\/sheet\/Services\/shop%2Fcatalog/);
  await expect(inspector).toBeVisible();
});

test('a narrow window has it as a bottom sheet', async ({page, visit}) => {
  await page.setViewportSize({width: 1024, height: 768});
  await visit('/s/demo/sheet/Namespaces/shop');
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await expect(inspector).toBeVisible();
  const box = (await inspector.boundingBox())!;
  expect(box.y + box.height).toBeGreaterThan(700);
  expect(box.width).toBeGreaterThan(900);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test('a pinned item stays in sight in every view and in the link, with its newest state', async ({
  visit,
  cluster,
}) => {
  const page = await visit('/s/demo/sheet/Namespaces/shop');
  await page.getByRole('button', {name: 'Pin this item'}).click();
  const pins = page.getByRole('region', {name: 'Pinned items'});
  await expect(pins.getByRole('button', {name: /^Namespaces shop/})).toBeVisible();
  await page.keyboard.press('1');
  await labelNamespace(cluster, 'shop');
  await expect(pins).toContainText(/changed \d+ s/);
  await page.getByRole('button', {name: 'Copy link'}).click();
  await expect.poll(() => readClipboard(page)).toContain('pin=Namespaces%2Fshop');
  await expectAccessible(page);
  await pins.getByRole('button', {name: 'Unpin Namespaces shop'}).click();
  await expect(pins).toBeHidden();
  await expect(page).not.toHaveURL(/pin=/);
});

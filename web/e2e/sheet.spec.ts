// Journey A: browse derived collections. What a person does in the sheet, with the mouse and with the keyboard alone.
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  labelNamespace,
  readClipboard,
  resources,
  test,
} from './helpers/page-test.ts';

const shopSheet = '/s/demo/sheet/Workloads?ns=shop';

test('rows stand side by side across collections, with an exact count', async ({visit}) => {
  const page = await visit(shopSheet);
  const grid = page.getByRole('grid', {name: /Pods/});
  for (const name of [/^Pods/, /^Workloads/, /^WorkloadServices/])
    await expect(grid.getByRole('columnheader', {name}).first()).toBeVisible();
  await expect(page.getByText(/^\d+ of \d+ rows$/)).toBeVisible();
  // Not the first of them: the demo's story may have taken that one from its Deployment.
  await expect(
    grid
      .getByRole('row')
      .filter({hasText: /cart-.*Deployment\/cart/})
      .first(),
  ).toBeVisible();
});

test('a search opens the row in the sheet, and its chain with it', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  await page
    .getByRole('combobox', {name: /find an item/i})
    .first()
    .fill('catalog');
  const hit = page.getByRole('option', {name: /Workloads.*catalog/}).first();
  await expect(hit).toBeVisible();
  await hit.click();
  await expect(page).toHaveURL(/\/sheet\/Workloads\/shop%2Fcatalog/);
  await expect(page.getByRole('gridcell', {selected: true}).first()).toBeVisible();
});

test('filter: tokens in the URL, type-ahead, a slip explained, Esc clears', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads');
  const box = page.getByRole('combobox', {name: 'Filter rows'});
  await expect(page.getByText(/^\d+ of \d+ rows$/)).toBeVisible();
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await page.keyboard.type('ns:sh');
  await page.getByRole('option', {name: /ns:shop/}).click();
  await expect(page.getByRole('button', {name: 'Remove filter ns:shop'})).toBeVisible();
  await expect(page).toHaveURL(/q=ns%3Ashop/);
  await box.fill('-l app=cart');
  await box.press('Enter');
  await expect(page.getByText(/^3 of \d+ rows$/)).toBeVisible();
  await box.fill('chnged<30s');
  await expect(page.getByText('Did you mean changed?')).toBeVisible();
  await box.press('Escape');
  await box.press('Escape');
  await expect(page).not.toHaveURL(/q=/);
});

test('a filter that hides everything says so and offers the way back', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads?q=ns:nowhere');
  await expect(page.getByText('No rows match')).toBeVisible();
  await expect(page.getByText(/rows are hidden by the filter/)).toBeVisible();
  await page.getByRole('button', {name: 'Clear filter'}).click();
  await expect(page.getByText('No rows match')).toHaveCount(0);
});

test('the keyboard alone: into the grid, down, to dependents and back, a column, the link', async ({
  visit,
}) => {
  const page = await visit(shopSheet);
  const grid = page.getByRole('grid', {name: /Pods/});
  await expect(grid.getByRole('row').filter({hasText: /cart-/}).first()).toBeVisible();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/\/sheet\/Pods\/shop%2Fcart/);
  await page.keyboard.press('ArrowDown');
  const selected = page.getByRole('gridcell', {selected: true}).first();
  await expect(selected).toBeVisible();
  await expect(page.getByRole('region', {name: 'Also reads'})).toBeVisible();
  await page.keyboard.press(']');
  await expect(page).toHaveURL(/\/sheet\/Workloads\/shop%2Fcart/);
  await expect(page.getByRole('region', {name: 'Also reads'})).toContainText('Namespaces');
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/\/sheet\/Pods\/shop%2Fcart/);
  await page.keyboard.press(']');
  await page.keyboard.press('c');
  await page.keyboard.type('waypoint');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader', {name: 'waypoint'})).toBeVisible();
  await expect(page).toHaveURL(/cols=/);
  await page.keyboard.press('Shift+Y');
  await expect.poll(() => readClipboard(page)).toContain('/sheet/Workloads/shop%2Fcart');
});

test('a change lands in place, with its state as a word; the row does not move', async ({visit, cluster}) => {
  const page = await visit(`${shopSheet}&cols=Workloads:owner,waypoint`);
  const row = page.getByRole('row').filter({hasText: /cart-/}).first();
  await expect(row).toBeVisible();
  await expect(page.getByRole('columnheader', {name: 'waypoint'})).toBeVisible();
  const before = await row.boundingBox();
  const value = await labelNamespace(cluster, 'shop');
  await expect(row).toContainText(value);
  await expect(row).toContainText('changed');
  expect(await row.boundingBox()).toEqual(before);
});

test('new rows wait behind a pill', async ({visit, cluster}) => {
  const page = await visit('/s/demo/sheet/ConfigMaps?ns=shop');
  await expect(page.getByRole('grid', {name: /ConfigMaps/})).toBeVisible();
  const name = `aa-${Date.now()}`;
  await cluster.create(resources.ConfigMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {namespace: 'shop', name},
    data: {a: 'b'},
  });
  const pill = page.getByRole('button', {name: /1 new/});
  await expect(pill).toBeVisible();
  await expect(page.getByRole('gridcell', {name})).toHaveCount(0);
  await pill.click();
  await expect(page.getByRole('gridcell', {name})).toBeVisible();
});

test('an empty cell says so; its why? walks back to the write, Shift+W gives the verdicts', async ({
  visit,
}) => {
  const page = await visit(`${shopSheet}&q=catalog`);
  const why = page.getByRole('button', {name: 'why is this empty?'}).first();
  await why.click();
  await expect(page).toHaveURL(/\/origin\/WorkloadServices\//);
  await expect(page.getByRole('region', {name: 'The write'})).toBeVisible();
  await page.keyboard.press('Shift+W');
  await expect(page).toHaveURL(/\/why-not\/WorkloadServices\//);
  await expect(page.getByText(/Verdict \d+ of \d+/i)).toBeVisible();
});

test('a past moment is shown as it was, and Shift+End leads back', async ({visit, cluster, server}) => {
  const {sequence} = await server.json<{sequence: number}>('/api/v1/graph');
  const value = await labelNamespace(cluster, 'shop');
  const page = await visit(`${shopSheet}&cols=Workloads:waypoint&t=${sequence}`);
  const row = page.getByRole('row').filter({hasText: /cart-/}).first();
  await expect(row).toBeVisible();
  await expect(page.getByText('PAUSED')).toBeVisible();
  await expect(row).not.toContainText(value);
  await page.keyboard.press('Shift+End');
  await expect(row).toContainText(value);
});

test('a narrow window keeps the frozen key, one line a row, and counts what a row has more of', async ({
  visit,
  page,
}) => {
  await page.setViewportSize({width: 1024, height: 768});
  await visit(shopSheet);
  await expect(page.getByRole('gridcell', {name: /cart-/}).first()).toBeVisible();
  await expect(page.getByRole('columnheader', {name: 'podIP'})).toHaveCount(0);
  const checkout = page
    .getByRole('row')
    .filter({hasText: /checkout-/})
    .first();
  await expect(checkout).toContainText('+1');
  await expect(page.getByRole('rowheader', {name: 'more of the row above'})).toHaveCount(0);
  await expectNoSidewaysScroll(page);
});

test('columns fit the window: nothing repeats another column, children of one row are told apart', async ({
  visit,
}) => {
  const page = await visit(shopSheet);
  const row = page
    .getByRole('row')
    // Not the first of them: another test's story may have taken that one from its Deployment.
    .filter({hasText: /checkout-.*Deployment\/checkout/})
    .first();
  await expect(row).toBeVisible();
  await expect(page.getByRole('columnheader', {name: 'Endpoints'})).toBeVisible();
  await expect(page.getByRole('columnheader', {name: 'port', exact: true})).toBeVisible();
  await expect(page.getByRole('columnheader', {name: 'ip', exact: true})).toHaveCount(1);
  await expect(page.getByRole('rowheader', {name: 'more of the row above'}).first()).toBeVisible();
});

test('the chooser ticks what is drawn, and a tick more shows that column alone', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Pods');
  const heads = () =>
    page.locator('.head-field').evaluateAll(all => all.map(one => one.getAttribute('title')));
  await expect(page.locator('.line[data-key]').first()).toBeVisible();
  const before = (await heads()).length;
  // No room is left unused: the drawn columns end near the edge, or every field is there.
  await page.getByRole('button', {name: 'Columns'}).click();
  const fields = page.getByRole('group', {name: 'Fields'});
  const ticked = await fields.getByRole('checkbox', {checked: true}).count();
  expect(ticked).toBeGreaterThan(0);
  expect(ticked).toBeLessThanOrEqual(before);
  const other = fields
    .locator('label')
    .filter({hasText: 'Workloads'})
    .filter({has: page.locator('input:not(:checked)')})
    .first();
  const path = (await other.locator('code').textContent())!;
  await other.click();
  await expect.poll(heads).toContain(path);
  expect((await heads()).length).toBeLessThanOrEqual(before + 1);
});

test('a derived column says why it does not sort; a committed filter closes its list', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Pods');
  await page.getByRole('columnheader', {name: 'owner'}).getByRole('button').click();
  await expect(page.getByText('rows follow Pods: sort by one of its columns')).toBeVisible();
  const box = page.getByRole('combobox', {name: 'Filter rows'});
  await box.fill('ns:shop');
  await box.press('Enter');
  await expect(page.getByRole('listbox', {name: 'Filter terms'})).toBeHidden();
  await page.locator('.line[data-key] .cell').first().click();
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/\/why\/.*q=ns%3Ashop/);
});

test('a row carries the problem that was found about its item', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Services?ns=shop');
  await expect(
    page
      .getByRole('row')
      .filter({hasText: 'recommendations'})
      .getByText(/Service \S+ selects no Pod/),
  ).toBeAttached();
});

for (const scheme of ['dark', 'light'] as const) {
  test(`axe finds nothing serious in the sheet, ${scheme}`, async ({visit, page}) => {
    test.slow();
    await page.emulateMedia({colorScheme: scheme});
    await visit('/s/demo/sheet/Workloads?ns=shop');
    await page.getByRole('gridcell', {name: /cart-/}).first().click();
    await expectAccessible(page);
  });
}

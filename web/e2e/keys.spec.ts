// Keys work at once in every view, without Tab and without a click.
import {expect, test} from './helpers/page-test.ts';

test('the Overview takes keys from the start: a number opens a view, ? the shortcuts', async ({visit}) => {
  const page = await visit('/');
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('19 synced');
  await expect(page.getByRole('combobox', {name: /Find an item/})).not.toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', {name: 'Shortcuts and glossary'})).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('2');
  await expect(page).toHaveURL(/\/sheet/);
  await expect(page.getByRole('combobox', {name: /Find an item/})).toHaveValue('');
});

test('in a Sheet opened by a link the arrows and j, k move at once, and Enter opens', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Pods');
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  const selected = page
    .getByRole('row', {selected: true})
    .or(page.locator('[role=gridcell][aria-selected=true]'));
  await expect(selected.first()).toBeVisible();
  const first = new URL(page.url()).pathname;
  await page.keyboard.press('j');
  await expect.poll(() => new URL(page.url()).pathname).not.toBe(first);
  await page.keyboard.press('k');
  await expect.poll(() => new URL(page.url()).pathname).toBe(first);
});

test('the graph and its list take the arrows at once', async ({visit}) => {
  const page = await visit('/s/demo/graph/Workloads');
  const canvas = page.getByRole('region', {name: 'Graph'});
  await expect(canvas.getByRole('button', {name: /^Workloads,/})).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(canvas.getByRole('button', {name: /^Pods,/})).toBeFocused();
  await page.keyboard.press('Escape');
  await page.goto(page.url().replace(/graph\/Workloads.*/, 'graph?list=1'));
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('treeitem').nth(1)).toBeFocused();
});

test('Esc leaves Why for the view one came from', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Namespaces/shop');
  await expect(page.getByRole('complementary', {name: 'Inspector'})).toBeVisible();
  for (const [key, view] of [
    ['w', 'why'],
    ['o', 'origin'],
    ['Shift+W', 'why-not'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`/${view}/Namespaces/shop`));
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/sheet\/Namespaces\/shop/);
  }
});

test('the shortcuts name arrows and Enter, and every key of a view has words', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Pods');
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', {name: 'Shortcuts and glossary'});
  const moves = ['next row', 'previous row', 'next column', 'previous column', 'open'];
  const far = ['next page', 'previous page', 'first column', 'last column', 'first row', 'last row'];
  for (const words of [...moves, ...far]) {
    await expect(sheet.getByText(words, {exact: true})).toBeVisible();
  }
  const timeline = sheet.locator('section').filter({hasText: 'Timeline, while it has the focus'});
  for (const words of ['zoom in', 'zoom out', 'earlier', 'later', '20 events back', 'oldest moment']) {
    await expect(timeline.getByText(words, {exact: true})).toBeVisible();
  }
});

test('the palette says that it is searching until the answer is there', async ({page, visit}) => {
  let hold = Promise.resolve();
  let release = () => {};
  await page.routeWebSocket(/\/api\/v1\/stream/, socket => {
    const server = socket.connectToServer();
    server.onMessage(message => void hold.then(() => socket.send(message)));
  });
  await visit('/s/demo/sheet/Pods');
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  await page.keyboard.press('Control+k');
  hold = new Promise(resolve => {
    release = resolve;
  });
  await page.keyboard.type('zzz-cart-6');
  const palette = page.getByRole('dialog', {name: 'Commands'});
  await expect(palette).toContainText('Searching…');
  await expect(palette).not.toContainText('No matches');
  release();
  await expect(palette).toContainText('No matches');
});

// Journey B: why did (or didn't) this recompute? The sentence, its evidence, runs, and the nine verdicts.
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

test('w on a row: the sentence names the cause, the chain ends at the write and its manager', async ({
  visit,
  cluster,
  server,
}) => {
  const value = await labelNamespace(cluster, 'shop');
  const key = (await server.json<Items>(cart)).items[0]!.key;
  const page = await visit(`/s/demo/sheet/Workloads/${encodeURIComponent(key)}?ns=shop`);
  await expect(page.getByRole('gridcell', {selected: true}).first()).toBeVisible();
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/\/why\/Workloads\//);
  const sentence = page.getByRole('main').getByRole('status').filter({hasText: 'because'});
  await expect(sentence).toContainText(
    / changed because Namespace ?shop (changed|got) label istio.io\/use-waypoint/,
  );
  await expect(sentence).toContainText(value);
  const cause = page.getByRole('region', {name: 'Cause'});
  await expect(cause).toContainText('Fetch');
  await expect(cause).toContainText('key shop');
  await expect(cause).toContainText('old match');
  await expect(cause).toContainText('read by this formula');
  await expect(cause).toContainText('Root writePATCH /api/v1/namespaces/shop');
  await expect(cause).toContainText('kubectl-label');
  const effect = page.getByRole('region', {name: 'Effect'});
  await expect(effect).toContainText('WorkloadServices');
  await expect(effect.getByRole('region', {name: 'Waterfall'})).toBeVisible();
  await expect(effect.getByRole('region', {name: /Impact of this write/})).toContainText(
    /\d+ runs, \d+ changed/,
  );
  await expect(page.getByRole('complementary', {name: 'Sheet'}).getByRole('grid')).toBeVisible();
});

test('keys: hops, runs, compare, play, Markdown and link', async ({visit, cluster, server}) => {
  await labelNamespace(cluster, 'shop');
  await labelNamespace(cluster, 'shop');
  const key = (await server.json<Items>(cart)).items[0]!.key;
  const page = await visit(`/s/demo/why/Workloads/${encodeURIComponent(key)}?ns=shop`);
  const cause = page.getByRole('region', {name: 'Cause'});
  await expect(cause).toContainText('Root write');
  // On a busy machine what is shown may be a moment ahead of the keys that act on it.
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    await expect(page).toHaveURL(/hop=1/, {timeout: 2000});
  }).toPass();
  await page.keyboard.press('ArrowLeft');
  await expect(cause).toContainText('1 path');
  await page.keyboard.press('ArrowRight');
  await expect(cause).toContainText('read by this formula');
  const newest = await page
    .getByRole('toolbar', {name: 'Why'})
    .getByText(/^run #/)
    .textContent();
  await page.keyboard.press('x');
  await expect(page).toHaveURL(/[?&]x=/);
  await page.keyboard.press(',');
  await expect(page).toHaveURL(/run=/);
  await expect(page.getByRole('toolbar', {name: 'Why'}).getByText(/^run #/)).not.toHaveText(newest ?? '');
  await expect(
    page.getByRole('region', {name: 'Two runs compared'}).getByRole('row').filter({hasText: 'outcome'}),
  ).toBeVisible();
  await page.keyboard.press('x');
  await expect(page.getByRole('region', {name: 'Two runs compared'})).toHaveCount(0);
  await page.keyboard.press('.');
  await page.keyboard.press('Shift+M');
  await expect.poll(() => readClipboard(page)).toMatch(/### Why Workloads `shop\/cart.*\n\n.*because/);
  await page.keyboard.press('Shift+Y');
  await expect.poll(() => readClipboard(page)).toMatch(/\/why\/Workloads\/shop%2Fcart.*t=\d+/);
  expect(await readClipboard(page)).not.toContain('token');
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', {name: 'Stop'})).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', {name: 'Play wave'})).toBeVisible();
});

test('a copied link shows the same run tomorrow: at its moment, not at the newest', async ({
  visit,
  cluster,
  server,
}) => {
  await labelNamespace(cluster, 'shop');
  const key = (await server.json<Items>(cart)).items[0]!.key;
  const page = await visit(`/s/demo/why/Workloads/${encodeURIComponent(key)}`);
  await expect(page.getByRole('region', {name: 'Cause'})).toContainText('Root write');
  const before = await page
    .getByRole('toolbar', {name: 'Why'})
    .getByText(/^run #/)
    .textContent();
  await page.keyboard.press('Shift+Y');
  await expect.poll(() => readClipboard(page)).toContain('http');
  const link = new URL(await readClipboard(page));
  await labelNamespace(cluster, 'shop');
  await page.goto(link.href);
  await expect(page.getByRole('toolbar', {name: 'Why'}).getByText(/^run #/)).toHaveText(before ?? '');
});

test('why not: the expected object is picked, the failing clause named, a command offered', async ({
  visit,
  server,
}) => {
  const pods = await server.json<Items>('/api/v1/collections/Pods/items?q=-l%20app=catlog');
  const pod = pods.items[0]!.key;
  const page = await visit('/s/demo/why-not/ServiceInfos/shop%2Fcatalog?ns=shop');
  await page.getByRole('button', {name: /Expected to react to/}).click();
  await page.getByRole('textbox', {name: 'Find the object that changed'}).fill(pod.split('/')[1]!);
  await page.getByRole('button', {name: new RegExp(`Pods ?${pod}`)}).click();
  await expect(page.getByRole('list', {name: 'Verdicts'}).getByRole('listitem')).toHaveCount(9);
  await expect(page.getByRole('listitem').and(page.locator('[aria-current]'))).toContainText(
    'It looked elsewhere',
  );
  const row = page.getByRole('row').filter({hasText: 'labels.app'});
  await expect(row).toContainText('catlog');
  await expect(row).toContainText('no match');
  await expect(page.getByRole('region', {name: 'Nearest match'})).toContainText('1 edit apart');
  await expect(page.getByRole('button', {name: /Copy command: kubectl .*label/})).toBeVisible();
  await expect(page.getByRole('region', {name: 'Recorded dependencies'})).toContainText('Pods');
  await expect(page.getByRole('region', {name: 'Collections that reacted'})).toBeVisible();
  await page
    .getByRole('button', {name: /Show run/})
    .first()
    .click();
  await expect(page).toHaveURL(/\/why\/ServiceInfos\/shop%2Fcatalog/);
});

test('the keyboard alone: from an empty cell to the reason, and to Why and back', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads?ns=shop&q=recommendations');
  const grid = page.getByRole('grid', {name: /Pods/});
  await expect(grid.getByText('empty').first()).toBeVisible();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  for (let step = 0; step < 12 && !/WorkloadServices/.test(page.url()); step++) {
    await page.keyboard.press('ArrowRight');
    // The address follows with the next picture: read at once, it would be that of the cell before.
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 50))));
  }
  await expect(page).toHaveURL(/\/sheet\/WorkloadServices\//);
  await page.keyboard.press('Shift+W');
  await expect(page).toHaveURL(/\/why-not\/WorkloadServices\//);
  await expect(page.getByText(/Verdict \d of 9/i)).toBeVisible();
  await expect(
    page.getByRole('main').getByRole('status').filter({hasText: 'returned nothing'}),
  ).toBeVisible();
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/\/why\/WorkloadServices\//);
  await expect(page.getByRole('region', {name: 'Cause'})).toBeVisible();
});

test('an item that is gone answers from the recording', async ({visit, cluster, server}) => {
  const name = `gone-${Date.now()}`;
  await cluster.create(resources.ConfigMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {namespace: 'shop', name},
  });
  await expect
    .poll(async () => (await server.get(`/api/v1/collections/ConfigMaps/items/shop%2F${name}`)).status)
    .toBe(200);
  await cluster.delete(resources.ConfigMaps, {namespace: 'shop', name});
  const page = await visit(`/s/demo/why/ConfigMaps/shop%2F${name}`);
  await expect(page.getByRole('main').getByRole('status').filter({hasText: 'deleted'})).toBeVisible();
});

test('play goes on in the graph and marks its turn in the Timeline', async ({visit, cluster, server}) => {
  await labelNamespace(cluster, 'shop');
  const key = (await server.json<Items>(cart)).items[0]!.key;
  const page = await visit(`/s/demo/why/Workloads/${encodeURIComponent(key)}`);
  await expect(page.getByRole('region', {name: 'Cause'})).toContainText('Root write');
  await page.keyboard.press('3');
  await expect(
    page.getByRole('region', {name: 'Graph'}).getByRole('button', {name: /^Workloads,/}),
  ).toBeVisible();
  await page.keyboard.press('4');
  await expect(page.getByRole('region', {name: 'Cause'})).toContainText('Root write');
  await page.keyboard.press('Space');
  await expect(page.getByText(/The wave of #\d+ is played/)).toBeAttached();
  await page.keyboard.press('3');
  await expect(page.locator('.node-playing')).toHaveCount(1);
  await expect(page.locator('.node-playing')).toHaveCount(0, {timeout: 20_000});
});

test('without a selection Why says what to do', async ({visit}) => {
  const page = await visit('/s/demo/why');
  await expect(page.getByText('No item selected')).toBeVisible();
  await page.getByRole('button', {name: /Open the Sheet/}).click();
  await expect(page).toHaveURL(/\/sheet/);
});

test('a narrow window gives Why the whole width', async ({visit, server, page}) => {
  await page.setViewportSize({width: 1024, height: 768});
  const key = (await server.json<Items>(cart)).items[0]!.key;
  await visit(`/s/demo/why/Workloads/${encodeURIComponent(key)}`);
  await expect(page.getByRole('region', {name: 'Cause'})).toBeVisible();
  await expect(page.getByRole('complementary', {name: 'Sheet'})).toHaveCount(0);
  await expectNoSidewaysScroll(page);
});

for (const scheme of ['dark', 'light'] as const) {
  test(`axe finds nothing serious in Why and Why not, ${scheme}`, async ({visit, page, server}) => {
    test.slow();
    await page.emulateMedia({colorScheme: scheme});
    const key = (await server.json<Items>(cart)).items[0]!.key;
    await visit(`/s/demo/why/Workloads/${encodeURIComponent(key)}?ns=shop`);
    await expect(page.getByRole('region', {name: 'Cause'})).toBeVisible();
    await expectAccessible(page);
    const pods = await server.json<Items>('/api/v1/collections/Pods/items?q=-l%20app=catlog');
    const expected = `Pods/${encodeURIComponent(pods.items[0]!.key)}`;
    await visit(`/s/demo/why-not/ServiceInfos/shop%2Fcatalog?expected=${encodeURIComponent(expected)}`);
    await expect(page.getByRole('region', {name: /Filter, clause by clause/})).toBeVisible();
    await expectAccessible(page);
  });
}

test('the nine verdicts are readable in full at 1440', async ({visit, page}) => {
  await page.setViewportSize({width: 1440, height: 900});
  await visit('/s/demo/why-not/ServiceInfos/shop%2Frecommendations');
  const verdicts = page.getByRole('list', {name: 'Verdicts'});
  await expect(verdicts.getByRole('listitem')).toHaveCount(9);
  const cut = await verdicts
    .locator('span')
    .evaluateAll(
      all => all.filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).length,
    );
  expect(cut).toBe(0);
});

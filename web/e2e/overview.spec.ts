// The landing page: is anything wrong, what is busy, what was written, and one box that finds everything.

import {findLayoutProblems} from './helpers/layout-problems.ts';
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
  items: {key: string; value: {ip?: string}}[];
}

test('/ lands on the Overview with every collection synced; the search box waits for / or a click', async ({
  visit,
}) => {
  const page = await visit('/');
  await expect(page).toHaveURL(/\/s\/demo\/overview$/);
  await expect(page.getByRole('combobox', {name: /Find an item/})).not.toBeFocused();
  const sync = page.getByRole('region', {name: 'Sync'});
  await expect(sync).toContainText('19 collections');
  await expect(sync).toContainText('19 synced');
  await expect(sync.getByRole('button', {name: /^Pods, synced, \d+ items$/})).toBeVisible();
  await expect(page.getByRole('region', {name: 'Lag'})).toContainText(/p50.*p99/);
  await expect(page.getByRole('region', {name: 'Busiest collections'}).getByRole('row')).not.toHaveCount(1);
  await expect(page.getByRole('region', {name: 'Checks'})).toContainText('Deterministic');
  await expect(page.getByText(/read-only/)).toBeVisible();
});

test('journey A by keys alone: type, Enter, and the row is selected in the Sheet', async ({visit}) => {
  const page = await visit('/');
  const box = page.getByRole('combobox', {name: /Find an item/});
  await expect(box).toBeVisible();
  await page.keyboard.press('/');
  await expect(box).toBeFocused();
  await page.keyboard.type('checkout');
  const found = page.getByRole('listbox', {name: 'Matches'});
  await expect(found.getByRole('group', {name: 'Sources'}).getByRole('option').first()).toBeVisible();
  await expect(found.getByRole('group', {name: 'Derived'}).getByRole('option').first()).toBeVisible();
  const workload = found
    .getByRole('option')
    .filter({has: page.getByText('Workloads', {exact: true})})
    .first();
  const name = (await workload.textContent())!;
  while (!(await workload.getAttribute('aria-selected').then(value => value === 'true'))) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/s\/demo\/sheet\/Workloads\/shop%2Fcheckout-/);
  const key = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1)!);
  expect(name).toContain(key);
  await expect(page.getByRole('complementary', {name: 'Inspector'})).toContainText(key.split('/')[1]!);
});

test('an IP pasted into the box is found in every collection that holds it', async ({visit, server}) => {
  const {items} = await server.json<Items>('/api/v1/collections/Workloads/items?limit=1');
  const page = await visit('/');
  await page.getByRole('combobox', {name: /Find an item/}).fill(items[0]!.value.ip!);
  const found = page.getByRole('listbox', {name: 'Matches'});
  await expect(found.getByRole('option').filter({hasText: 'Pods'}).first()).toBeVisible();
  await expect(found.getByRole('option').filter({hasText: 'Workloads'}).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(found).toBeHidden();
});

test('a text that is nowhere says so', async ({visit}) => {
  const page = await visit('/');
  await page.getByRole('combobox', {name: /Find an item/}).fill('no-such-thing-anywhere');
  await expect(page.getByRole('listbox', {name: 'Matches'})).toContainText(
    'No matches for “no-such-thing-anywhere”',
  );
});

test('incidents by keys: arrows choose, Enter walks back to the write; the story is copied whole', async ({
  visit,
}) => {
  const page = await visit('/');
  const incidents = page.getByRole('region', {name: 'Incidents'});
  const nothing = incidents.getByRole('button', {name: /Service shop\/recommendations selects no Pod/});
  await expect(nothing).toBeVisible();
  await page.keyboard.press('Escape');
  for (let step = 0; step < 8; step++) {
    if ((await nothing.getAttribute('aria-current')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await expect(nothing).toHaveAttribute('aria-current', 'true');
  const incident = page.getByRole('region', {name: 'Incident', exact: true});
  await expect(incident).toContainText('Services');
  await expect(page).toHaveURL(/incident=/);
  await page.keyboard.press('m');
  await expect.poll(() => readClipboard(page)).toMatch(/^## Service \S+ selects no Pod\n\n/);
  expect(await readClipboard(page)).toMatch(
    /### Symptoms \(\d+\)[\s\S]*selects-nothing[\s\S]*open in krtscope/,
  );
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/origin\/ServiceInfos\/shop%2Frecommendations/);
  await expect(page.getByRole('region', {name: 'Steps'})).toBeVisible();
});

test('journey A by mouse from the Overview: the incident of a relabelled Pod, and the write', async ({
  visit,
  cluster,
  server,
}) => {
  const {items} = await server.json<Items>('/api/v1/collections/Pods/items?q=ns:shop%20-l%20app=inventory');
  const name = items[0]!.key.split('/')[1]!;
  const label = (app: string) =>
    cluster.patch(
      resources.Pods,
      {namespace: 'shop', name},
      {metadata: {labels: {app}}},
      {type: 'merge', fieldManager: 'kubectl-label'},
    );
  const page = await visit('/');
  const incidents = page.getByRole('region', {name: 'Incidents'});
  await expect(incidents.getByRole('button').first()).toBeVisible();
  const order = () => incidents.locator('.incident b').allTextContents();
  const before = await order();
  await label('inventry');
  const mine = incidents.getByRole('button', {
    name: new RegExp(`shop/${name}`),
  });
  await expect(mine).toBeVisible({timeout: 30_000});
  expect((await order()).slice(0, before.length)).toEqual(before);
  await mine.click();
  await page.getByRole('button', {name: /^Why this value/}).click();
  await expect(page.getByRole('region', {name: 'The write'})).toContainText('+metadata.labels.app: inventry');
  await expect(page.getByRole('region', {name: 'The write'})).toContainText('kubectl-label');
  await label('inventory');
  // The Pod is there and well: what is gone is what was wrong with it, and that may come back.
  await page.getByRole('button', {name: /^Overview/}).click();
  await mine.click();
  await expect(page.getByRole('region', {name: 'Incident', exact: true})).toContainText('recovered');
});

test('a write shows with its manager and what it ran; a click asks why at that moment', async ({
  visit,
  cluster,
}) => {
  const page = await visit('/');
  await expect(page.getByRole('region', {name: 'Sync'})).toContainText('synced');
  await labelNamespace(cluster, 'web');
  const write = page.getByRole('region', {name: 'Root writes'}).getByRole('button').first();
  await expect(write).toContainText(/Namespaces\s*web.*kubectl-label\s*\d+/);
  await write.click();
  await expect(page).toHaveURL(/\/why\/Namespaces\/web\?.*t=\d+/);
  await expect(page.getByText('PAUSED')).toBeVisible();
  await page.keyboard.press('Shift+End');
  await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
});

test('the order of the busiest is in the address', async ({visit}) => {
  const page = await visit('/');
  const order = page.getByRole('radiogroup', {name: 'Order'});
  await order.getByRole('radio', {name: 'Runs'}).focus();
  await page.keyboard.press('ArrowRight');
  await expect(order.getByRole('radio', {name: 'Time'})).toBeChecked();
  await expect(page).toHaveURL(/busy=time/);
  await page.reload();
  await expect(order.getByRole('radio', {name: 'Time'})).toBeChecked();
});

test('a kind that is not permitted has a lock, the chain that waits for it, and the command', async ({
  page,
  visit,
}) => {
  await page.routeWebSocket(/\/api\/v1\/stream/, socket => {
    const server = socket.connectToServer();
    server.onMessage(text => {
      const message = JSON.parse(String(text));
      for (const update of message.updates ?? []) {
        const nodes = (update.snapshot ?? update.delta)?.collections ?? [];
        for (const node of update.topic === 'graph' ? nodes : []) {
          if (node.name === 'Pods') {
            Object.assign(node, {synced: false, state: 'forbidden', hint: 'kubectl auth can-i list pods'});
          }
          if (node.name === 'Workloads') Object.assign(node, {synced: false, waitingFor: 'Pods'});
          if (node.name === 'NetworkPolicies') Object.assign(node, {state: 'not installed'});
        }
      }
      socket.send(JSON.stringify(message));
    });
  });
  await visit('/');
  const sync = page.getByRole('region', {name: 'Sync'});
  await expect(sync).toContainText('1 not permitted');
  await expect(sync).toContainText('waits for');
  await expect(sync).toContainText('403 forbidden');
  await expect(sync.getByRole('button', {name: 'Copy command: kubectl auth can-i list pods'})).toBeVisible();
  await expect(sync.getByRole('button', {name: 'NetworkPolicies, not installed'})).toBeVisible();
});

for (const theme of ['dark', 'light', 'hc'] as const) {
  test(`axe finds nothing serious on the Overview, ${theme}`, async ({page, visit}) => {
    await page.addInitScript(
      chosen => localStorage.setItem('krtscope', JSON.stringify({toured: true, theme: chosen})),
      theme,
    );
    await visit('/');
    await expect(page.getByRole('region', {name: 'Incidents'}).getByRole('button').first()).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expectAccessible(page);
  });
}

test('a narrow window keeps everything in one column', async ({page, visit}) => {
  await page.setViewportSize({width: 820, height: 900});
  await visit('/');
  await expect(page.getByRole('region', {name: 'Incidents'})).toBeVisible();
  await expect(page.getByRole('button', {name: 'Open the Timeline'})).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test('a collection of a long name leaves the others their place: the busiest their columns, the log its keys and filters', async ({
  visit,
  server,
}) => {
  const name = 'VeryLongNameOfAFormulaThatSomebodyWroteWithoutThinkingAboutUs12';
  const body = JSON.stringify({name, kind: 'one', input: 'Pods', code: '(ctx, pod) => pod.metadata.name'});
  const headers = {'content-type': 'application/json'};
  expect((await server.get('/api/v1/formulas', {method: 'POST', headers, body})).ok).toBe(true);
  try {
    const page = await visit('/s/demo/overview');
    const busiest = page.getByRole('region', {name: 'Busiest collections'});
    await expect(busiest.getByRole('button', {name})).toBeVisible();
    for (const width of [1440, 1110, 820]) {
      await page.setViewportSize({width, height: 900});
      const panel = (await busiest.boundingBox())!;
      const last = (await busiest.getByRole('columnheader').filter({visible: true}).last().boundingBox())!;
      expect(last.x + last.width, `${width} wide`).toBeLessThanOrEqual(panel.x + panel.width);
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    const log = page.getByRole('region', {name: /runs/i}).filter({has: page.getByRole('combobox')});
    await log.getByRole('combobox').first().selectOption(name);
    await expect(log.getByText(name).nth(1)).toBeVisible();
    const cut = async () =>
      (await findLayoutProblems(page)).filter(({words}) => words.includes(name.slice(0, 20)));
    await expect.poll(cut).toEqual([]);
    const pickers = await Promise.all((await log.getByRole('combobox').all()).map(one => one.boundingBox()));
    expect(pickers.map(box => box!.width < 240)).toEqual(pickers.map(() => true));
  } finally {
    await server.get(`/api/v1/formulas/${name}`, {method: 'DELETE'});
  }
});

// The graph: kinds, filters on wires, hops, walking with arrow keys, the list, the item level, waves, export.
import {replaceGraph, wideGraph} from '../bench/wide-graph.ts';
import {calm, clipboard, expect, labelNamespace, test} from './journey.ts';

const workloads = '/s/demo/graph/Workloads';

test('two hops around the selection, with the real filter on the wire and an honest count', async ({
  visit,
}) => {
  const page = await visit(workloads);
  const canvas = page.getByRole('region', {name: 'Graph'});
  await expect(
    canvas.getByRole('button', {name: /^Workloads, \d+ items, \d+ inputs, \d+ outputs/}),
  ).toBeVisible();
  await expect(canvas.getByText('key = namespace')).toBeVisible();
  await expect(page.getByText(/drawn \d+ of 19/)).toBeVisible();
  const drawn = async () =>
    Number(/drawn (\d+)/.exec((await page.getByText(/drawn \d+ of/).textContent()) ?? '')?.[1]);
  const two = await drawn();
  await page.getByRole('spinbutton', {name: 'Hops down'}).fill('0');
  await expect(page).toHaveURL(/hops=2%2C0/);
  await expect.poll(drawn).toBeLessThan(two);
});

test('arrow keys walk along the edges, Enter selects', async ({visit}) => {
  const page = await visit(workloads);
  const node = (name: RegExp) => page.getByRole('region', {name: 'Graph'}).getByRole('button', {name});
  await node(/^Workloads,/).focus();
  await page.keyboard.press('ArrowRight');
  await expect(node(/^WorkloadServices,/)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(node(/^Workloads,/)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(node(/^Pods,/)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/graph\/Pods/);
});

test('the list has the same content and the same selection, by keyboard', async ({visit}) => {
  const page = await visit(workloads);
  await expect(
    page.getByRole('region', {name: 'Graph'}).getByRole('button', {name: /^Workloads,/}),
  ).toBeVisible();
  await page.keyboard.press('Shift+L');
  const tree = page.getByRole('tree', {name: /Collections/});
  await expect(tree.getByRole('treeitem', {selected: true})).toContainText('Workloads');
  await expect(tree.getByRole('treeitem').filter({hasText: 'Namespaces'}).first()).toContainText(
    'fetch key = metadata.namespace',
  );
  await tree.getByRole('treeitem', {selected: true}).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/\/graph\/Workloads/);
  await page.keyboard.press('Shift+L');
  await expect(page.getByRole('region', {name: 'Graph'})).toBeVisible();
});

test('live changes tell the wave and move no node', async ({visit, cluster}) => {
  const page = await visit(workloads);
  const nodes = page.getByRole('region', {name: 'Graph'}).getByRole('button', {name: / items?, /});
  await expect(nodes.first()).toBeVisible();
  const places = () => nodes.evaluateAll(all => all.map(one => JSON.stringify(one.getBoundingClientRect())));
  const before = await places();
  await labelNamespace(cluster, 'shop');
  const card = page.getByRole('region', {name: /Wave at/});
  await expect(card).toContainText(/Namespaces shop write ran \d+ Workloads/);
  await expect(card).toContainText(/came out equal/);
  await expect(page.getByText(/equal, stopped/).first()).toBeVisible();
  expect(await places()).toEqual(before);
  await card.getByRole('button', {name: /Replay/}).click();
});

test('find marks, hide removes and is counted, an unknown word is explained', async ({visit}) => {
  const page = await visit('/s/demo/graph');
  await expect(page.getByText('drawn 19 of 19')).toBeVisible();
  const hide = page.getByRole('textbox', {name: 'Hide'});
  await hide.fill('kind:source');
  await hide.press('Enter');
  await expect(page.getByText(/10 not drawn: hidden by filter/)).toBeVisible();
  await expect(page).toHaveURL(/hide=kind%3Asource/);
  const find = page.getByRole('textbox', {name: 'Find'});
  await find.fill('hat>5');
  await find.press('Enter');
  await expect(find).toHaveAttribute('aria-invalid', 'true');
});

test('g switches between collections and the item, in place', async ({visit, server}) => {
  const {items} = await server.json<{items: {key: string}[]}>(
    '/api/v1/collections/Workloads/items?q=ns:shop%20-l%20app=cart',
  );
  const key = items[0]!.key;
  const page = await visit(`/s/demo/graph/Workloads/${encodeURIComponent(key)}`);
  const canvas = page.getByRole('region', {name: 'Graph'});
  await expect(canvas.getByRole('button', {name: /^Workloads, \d+ items/})).toBeVisible();
  await page.keyboard.press('g');
  await expect(canvas.getByRole('button', {name: new RegExp(`^Workloads ${key}`)})).toBeVisible();
  await expect(canvas.getByRole('button', {name: /^Namespaces shop/})).toBeVisible();
  await expect(page.getByText(/drawn \d+ items that took part/)).toBeVisible();
  await page.keyboard.press('g');
  await expect(canvas.getByRole('button', {name: /^Workloads, \d+ items/})).toBeVisible();
});

test('the visible graph leaves as mermaid, SVG and PNG', async ({visit}) => {
  const page = await visit(workloads);
  await expect(
    page.getByRole('region', {name: 'Graph'}).getByRole('button', {name: /^Workloads,/}),
  ).toBeVisible();
  const pick = async (name: string) => {
    await page.getByRole('button', {name: 'Export'}).click();
    await page.getByRole('menuitem', {name, exact: true}).click();
  };
  await pick('Copy mermaid');
  await expect.poll(() => clipboard(page)).toContain('Workloads');
  const text = await clipboard(page);
  expect(text).not.toContain('SliceEndpoints');
  for (const kind of ['SVG', 'PNG'] as const) {
    const saved = page.waitForEvent('download');
    await pick(kind);
    expect((await saved).suggestedFilename()).toBe(`krtscope-graph.${kind.toLowerCase()}`);
  }
});

test('heat prints its number on the node; the strip selects', async ({visit}) => {
  const page = await visit('/s/demo/graph/Workloads?heat=size');
  await expect(
    page
      .getByRole('region', {name: 'Graph'})
      .getByText(/size \d+/)
      .first(),
  ).toBeVisible();
  await page
    .getByRole('navigation', {name: 'Collections'})
    .getByRole('button', {name: /ServiceInfos/})
    .click();
  await expect(page).toHaveURL(/\/graph\/ServiceInfos/);
});

test('a big drawing is painted: a click selects, arrow keys reach what is out of view, the list has it all', async ({
  visit,
  page,
}) => {
  await replaceGraph(page, wideGraph(150));
  await visit('/s/demo/graph?budget=500');
  await expect(page.getByText('drawn 150 of 150')).toBeVisible();
  const canvas = page.getByRole('region', {name: 'Graph'});
  const elements = canvas.getByRole('button', {name: /^C\d+, [\d,]+ items?/});
  await expect(elements.first()).toBeVisible();
  expect(await elements.count()).toBeLessThan(150);
  await elements.first().focus();
  const first = await elements.first().getAttribute('aria-label');
  await page.keyboard.press('ArrowDown');
  await expect(canvas.locator(':focus')).not.toHaveAttribute('aria-label', first!);
  await expect(canvas.locator(':focus')).toHaveAttribute('aria-label', /^C\d+, /);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/graph\/C\d+/);
});

test('a narrow window opens as a list', async ({visit, page}) => {
  await page.setViewportSize({width: 1024, height: 768});
  await visit(workloads);
  await expect(page.getByRole('tree', {name: /Collections/})).toBeVisible();
});

for (const scheme of ['dark', 'light'] as const) {
  for (const look of ['drawing', 'list'] as const) {
    test(`axe finds nothing serious in the graph's ${look}, ${scheme}`, async ({visit, page}) => {
      test.slow();
      await page.emulateMedia({colorScheme: scheme});
      await visit(look === 'list' ? `${workloads}?list=1` : workloads);
      await expect(
        page.getByRole(look === 'list' ? 'tree' : 'region', {name: /Graph|Collections and/}).first(),
      ).toBeVisible();
      await page.waitForTimeout(300);
      await calm(page);
    });
  }
}

// The graph: kinds, filters on wires, hops, walking with arrow keys, the list, the item level, waves, export.
import {expect, labelNamespace, readClipboard, resources, test} from '../helpers/page-test.ts';
import {positionAtRest} from '../helpers/position-at-rest.ts';

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

test('the list of an item has the items that took part; arrows and Enter go to one', async ({
  visit,
  server,
}) => {
  const {items} = await server.json<{items: {key: string}[]}>(
    '/api/v1/collections/Workloads/items?q=ns:shop%20-l%20app=cart&limit=1',
  );
  const key = items[0]!.key;
  const page = await visit(`/s/demo/graph/Workloads/${encodeURIComponent(key)}?level=item&list=1`);
  const tree = page.getByRole('tree', {name: 'Items that took part'});
  await expect(tree.getByRole('treeitem', {selected: true})).toContainText(key);
  await expect(tree.getByRole('treeitem', {name: /Services shop\/cart fetch/})).toBeVisible();
  await tree.getByRole('treeitem', {selected: true}).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/\/graph\/Workloads/);
  await expect(tree.getByRole('treeitem', {selected: true})).toBeVisible();
});

test('the mouse alone: a click selects, a stub draws more, a double click opens the Sheet, a drag moves the picture', async ({
  visit,
}) => {
  const page = await visit('/s/demo/graph');
  const canvas = page.getByRole('region', {name: 'Graph'});
  const middle = (name: RegExp) => positionAtRest(canvas.getByRole('button', {name}).first());
  await expect(canvas.getByRole('button', {name: /^Workloads,/})).toBeVisible();
  await page.mouse.click(...(await middle(/^Workloads,/)));
  await expect(page).toHaveURL(/\/graph\/Workloads/);
  await expect(canvas.getByRole('button', {name: /^Workloads,/})).toHaveAttribute('aria-pressed', 'true');
  await expect(canvas.getByRole('button', {name: /^Nodes,/})).toHaveCount(0);
  const stub = canvas.getByRole('button', {name: /^Show .*read Endpoints/}).first();
  await page.mouse.move(...(await positionAtRest(stub)));
  await page.mouse.down();
  // The picture moves between press and release, as it does when it is arranged anew: the stub was pressed all the same.
  const before = (await stub.boundingBox())!;
  await page.setViewportSize({width: 1440, height: 780});
  await expect.poll(async () => (await stub.boundingBox())!.y !== before.y).toBe(true);
  await page.mouse.up();
  await expect(page).toHaveURL(/opened=Backends/);
  await expect(canvas.getByRole('button', {name: /^Backends,/})).toBeVisible();
  // A drag that begins on a node moves the picture and selects nothing.
  const [x, y] = await middle(/^Pods,/);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y - 40, {steps: 6});
  await page.mouse.up();
  await expect.poll(async () => Math.round((await middle(/^Pods,/))[0] - x)).toBeGreaterThan(40);
  await expect(page).toHaveURL(/\/graph\/Workloads/);
  await page.mouse.dblclick(...(await middle(/^WorkloadServices,/)));
  await expect(page).toHaveURL(/\/sheet\/WorkloadServices/);
});

test('wires that are not drawn are counted beside their node, and drawn under the pointer and for the selection', async ({
  visit,
  server,
}) => {
  const {edges} = await server.json<{edges: {from: string; to: string; kind: string}[]}>('/api/v1/graph');
  const page = await visit('/s/demo/graph');
  const canvas = page.getByRole('region', {name: 'Graph'});
  const summary = canvas.getByRole('button', {name: /^ClusterSummary,/});
  await expect(summary).toBeVisible();
  const wires = canvas.locator('.react-flow__edge');
  const drawn = await wires.count();
  const told = async () => {
    const words = await canvas.getByText(/^reads \d+ more$/).allTextContents();
    return words.reduce((sum, text) => sum + Number(/\d+/.exec(text)), 0);
  };
  // Every edge between two nodes is drawn or counted; an index lies inside its node.
  expect(drawn + (await told())).toBe(edges.filter(edge => edge.kind !== 'index').length);
  await expect(canvas.getByText('reads 9 more')).toBeVisible();
  const box = (await summary.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expect(wires).toHaveCount(drawn + 9);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height + 200);
  await expect(wires).toHaveCount(drawn);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page).toHaveURL(/\/graph\/ClusterSummary/);
  await expect(canvas.getByText('reads 9 more')).toHaveCount(0);
});

test('it fits at a size one can read, and again when the window changes', async ({visit, page}) => {
  await visit('/s/demo/graph');
  const share = async () => Number((await page.locator('.zoom-share').textContent())!.replace('%', ''));
  await expect(page.getByRole('button', {name: /^Workloads,/})).toBeVisible();
  expect(await share()).toBeGreaterThanOrEqual(66);
  await page.setViewportSize({width: 1920, height: 1200});
  const inside = () =>
    page.locator('.canvas').evaluate(canvas => {
      const frame = canvas.getBoundingClientRect();
      return [...canvas.querySelectorAll('.node')].every(node => {
        const {left, right, top, bottom} = node.getBoundingClientRect();
        return left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
      });
    });
  await expect.poll(share).toBeGreaterThanOrEqual(90);
  await expect.poll(inside).toBe(true);
  await page.setViewportSize({width: 1440, height: 900});
  await expect.poll(inside).toBe(true);
});

test('live changes tell the wave and move no node', async ({visit, cluster}) => {
  const page = await visit(workloads);
  const nodes = page.getByRole('region', {name: 'Graph'}).getByRole('button', {name: / items?, /});
  await expect(nodes.first()).toBeVisible();
  const places = () => nodes.evaluateAll(all => all.map(one => JSON.stringify(one.getBoundingClientRect())));
  const before = await places();
  await labelNamespace(cluster, 'shop');
  const card = page.getByRole('region', {name: /Wave at/});
  await expect(card).toContainText(/A write to Namespace shop re-ran \d+ Workloads/);
  await expect(card).toContainText(/were equal/);
  await expect(page.getByText(/■ \d+ equal/).first()).toBeVisible();
  expect(await places()).toEqual(before);
  await card.getByRole('button', {name: /Replay/}).click();
});

test('find marks, hide removes and is counted, an unknown word is explained', async ({visit}) => {
  const page = await visit('/s/demo/graph');
  await expect(page.getByText('drawn 18 of 19')).toBeVisible();
  await expect(page.getByText('1 index as a tab')).toBeVisible();
  const hide = page.getByRole('textbox', {name: 'Hide'});
  await hide.fill('kind:source');
  await hide.press('Enter');
  await expect(page.getByText(/10 not drawn: hidden by filter/)).toBeVisible();
  await expect(page).toHaveURL(/hide=kind%3Asource/);
  const find = page.getByRole('textbox', {name: 'Find'});
  await find.fill('hat>5');
  await find.press('Enter');
  await expect(find).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('alert')).toContainText('unknown number hat');
  await find.fill('kind:sauce');
  await find.press('Enter');
  await expect(page.getByRole('alert')).toContainText('unknown kind sauce');
  await find.fill('nowhere');
  await find.press('Enter');
  await expect(page.getByRole('alert')).toContainText('No collection matches');
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
  await pick('Copy Mermaid');
  await expect.poll(() => readClipboard(page)).toContain('Workloads');
  const text = await readClipboard(page);
  expect(text).not.toContain('SliceEndpoints');
  for (const kind of ['SVG', 'PNG'] as const) {
    const saved = page.waitForEvent('download');
    await pick(kind);
    expect((await saved).suggestedFilename()).toBe(`krtscope-graph.${kind.toLowerCase()}`);
  }
});

test('the strip is one stop of Tab, however many collections there are: arrows walk it, Enter selects', async ({
  visit,
}) => {
  const page = await visit('/s/demo/graph');
  const rows = page.getByRole('navigation', {name: 'Collections'}).getByRole('button');
  await expect(rows).toHaveCount(19);
  await page.getByRole('button', {name: 'Export'}).focus();
  await page.keyboard.press('Tab');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(rows.last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/graph\/ClusterSummary/);
  await expect(rows.last()).toHaveAttribute('aria-current', 'true');
  await expect(rows.last()).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', {name: 'Export'})).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(rows.last()).toBeFocused();
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

test('a clicked node stays under the pointer, and a double click opens its Sheet', async ({visit, page}) => {
  await visit('/s/demo/graph');
  const node = page.getByRole('region', {name: 'Graph'}).getByRole('button', {name: /^Endpoints,/});
  const [x, y] = await positionAtRest(node);
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(/\/graph\/Endpoints/);
  await expect(page.getByText(/drawn \d+ of 19/)).not.toContainText('drawn 18');
  await positionAtRest(node);
  const box = (await node.boundingBox())!;
  expect(x).toBeGreaterThan(box.x);
  expect(x).toBeLessThan(box.x + box.width);
  expect(y).toBeGreaterThan(box.y);
  expect(y).toBeLessThan(box.y + box.height);
  await page.mouse.dblclick(x, y);
  await expect(page).toHaveURL(/\/sheet\/Endpoints/);
});

test('Item without a selected item says what to do', async ({visit}) => {
  const page = await visit(workloads);
  await page
    .getByRole('radio', {name: /Item/})
    .or(page.getByRole('button', {name: /^Item/}))
    .first()
    .click();
  await expect(page.getByText(/Select an item first/)).toBeVisible();
});

test('the graph of an item shows the fetch that found no match', async ({visit, cluster, server}) => {
  const {items} = await server.json<{items: {key: string}[]}>(
    '/api/v1/collections/Pods/items?q=ns:shop%20-l%20app=payments',
  );
  const key = items[0]!.key;
  const [namespace, name] = key.split('/') as [string, string];
  const label = (app: string) =>
    cluster.patch(resources.Pods, {namespace, name}, {metadata: {labels: {app}}}, {type: 'merge'});
  await label('pay');
  try {
    const page = await visit(`/s/demo/graph/Workloads/${encodeURIComponent(key)}?level=item`);
    const canvas = page.getByRole('region', {name: 'Graph'});
    await expect(canvas.getByRole('button', {name: /^Services no match for /})).toBeVisible();
  } finally {
    await label('payments');
  }
});

test('labels of the wires under the pointer do not cover each other', async ({visit, page}) => {
  await visit('/s/demo/graph');
  const canvas = page.getByRole('region', {name: 'Graph'});
  const [x, y] = await positionAtRest(canvas.getByRole('button', {name: /^Workloads,/}));
  await page.mouse.move(x, y);
  await expect(page.locator('.wire-label-near').nth(1)).toBeVisible();
  const overlaps = await page.locator('.wire-label-near').evaluateAll(all => {
    const boxes = all.map(one => one.getBoundingClientRect());
    return boxes.flatMap((a, i) =>
      boxes
        .slice(i + 1)
        .filter(
          b => a.left < b.right && b.left < a.right && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5,
        ),
    ).length;
  });
  expect(overlaps).toBe(0);
});

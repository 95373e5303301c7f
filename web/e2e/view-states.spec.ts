// The states of a view that cannot simply show its content: each says what is so, in words, and offers what to do.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {Page} from '@playwright/test';
import {replaceGraph, wideGraph} from '../bench/wide-graph.ts';
import {expect, expectAccessible, readClipboard, test} from './helpers/page-test.ts';

/** The demo's graph with some facts changed on its way to the page, and a sheet with or without its rows. */
async function alter(
  page: Page,
  change: (node: CollectionNode) => void,
  {rows = false}: {rows?: boolean} = {},
): Promise<void> {
  await page.routeWebSocket(/\/api\/v1\/stream/, socket => {
    const server = socket.connectToServer();
    server.onMessage(text => {
      const message = JSON.parse(String(text));
      for (const update of message.updates ?? []) {
        const nodes: CollectionNode[] = update.snapshot?.collections ?? update.delta?.collections ?? [];
        if (update.topic === 'graph') nodes.forEach(change);
        if (!rows && update.topic === 'sheet' && update.snapshot)
          Object.assign(update.snapshot, {rows: [], total: 0, of: 0, lines: 0});
      }
      socket.send(JSON.stringify(message));
    });
  });
}

test('not permitted: a lock, the reason, the command and a sample role to copy', async ({page, visit}) => {
  await alter(page, node => {
    if (node.name !== 'Secrets') return;
    Object.assign(node, {
      synced: false,
      size: 0,
      state: 'forbidden',
      reason: '403 for serviceaccount ops:krtscope.',
      hint: 'kubectl auth can-i list secrets',
    });
  });
  await visit('/s/demo/sheet/Secrets');
  const state = page.getByRole('main').getByRole('status').filter({hasText: 'Secrets cannot be listed'});
  await expect(state).toContainText('403 for serviceaccount ops:krtscope.');
  await expect(
    state.getByRole('button', {name: 'Copy command: kubectl auth can-i list secrets'}),
  ).toBeVisible();
  await state.getByRole('button', {name: 'Sample role'}).click();
  await expect.poll(() => readClipboard(page)).toContain('resources: ["secrets"]');
  await expectAccessible(page);
});

test('a missing CRD is told as such and goes live when it comes', async ({page, visit}) => {
  await alter(page, node => {
    if (node.name === 'NetworkPolicies')
      Object.assign(node, {state: 'not installed', size: 0, reason: undefined});
  });
  await visit('/s/demo/sheet/NetworkPolicies');
  const state = page.getByRole('main').getByRole('status').filter({hasText: 'is not installed'});
  await expect(state).toContainText('Rows appear once it is installed.');
});

test('syncing: the counter, and what holds it', async ({page, visit}) => {
  await alter(page, node => {
    if (node.name === 'Pods') Object.assign(node, {synced: false, state: 'listing', size: 0, listed: 1240});
  });
  await visit('/s/demo/sheet/Pods');
  const state = page.getByRole('main').getByRole('status').filter({hasText: 'Pods is syncing'});
  await expect(state).toContainText('Listing 1,240.');
  await state.getByRole('button', {name: 'What blocks it'}).click();
  await expect(page).toHaveURL(/\/overview/);
});

test('a filter that hides everything: how many are hidden, and one key that clears it', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Pods?q=nobody-is-called-so');
  const state = page.getByRole('main').getByRole('status').filter({hasText: 'No rows match'});
  await expect(state).toContainText('nobody-is-called-so');
  await expect(state).toContainText(/\d+ rows are hidden by the filter\./);
  await state.getByRole('button', {name: /Clear filter/}).click();
  await expect(page.getByRole('gridcell', {name: /cart-/}).first()).toBeVisible();
});

test('a collection that is empty: its input, its runs, and the question', async ({page, visit}) => {
  const change = (node: CollectionNode) => {
    if (node.name === 'Workloads') node.size = 0;
  };
  await alter(page, change, {rows: true});
  await visit('/s/demo/sheet/Workloads');
  const state = page.getByRole('main').getByRole('status').filter({hasText: 'Workloads is empty'});
  await expect(state).toContainText(/Input Pods has [\d,]+ rows; [\d,]+ runs returned nothing\./);
  await state.getByRole('button', {name: /Why empty/}).click();
  await expect(page).toHaveURL(/\/why-not\/Workloads/);
});

test('too big to draw: how many match, and three ways on', async ({page, visit}) => {
  await replaceGraph(page, wideGraph(400));
  await visit('/s/demo/graph');
  const state = page.getByRole('status').filter({hasText: '400 nodes match'});
  await expect(state).toContainText('The 150 most relevant are shown, problems first.');
  await expect(state.getByRole('button', {name: /Narrow/})).toBeVisible();
  await state.getByRole('button', {name: /Show all \(slow\)/}).click();
  await expect(page.getByText('drawn 400 of 400')).toBeVisible();
  await page.getByRole('button', {name: /^List/}).click();
  await expect(page.getByRole('tree', {name: /Collections/})).toBeVisible();
});

test('an address into a session or an item that is not there says so', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads/shop%2Fnobody');
  await expect(page.getByText('No shop/nobody in Workloads')).toBeVisible();
  await page
    .getByRole('complementary', {name: 'Inspector'})
    .getByRole('button', {name: /Why not/})
    .first()
    .click();
  await expect(page).toHaveURL(/\/why-not\/Workloads\/shop%2Fnobody/);
});

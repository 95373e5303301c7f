// Two moments side by side: added, removed and changed rows between them, as the API says it.
import {expect, labelNamespace, resources, test} from './helpers/page-test.ts';

test('compare with now: added, removed and changed rows, down to the field; the address is the same picture', async ({
  visit,
  cluster,
  server,
}) => {
  const then = (await server.json<{sequence: number}>('/api/v1/graph')).sequence;
  const name = `came-${Date.now()}`;
  await cluster.create(resources.ConfigMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {namespace: 'shop', name},
    data: {a: 'b'},
  });
  const value = await labelNamespace(cluster, 'shop');
  const page = await visit(`/s/demo/sheet/Workloads?ns=shop&cols=Workloads:waypoint&t=${then}`);
  await expect(page.getByText('PAUSED')).toBeVisible();
  await page.getByRole('button', {name: /^Compare/}).click();
  const bar = page.getByRole('region', {name: 'Comparison'});
  await expect(bar).toContainText(/1 added/);
  const panel = page.getByRole('complementary', {name: 'Differences'});
  await expect(panel.getByRole('region', {name: 'ConfigMaps'})).toContainText(`shop/${name}`);
  await expect(panel.getByRole('region', {name: 'Namespaces'})).toContainText(value);
  await expect(panel.getByRole('region', {name: 'Workloads', exact: true})).toContainText(/waypoint .* → /);
  const row = page.getByRole('row').filter({hasText: /cart-/}).first();
  await expect(row).toContainText(`→ ${value}`);
  const address = page.url();
  const told = await panel.textContent();
  const diff = await server.json<{collections: Record<string, unknown[]>}>(
    `/api/v1/diff?from=${then}&to=${new URL(address).searchParams.get('vs')}`,
  );
  for (const [collection, rows] of Object.entries(diff.collections))
    if (rows.length > 0)
      await expect(panel.getByRole('region', {name: collection, exact: true})).toBeVisible();
  await labelNamespace(cluster, 'shop');
  await page.reload();
  await expect(panel).toContainText(value);
  expect(await panel.textContent()).toBe(told);
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/sheet\/[A-Z]\w+\//);
  await page.keyboard.press('x');
  await expect(panel).toHaveCount(0);
});

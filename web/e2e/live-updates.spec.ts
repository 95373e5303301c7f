// From the cluster to the browser: what goes there goes here, without a reload.
import {expect, resources, test} from './helpers/server-test.ts';

test('a Pod deleted in the cluster takes its Workload row with it, without a reload', async ({
  visit,
  cluster,
  server,
}) => {
  const path = '/api/v1/collections/Workloads/items?q=ns:shop%20-l%20app=cart';
  const {items} = await server.json<{items: {value: {name: string}}[]}>(path);
  const name = items[0]?.value.name ?? '';
  const page = await visit('/s/demo/sheet/Workloads?q=ns:shop');
  const row = page.getByRole('row').filter({hasText: name});
  await expect(row).not.toHaveCount(0);
  await page.evaluate(() => {
    (window as {sameDocument?: boolean}).sameDocument = true;
  });
  await cluster.delete(resources.Pods, {namespace: 'shop', name});
  await expect(row).toHaveCount(0);
  expect(await page.evaluate(() => (window as {sameDocument?: boolean}).sameDocument)).toBe(true);
});

// From the cluster to the browser: what goes there goes here, without a reload.
import {expect, resources, test} from './krtscope.ts';

test('a Pod deleted in the cluster takes its Workload row with it, without a reload', async ({
  visit,
  cluster,
}) => {
  const page = await visit('/s/demo/sheet/Workloads?q=ns:shop');
  const row = page.getByRole('row').filter({hasText: /cart-/}).first();
  await expect(row).toBeVisible();
  const name = /cart-[a-z0-9]+-[a-z0-9]+/.exec((await row.textContent()) ?? '')?.[0] ?? '';
  expect(name).not.toBe('');
  await page.evaluate(() => {
    (window as {sameDocument?: boolean}).sameDocument = true;
  });
  await cluster.delete(resources.Pods, {namespace: 'shop', name});
  await expect(page.getByRole('row').filter({hasText: name})).toHaveCount(0);
  expect(await page.evaluate(() => (window as {sameDocument?: boolean}).sameDocument)).toBe(true);
});

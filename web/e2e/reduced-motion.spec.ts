// Reduced motion: nothing moves or fades, and every change is still told.
import {expect, labelNamespace, test} from './helpers/page-test.ts';

test.use({contextOptions: {reducedMotion: 'reduce'}});

test('a wave tints the node it reaches instead of sending dots', async ({visit, cluster}) => {
  const page = await visit('/s/demo/graph/Workloads');
  const node = page.locator('[data-node="Workloads"]');
  await expect(node).toBeVisible();
  const tinted = page.waitForFunction(
    () => document.querySelector('[data-node="Workloads"][data-hit]') !== null,
  );
  await labelNamespace(cluster, 'shop');
  await tinted;
  const painted = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas.pulses');
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return pixels.some(value => value !== 0);
  });
  expect(painted).toBe(false);
  await expect(page.locator('[data-node="Workloads"][data-hit]')).toHaveCount(0);
});

test('a changed cell is tinted without fading; panels come at once', async ({visit, cluster}) => {
  const page = await visit('/s/demo/sheet/Pods?ns=shop&cols=Workloads:waypoint');
  const row = page.getByRole('row').filter({hasText: /cart-/}).first();
  await expect(row).toBeVisible();
  const value = await labelNamespace(cluster, 'shop');
  await expect(row).toContainText(value);
  await expect(row.locator('.cell-changed').first()).toBeVisible();
  await row.getByRole('gridcell').first().click();
  await expect(page.getByRole('complementary', {name: 'Inspector'})).toBeVisible();
  const long = await page.evaluate(() =>
    document
      .getAnimations()
      .map(one => Number(one.effect?.getComputedTiming().duration ?? 0))
      .filter(milliseconds => milliseconds > 1),
  );
  expect(long).toEqual([]);
});

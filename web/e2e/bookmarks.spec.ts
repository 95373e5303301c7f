// Bookmarks: named with the keyboard, seen on the chart, listed, and there after a reload.
import {expect, labelNamespace, test} from './helpers/page-test.ts';

test('b names a moment; the flag, the list and a comparison know it, also after a reload', async ({
  visit,
  cluster,
}) => {
  await labelNamespace(cluster, 'shop');
  const page = await visit('/s/demo/sheet');
  await expect(page.getByRole('slider', {name: 'Moment'})).toBeVisible();
  await page.keyboard.press('b');
  await expect(page).toHaveURL(/t=\d+/);
  const sequence = new URL(page.url()).searchParams.get('t');
  await expect(page.getByRole('textbox', {name: `Name of bookmark #${sequence}`})).toBeFocused();
  await page.keyboard.type('before the rollout');
  await page.keyboard.press('Enter');
  const flag = page.getByRole('button', {name: 'Bookmark before the rollout'});
  await expect(flag).toBeVisible();

  await page.reload();
  await expect(flag).toBeVisible();
  await page.keyboard.press('Shift+End');
  await expect(page).not.toHaveURL(/t=\d+/);
  await page.getByRole('button', {name: 'Bookmarks, 1'}).click();
  await page.getByRole('menuitemradio', {name: /before the rollout/}).click();
  await expect(page).toHaveURL(new RegExp(`t=${sequence}`));

  await page.getByRole('button', {name: 'Bookmarks, 1'}).click();
  await page.getByRole('menuitem', {name: 'Remove before the rollout'}).click();
  await expect(flag).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('slider', {name: 'Moment'})).toBeVisible();
  await expect(flag).toHaveCount(0);
});

test('the flag is beside the playhead and takes a click', async ({visit, cluster}) => {
  const page = await visit('/s/demo/sheet');
  await expect(page.getByRole('slider', {name: 'Moment'})).toBeVisible();
  await page.keyboard.press('b');
  await page.keyboard.press('Escape');
  const sequence = new URL(page.url()).searchParams.get('t');
  await page.keyboard.press('Shift+End');
  await labelNamespace(cluster, 'data');
  const flag = page.getByRole('button', {name: `Bookmark #${sequence}`});
  const box = (await flag.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page).toHaveURL(new RegExp(`t=${sequence}`));
});

// The graph in narrow windows, and for axe.
import {expect, expectAccessible, test} from '../helpers/page-test.ts';

const workloads = '/s/demo/graph/Workloads';

test('a narrow window opens as a list', async ({visit, page}) => {
  await page.setViewportSize({width: 1024, height: 768});
  await visit(workloads);
  await expect(page.getByRole('tree', {name: /Collections/})).toBeVisible();
});

test('on a phone no badge of the list is cut, and the query has its own line', async ({visit, page}) => {
  await page.setViewportSize({width: 390, height: 844});
  await visit('/s/demo/graph');
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  const cut = await page
    .getByRole('treeitem')
    .locator('.word')
    .evaluateAll(all => all.filter(one => one.getBoundingClientRect().right > window.innerWidth).length);
  expect(cut).toBe(0);
  const find = (await page.locator('.selector-box').first().boundingBox())!;
  const pulses = (await page.getByRole('button', {name: /Pulses/}).boundingBox())!;
  expect(find.y + find.height <= pulses.y || find.x + find.width <= pulses.x).toBe(true);
});

for (const scheme of ['dark', 'light'] as const) {
  for (const look of ['drawing', 'list'] as const) {
    test(`axe finds nothing serious in the graph's ${look}, ${scheme}`, async ({visit, page}) => {
      test.slow();
      await page.emulateMedia({colorScheme: scheme});
      await visit(look === 'list' ? `${workloads}?list=1` : workloads);
      await expect(
        page.getByRole(look === 'list' ? 'tree' : 'region', {name: /Graph|Collections and their/}).first(),
      ).toBeVisible();
      await page.waitForTimeout(300);
      await expectAccessible(page);
    });
  }
}

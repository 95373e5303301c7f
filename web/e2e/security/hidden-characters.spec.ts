// Texts of the cluster that pretend to be other texts.
import {expect, resources, test} from '../helpers/server-test.ts';

test('characters that reverse the writing direction are shown as escapes', async ({visit, cluster}) => {
  const patch = {metadata: {annotations: {owner: 'team-\u202etrac\u202c-x'}}};
  await cluster.patch(resources.Namespaces, {name: 'shop'}, patch, {type: 'merge', fieldManager: 'hidden'});
  const page = await visit('/s/demo/sheet/Namespaces/shop');
  await expect(page.getByText('team-\\u202etrac\\u202c-x').first()).toBeVisible();
  expect(await page.evaluate(() => /[\u202a-\u202e]/.test(document.body.innerText))).toBe(false);
});

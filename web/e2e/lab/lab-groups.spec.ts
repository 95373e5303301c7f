// Drafts over groups: the path beside the input makes a group collection.
import {draftCell, formulaEditor, labToolbar} from '../helpers/lab-page.ts';
import {expect, test} from '../helpers/page-test.ts';

test('a draft over Pods becomes one over their groups, and back', async ({visit}) => {
  const page = await visit('/s/demo/lab');
  await page.getByRole('button', {name: /New draft/}).click();
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
  const path = page.getByRole('combobox', {name: 'Group by path'});
  await path.fill('spec.nodeName');
  await path.press('Enter');
  await expect(formulaEditor(page)).toContainText('group.objects.length');
  await expect(labToolbar(page)).toBeVisible();
  // The Sheet has one row for each group.
  await expect(draftCell(page, /node-a/)).toContainText(/\d/);
  await expect(page.getByRole('region', {name: 'Checks'})).toContainText('No throws');
  await path.fill('');
  await path.press('Enter');
  await expect(formulaEditor(page)).toContainText('pod.metadata.name');
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
});

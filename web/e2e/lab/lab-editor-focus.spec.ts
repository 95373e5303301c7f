// The Lab's text and the keyboard: a new draft is typed into at once, a dialog gives the keys back to it.

import {draftCell, formulaEditor, labToolbar, retype} from '../helpers/lab-page.ts';
import {expect, test} from '../helpers/page-test.ts';

test('a new draft has the keyboard: by + from the sheet, by the button, by the menu', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Pods?ns=shop');
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await page.keyboard.press('+');
  await expect(formulaEditor(page)).toBeFocused();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// w');
  await expect(formulaEditor(page)).toContainText('// w(ctx, pod)');
  await expect(page).toHaveURL(/\/lab\//);
  const drafts = labToolbar(page).getByRole('button', {name: /drafts and formulas/});
  await drafts.click();
  await page.getByRole('button', {name: 'Discard this draft'}).click();
  await page.getByRole('button', {name: /New draft/}).click();
  await expect(formulaEditor(page)).toBeFocused();
  await drafts.click();
  await page.getByRole('button', {name: 'New draft', exact: true}).click();
  await expect(labToolbar(page)).toContainText('Draft2');
  await expect(formulaEditor(page)).toBeFocused();
});

test('a dialog gives the keyboard back to the text that it was opened from', async ({visit, server}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await page.getByRole('button', {name: /New draft/}).click();
  await retype(page, '(ctx, pod) => ({node: pod.spec.nodeName})');
  await expect(draftCell(page, /cart-/)).toContainText('node-');
  const name = page.getByRole('dialog').getByRole('textbox', {name: 'Name'});
  await page.keyboard.press('Control+S');
  await expect(name).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(formulaEditor(page)).toBeFocused();
  await page.keyboard.type(' // w');
  await expect(formulaEditor(page)).toContainText('nodeName}) // w');
  await page.keyboard.press('Control+S');
  await expect(name).toBeFocused();
  await page.keyboard.insertText('Handed');
  await page.keyboard.press('Enter');
  try {
    await expect(page.getByText(/^Handed saved/)).toBeVisible();
    await expect(formulaEditor(page)).toBeFocused();
  } finally {
    // The next file of this worker has the same server, and counts its collections.
    await server.get('/api/v1/formulas/Handed', {method: 'DELETE'});
  }
});

test('a formula without a text is said to have none: it does not run all the same, and what stands there is of the last that ran', async ({
  visit,
}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await page.getByRole('button', {name: /New draft/}).click();
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
  await expect(page.getByRole('region', {name: 'Checks'})).toContainText('No throws');
  await retype(page, ' ');
  const foot = page.getByRole('region', {name: 'Editor'}).getByRole('status');
  await expect(foot).toContainText('the formula is empty');
  await expect(foot).toContainText('the last version that ran');
  await expect(page.getByRole('region', {name: 'Checks'})).toContainText('in the last version that ran');
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
  await retype(page, '(ctx, pod) => 7');
  await expect(draftCell(page, /cart-/)).toContainText('7');
  await expect(foot).toContainText('runs on every change');
});

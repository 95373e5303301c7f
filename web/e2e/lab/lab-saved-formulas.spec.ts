// Journey C goes on: a draft becomes a column of the graph, is changed, renamed, read by another, deleted and brought back.
import type {Page} from '@playwright/test';
import {draftCell, formulaEditor, labToolbar, retype} from '../helpers/lab-page.ts';
import {expect, expectAccessible, test} from '../helpers/page-test.ts';

async function openDraft(page: Page, name: RegExp): Promise<void> {
  await labToolbar(page)
    .getByRole('button', {name: /drafts and formulas/})
    .click();
  await page.getByRole('button', {name}).click();
}

async function saveAs(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', {name: 'Name'}).fill(name);
  await dialog.getByRole('button', {name: /^(Save|Rename)$/}).click();
  await expect(dialog).toBeHidden();
}

// The next file of this worker has the same server, and counts its collections.
test.afterEach(async ({server}) => {
  for (const name of ['Reader', 'Seated', 'Placed'])
    await server.get(`/api/v1/formulas/${name}`, {method: 'DELETE'});
});

test('save, see it everywhere, edit, rename, name its readers, delete, and bring it back', async ({
  visit,
  server,
}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await page.getByRole('button', {name: /New draft/}).click();
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
  await retype(page, '(ctx, pod) => ({node: pod.spec.nodeName})');
  await expect(draftCell(page, /cart-/)).toContainText('node-');
  await page.keyboard.press('Control+S');
  await page.getByRole('dialog').getByRole('textbox', {name: 'Name'}).fill('Pods');
  await expect(page.getByRole('dialog')).toContainText('A collection named Pods exists already');
  await saveAs(page, 'Placed');
  await expect(page.getByText(/^Placed saved/)).toBeVisible();
  await expectAccessible(page);

  const {collections} = await server.json<{collections: {name: string; formula?: boolean}[]}>(
    '/api/v1/graph',
  );
  expect(collections.find(({name}) => name === 'Placed')?.formula).toBe(true);

  // A change is saved with one key, and the Sheet and Why have it.
  await retype(page, '(ctx, pod) => ({node: "on " + pod.spec.nodeName})');
  await expect(draftCell(page, /cart-/)).toContainText('on node-');
  await page.keyboard.press('Control+S');
  await expect(page.getByText(/Placed saved/)).toBeVisible();
  const sheet = await visit('/s/demo/sheet/Placed?ns=shop');
  await expect(sheet.getByRole('grid')).toContainText('on node-');
  await visit('/s/demo/why/Placed/shop%2Fcart-7d9f8b6c5d-1?ns=shop');
  await visit('/s/demo/lab?formula=Placed');
  await expect(formulaEditor(page)).toContainText('"on "');

  await openDraft(page, /^Rename/);
  await saveAs(page, 'Seated');
  await expect(page.getByText('Placed renamed to Seated')).toBeVisible();
  await expect(labToolbar(page)).toContainText('Seated');

  // Somebody reads it: it is named before anything is deleted.
  await openDraft(page, /New draft/);
  await retype(page, '(ctx, pod) => ctx.fetchOne(Seated, key(keyOf(pod)))?.node');
  await expect(draftCell(page, /cart-/)).toContainText('on node-');
  await page.keyboard.press('Control+S');
  await saveAs(page, 'Reader');
  await openDraft(page, /^Seated \d+ items/);
  await openDraft(page, /^Rename/);
  const rename = page.getByRole('dialog', {name: 'Rename Seated'});
  await rename.getByRole('textbox', {name: 'Name'}).fill('Standing');
  await rename.getByRole('button', {name: 'Rename'}).click();
  await expect(rename).toContainText('Seated is read by Reader; change or delete those first');
  await rename.getByRole('button', {name: 'Cancel'}).click();
  await openDraft(page, /^Delete formula/);
  const dialog = page.getByRole('dialog', {name: 'Delete Seated'});
  await expect(dialog).toContainText('Reader');
  await expect(dialog.getByRole('button', {name: 'Delete'})).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByRole('button', {name: 'Cancel'}).click();

  await openDraft(page, /^Reader \d+ items/);
  await openDraft(page, /^Delete formula/);
  await page.getByRole('dialog').getByRole('button', {name: 'Delete'}).click();
  await expect(page.getByText(/Reader deleted/)).toBeVisible();
  // Undone by saving what stayed on the bench.
  await expect(formulaEditor(page)).toContainText('fetchOne(Seated');
  await page.keyboard.press('Control+S');
  await saveAs(page, 'Reader');
  await expect(page.getByText(/^Reader saved/).first()).toBeVisible();
});

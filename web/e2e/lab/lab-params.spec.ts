// Parameters of a formula: fields below the code, whose values run the draft and are saved with it.
import {draftCell, retype} from '../helpers/lab-page.ts';
import {expect, test} from '../helpers/page-test.ts';

test.afterEach(async ({server}) => {
  await server.get('/api/v1/formulas/Priced', {method: 'DELETE'});
});

test('a parameter is edited beside the code, runs the draft, is saved and comes back', async ({
  visit,
  server,
}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await page.getByRole('button', {name: /New draft/}).click();
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
  await retype(page, "(ctx, pod) => ({cost: 100 * param('price', 2), on: param('on', false)})");
  await expect(draftCell(page, /cart-/)).toContainText('200');
  const params = page.getByRole('group', {name: 'Parameters'});
  await params.getByLabel('price').fill('0.');
  await params.getByLabel('price').fill('0.5');
  await expect(draftCell(page, /cart-/)).toContainText('50');
  await params.getByLabel('price').fill('much');
  await expect(params.getByLabel('price')).toHaveAttribute('aria-invalid', 'true');
  await expect(draftCell(page, /cart-/)).toContainText('50');
  await params.getByLabel('price').fill('3');
  await params.getByLabel('on').check();
  await expect(draftCell(page, /cart-/)).toContainText('300');

  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+S');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', {name: 'Name'}).fill('Priced');
  await dialog.getByRole('button', {name: 'Save', exact: true}).click();
  await expect(page.getByText(/^Priced saved/)).toBeVisible();
  const saved = await server.json<{params: {name: string; value: unknown}[]}>('/api/v1/formulas/Priced');
  expect(saved.params.map(({name, value}) => [name, value])).toEqual([
    ['price', 3],
    ['on', true],
  ]);
  const again = await visit('/s/demo/lab?formula=Priced');
  await expect(again.getByRole('group', {name: 'Parameters'}).getByLabel('price')).toHaveValue('3');
});

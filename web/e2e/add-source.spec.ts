// One more kind to look at: the same list wherever one asks for it, by mouse and by keyboard.

import {formulaEditor} from './helpers/lab-page.ts';
import {expect, expectAccessible, test} from './helpers/page-test.ts';

// The next file of this worker has the same server, and counts its collections.
test.afterEach(async ({server}) => {
  for (const name of ['CronJobs', 'Jobs', 'LimitRanges'])
    await server.get(`/api/v1/sources/${name}`, {method: 'DELETE'});
});

test('from the graph, with the mouse: a kind is found, added and opened; asked for again it is opened', async ({
  visit,
}) => {
  const page = await visit('/s/demo/graph');
  await page.getByRole('button', {name: 'Source', exact: true}).click();
  const dialog = page.getByRole('dialog', {name: 'Add a source'});
  await expect(dialog.getByRole('option', {name: /^LimitRanges/})).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('option', {name: /^LimitRanges/}).click();
  await expect(page.getByText('LimitRanges added as a source')).toBeVisible();
  await expect(page).toHaveURL(/\/sheet\/LimitRanges/);
  await page.getByRole('button', {name: 'Graph'}).click();
  await page.getByRole('button', {name: 'Source', exact: true}).click();
  await page.keyboard.type('limits');
  await expect(dialog.getByRole('option')).toHaveText([/LimitRanges.*added: open/]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/sheet\/LimitRanges/);
});

test('from the Lab, with the keyboard: Enter adds what is marked, and a draft over it is begun', async ({
  visit,
}) => {
  const page = await visit('/s/demo/lab');
  await page.getByRole('button', {name: 'Add a source'}).click();
  const dialog = page.getByRole('dialog', {name: 'Add a source'});
  await page.keyboard.type('job');
  const options = dialog.getByRole('option');
  await expect(options).toHaveText([/^Jobs/, /^CronJobs/]);
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByText('CronJobs added as a source')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(formulaEditor(page)).toContainText('(ctx, cronJob) =>');
  await expect(formulaEditor(page)).toBeFocused();
});

test('in the Lab with a draft open the list only adds: the draft stays, and Escape leaves it as it was', async ({
  visit,
}) => {
  const page = await visit('/s/demo/lab');
  await page.getByRole('button', {name: /New draft/}).click();
  await page.getByRole('button', {name: 'Add source', exact: true}).click();
  const dialog = page.getByRole('dialog', {name: 'Add a source'});
  await expect(dialog.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', {name: 'Add source', exact: true}).click();
  await dialog.getByRole('option', {name: /^Jobs/}).click();
  await expect(page.getByText('Jobs added as a source')).toBeVisible();
  await expect(formulaEditor(page)).toContainText('(ctx, pod) =>');
});

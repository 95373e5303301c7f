// The Sheet's filter by hand: what is on is always shown, unknown terms are explained, values complete from the rows.
import {expect, resources, test} from './helpers/page-test.ts';

test('a filter that is typed, waited for and entered becomes a chip, and Backspace takes it away', async ({
  visit,
}) => {
  const page = await visit('/s/demo/sheet/Workloads');
  await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('ns:shop');
  // Typing filters by itself after a moment; Enter comes later.
  await expect(page).toHaveURL(/q=ns%3Ashop/);
  await page.keyboard.press('Enter');
  const chip = page.getByRole('button', {name: 'Remove filter ns:shop'});
  await expect(chip).toBeVisible();
  await expect(page.getByRole('combobox', {name: 'Filter rows'})).toHaveValue('');
  await page.keyboard.press('Backspace');
  await expect(chip).toHaveCount(0);
  await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
});

test('Esc clears a filter that was entered', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads');
  await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('ns:shop');
  await expect(page).toHaveURL(/q=ns%3Ashop/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/q=/);
  await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
});

test('a term that the filter does not know is explained', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads');
  await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('foo:bar');
  await expect(page.getByText('"foo:" is not a filter term')).toBeVisible();
});

test('-l app= offers the labels in the rows and hides no row before a value is chosen', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads');
  await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('-l app=');
  const offered = page.getByRole('option', {name: /-l app=cart/});
  await expect(offered).toBeVisible();
  await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
  await offered.click();
  await expect(page.getByRole('button', {name: 'Remove filter -l app=cart'})).toBeVisible();
  await expect(page.getByText(/^3 of \d+ rows$/)).toBeVisible();
});

test('a part of a value that is still being typed hides no row', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads');
  await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
  await page.keyboard.press('/');
  for (const [typed, offered] of [
    ['-l app=ca', /-l app=cart/],
    ['ns:sh', /ns:shop/],
  ] as const) {
    await page.keyboard.type(typed);
    await expect(page.getByRole('option', {name: offered})).toBeVisible();
    // Longer than the pause after which typed text filters.
    await page.waitForTimeout(600);
    await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
    await page.keyboard.press('Escape');
  }
  // A value that no row has is a question with an answer.
  await page.keyboard.type('ns:nowhere');
  await expect(page.getByText(/^0 of \d+ rows$/)).toBeVisible();
});

test('the explanation of a term is whole, and the box keeps its width while one types', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads');
  await expect(page.getByText(/^(\d+) of \1 rows$/)).toBeVisible();
  const box = page.getByRole('combobox', {name: 'Filter rows'}).locator('xpath=..');
  await page.keyboard.press('/');
  const before = (await box.boundingBox())!.width;
  await page.keyboard.type('foo:bar');
  const words = page.getByText('"foo:" is not a filter term');
  await expect(words).toBeVisible();
  expect(await words.evaluate(one => one.scrollWidth <= one.clientWidth)).toBe(true);
  expect((await box.boundingBox())!.width).toBe(before);
});

test('a chip is edited in place', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Workloads?q=ns:shop%20state:failed');
  await page.getByRole('button', {name: 'Remove filter state:failed'}).click();
  await expect(page.getByRole('button', {name: 'Edit filter ns:shop'})).toBeVisible();
  await page.getByRole('button', {name: 'Edit filter ns:shop'}).click();
  const box = page.getByRole('combobox', {name: 'Filter rows'});
  await expect(box).toHaveValue('ns:shop');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', {name: 'Edit filter ns:shop'})).toBeVisible();
});

test('the count of rows stays readable while new rows wait', async ({page, visit, cluster}) => {
  await page.setViewportSize({width: 1280, height: 800});
  await visit('/s/demo/sheet/ConfigMaps?q=ns:shop');
  const count = page.getByText(/^\d+ of \d+ rows$/);
  await expect(count).toBeVisible();
  for (const name of ['one', 'two'])
    await cluster.create(resources.ConfigMaps, {
      metadata: {namespace: 'shop', name: `aa-filter-${name}-${Date.now()}`},
    });
  await expect(page.getByRole('button', {name: /2 new/})).toBeVisible();
  const box = (await page.getByRole('combobox', {name: 'Filter rows'}).locator('xpath=..').boundingBox())!;
  const text = (await count.boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(text.x);
  const pill = (await page.getByRole('button', {name: /2 new/}).boundingBox())!;
  expect(text.x + text.width).toBeLessThanOrEqual(pill.x);
});

// The frame: rail, palette, jump, shortcuts, settings, Esc, addresses, themes, the tour.
import type {Page} from '@playwright/test';
import {expect, expectAccessible, readClipboard, resources, test} from './helpers/page-test.ts';

/** A Pod that nobody schedules: it stays Pending, so it has no Workload. */
const stuckPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name: 'stuck', namespace: 'shop'},
  spec: {schedulerName: 'nobody', containers: [{name: 'a', image: 'a'}]},
};

/** Keys pressed before the page is there go nowhere. */
const live = (page: Page) => expect(page.getByText('LIVE', {exact: true})).toBeVisible();

test('1 to 6 switch views, those of the graph keep the selection; Back goes back', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Namespaces/shop');
  await live(page);
  await expect(page.getByRole('complementary', {name: 'Inspector'})).toBeVisible();
  await page.keyboard.press('3');
  await expect(page).toHaveURL(/\/graph\/Namespaces\/shop/);
  await page.keyboard.press('1');
  await expect(page).toHaveURL(/\/overview\/Namespaces\/shop/);
  await page.keyboard.press('5');
  await expect(page).toHaveURL(/\/lab\/Namespaces\/shop/);
  await page.keyboard.press('6');
  await expect(page).toHaveURL(/\/s\/demo\/controllers/);
  for (let view = 0; view < 3; view++) await page.goBack();
  await expect(page).toHaveURL(/\/graph\/Namespaces\/shop/);
  const rail = page.getByRole('navigation', {name: 'Views'});
  await expect(rail.getByRole('button', {name: 'Graph'})).toHaveAttribute('aria-current', 'page');
  await expect(rail).toContainText(/Controllers/);
});

test('Ctrl K finds items, collections and commands; Esc gives focus back', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  await live(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', {name: 'Commands'});
  await expect(palette.getByRole('combobox')).toBeFocused();
  await expect(palette).toContainText(/Controllers/);
  await page.keyboard.type('payments');
  await expect(
    palette
      .getByRole('group', {name: /^(Sources|Derived)/})
      .getByRole('option')
      .first(),
  ).toContainText('payments');
  await expectAccessible(page);
  await palette.getByRole('combobox').fill('high contrast');
  await expect(palette.getByRole('option').first()).toContainText('Theme: high contrast');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'hc');
  await expect(palette).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
});

test(': jumps to a collection by a few letters', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  await live(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press(':');
  await page.keyboard.type('wl');
  await expect(page.getByRole('option').first()).toContainText('Workloads');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/sheet\/Workloads$/);
});

test('? lists the keys of this view, searchable', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  await live(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', {name: 'Shortcuts and glossary'});
  await expect(sheet).toContainText('command line');
  await expect(sheet).toContainText('back to live');
  await expectAccessible(page);
  await sheet.getByRole('textbox', {name: 'Search keys and terms'}).fill('yaml');
  await expect(sheet).not.toContainText('command line');
  await expect(sheet).toContainText('copy YAML');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
});

test('one setting turns single letters off; Ctrl K still works', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  await live(page);
  await page.getByRole('button', {name: 'Settings'}).click();
  const sheet = page.getByRole('dialog', {name: 'Settings'});
  await sheet.getByRole('checkbox', {name: /Single-letter keys/}).uncheck();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await page.keyboard.press('2');
  await page.keyboard.press('?');
  await expect(page).toHaveURL(/\/overview/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', {name: 'Commands'})).toBeVisible();
});

test('no letter fires while a text field has focus', async ({visit}) => {
  const page = await visit('/');
  await live(page);
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', {name: /Find an item/})).toBeFocused();
  await page.keyboard.type('2w');
  await expect(page).toHaveURL(/\/overview/);
  await expect(page.getByRole('combobox', {name: /Find an item/})).toHaveValue('2w');
});

test('Esc closes, then clears, and never leaves the view', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Namespaces/shop');
  await live(page);
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await expect(inspector).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(inspector).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/sheet\/Namespaces(\?|$)/);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/sheet\/Namespaces(\?|$)/);
});

test('a copied link holds the moment and the recording, never the token', async ({visit, server}) => {
  const {token} = await server.address();
  const page = await visit('/s/demo/sheet/Namespaces/shop');
  await live(page);
  await page.getByRole('button', {name: 'Copy link'}).click();
  const link = new URL(await readClipboard(page));
  expect(link.pathname).toBe('/s/demo/sheet/Namespaces/shop');
  expect(link.searchParams.get('t')).toMatch(/^\d+$/);
  expect(link.searchParams.get('r')).toBeTruthy();
  expect(link.href).not.toContain(token);
  await page.goto(link.href);
  await expect(page.getByText('PAUSED')).toBeVisible();
  await page.goto(link.href.replace(/r=[^&]+/, 'r=other'));
  await expect(page.getByText(/This link points to #\d+ of another recording/)).toBeVisible();
  await live(page);
  await page.getByRole('button', {name: 'Got it'}).click();
});

test('the namespace filter is in the address and narrows the Overview', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  await live(page);
  await page.getByRole('button', {name: 'ns all'}).click();
  await page.getByRole('menuitemradio', {name: 'ops'}).click();
  await expect(page).toHaveURL(/ns=ops/);
  await expect(page.getByRole('button', {name: 'ns ops'})).toBeFocused();
  await expect(page.getByRole('region', {name: 'Root writes'})).not.toContainText('shop/');
});

test('the theme follows the system until a person chooses', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  await live(page);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({colorScheme: 'light'});
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({contrast: 'more'});
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'hc');
  await page.getByRole('button', {name: 'Theme'}).click();
  await page.getByRole('menuitemradio', {name: 'Dark'}).press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => localStorage.getItem('krtscope'))).toContain('"theme":"dark"');
});

test('the tour: the Service that selects nothing, a Pod without a Workload, a wave that stops', async ({
  page,
  visit,
  cluster,
}) => {
  await cluster.create(resources.Pods, stuckPod);
  await page.addInitScript(() => {
    if (sessionStorage.getItem('tour') === null) localStorage.removeItem('krtscope');
    sessionStorage.setItem('tour', '1');
  });
  await visit('/');
  const tour = page.getByRole('complementary', {name: 'Tour'});
  await tour.getByRole('button', {name: 'Start tour'}).click();
  await expect(tour).toContainText('1 of 3');
  await tour.getByRole('button', {name: 'Show me the Service'}).click();
  await expect(page).toHaveURL(/\/why-not\/ServiceInfos\/shop%2Frecommendations/);
  await expect(tour).toContainText('You see the selector');
  await expectAccessible(page);
  await tour.getByRole('button', {name: 'Next'}).click();
  await expect(tour).toContainText('2 of 3');
  await tour.getByRole('button', {name: 'Show me the Pod'}).click();
  await expect(page).toHaveURL(/\/origin\/Workloads\//);
  await expect(tour).toContainText('why there is no Workload');
  await expect(page.getByRole('main').locator('.origin-sentence')).toContainText(/^Workload /);
  await tour.getByRole('button', {name: 'Next'}).click();
  await tour.getByRole('button', {name: 'Open the graph'}).click();
  await expect(page).toHaveURL(/\/graph\//);
  await tour.getByRole('button', {name: 'Done'}).click();
  await expect(tour).toBeHidden();
  await page.reload();
  await live(page);
  await expect(tour).toBeHidden();
});

test('a session that is not open says so and offers what is', async ({visit}) => {
  const page = await visit('/s/nowhere/overview');
  await expect(page.getByText('“nowhere” is not open')).toBeVisible();
  await page.getByRole('button', {name: 'Go to the default session'}).click();
  await expect(page).toHaveURL(/\/s\/demo\/overview$/);
});

test('reduced motion: nothing animates', async ({page, visit}) => {
  await page.emulateMedia({reducedMotion: 'reduce'});
  await visit('/s/demo/graph');
  await expect(page.getByRole('main')).toBeVisible();
  const longest = await page.evaluate(() =>
    Math.max(0, ...document.getAnimations().map(one => Number(one.effect?.getTiming().duration ?? 0))),
  );
  expect(longest).toBeLessThan(1);
});

test('Ctrl-K finds what is computed beside what it is computed from, and counts the rest', async ({
  visit,
}) => {
  const page = await visit('/s/demo/sheet');
  await expect(page.getByRole('grid').first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('payments');
  const list = page.getByRole('listbox', {name: 'Matches'});
  await expect(list.getByRole('option', {name: /^Pods/}).first()).toBeVisible();
  await expect(list.getByRole('option', {name: /^Workloads/}).first()).toBeVisible();
  await expect(list.getByText(/\d+ of \d+ items shown/)).toBeVisible();
});

test('an address that names nothing says so and offers what is there', async ({visit}) => {
  const page = await visit('/s/demo/nowhere');
  await expect(page.getByText('There is no view “nowhere”')).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', {name: /^Sheet/})
    .click();
  await expect(page).toHaveURL(/\/s\/demo\/sheet/);
  await visit('/s/demo/sheet/Workload');
  await expect(page.getByText('There is no collection “Workload”')).toBeVisible();
  await page.getByRole('main').getByRole('button', {name: 'Workloads', exact: true}).click();
  await expect(page.getByRole('grid').first()).toBeVisible();
});

test('a view without a session is opened in the one that runs; a moment that has not come is said to be so', async ({
  visit,
}) => {
  const page = await visit('/controllers');
  await expect(page).toHaveURL(/\/s\/demo\/controllers/);
  await page.goto(new URL('/s/demo/sheet/Pods?t=99999999', page.url()).href);
  await expect(page.getByText(/This recording has no #99999999 yet/)).toBeVisible();
  await page.getByRole('button', {name: 'Back to live', exact: true}).click();
  await expect(page.locator('.line[data-key]').first()).toBeVisible();
  await expect(page).not.toHaveURL(/t=/);
});

test('a link into another recording says so and shows the same place, live', async ({visit}) => {
  const page = await visit('/s/demo/sheet/Pods?r=another&t=4014');
  await expect(page.getByText(/This link points to #4014 of another recording/)).toBeVisible();
  await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
  await expect(page.locator('.line[data-key]').first()).toBeVisible();
  await expect(page).not.toHaveURL(/[?&][rt]=/);
  await page.getByRole('button', {name: 'Got it'}).click();
  await expect(page.getByText(/of another recording/)).toHaveCount(0);
});

test('? tells the words of the tool, too', async ({visit}) => {
  const page = await visit('/s/demo/sheet');
  await expect(page.getByRole('grid').first()).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('region', {name: 'Glossary'})).toContainText('The number of a batch');
});

test('a toast is above an open dialog', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  await live(page);
  await page.getByRole('button', {name: 'Settings'}).click();
  await page.getByRole('dialog', {name: 'Settings'}).getByRole('button', {name: 'Copy diagnostics'}).click();
  const toast = page.getByText('Diagnostics copied');
  await expect(toast).toBeVisible();
  // The browser draws a popover that opens after a dialog above it.
  expect(await toast.evaluate(element => element.closest('.toasts')!.matches(':popover-open'))).toBe(true);
});

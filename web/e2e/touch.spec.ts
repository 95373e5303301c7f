// Narrow and touch: every view at 390 and 768 has one column, controls that a thumb hits, and no sideways scroll.
import type {Page} from '@playwright/test';
import type {TestInstance} from '../../server/src/start/testing-instance.ts';
import {expect, expectNoSidewaysScroll, test} from './helpers/page-test.ts';

test.use({viewport: {width: 390, height: 844}, hasTouch: true});

interface Items {
  items: {key: string}[];
}

/** Controls below 40 px. Names inside text and small pictures have a larger way to the same place. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'main button, main select, main summary, header button, nav button, [role=tab], [role=treeitem], .log button, .log select, .timeline-narrow button, aside button',
      ),
    ]
      .filter(
        one => one.closest('.chip, .rungs, .columnheader, [role=columnheader], pre, .cm-editor') === null,
      )
      .filter(
        one => !one.matches('.chip, .rung, .text-button, .text-link, .yaml-ask, .skip-link, .copy-command'),
      )
      .map(one => ({one, box: one.getBoundingClientRect()}))
      .filter(({box}) => box.width > 0 && box.height > 0 && box.height < 39.5)
      .map(({one, box}) => `${one.className} "${one.textContent?.slice(0, 20)}" ${Math.round(box.height)}`),
  );
}

for (const width of [390, 768])
  test(`controls are 40 px high on every view, and nothing scrolls sideways, ${width} wide`, async ({
    visit,
    server,
    page,
  }) => {
    await page.setViewportSize({width, height: 844});
    await expectLargeTargets(visit, server, page);
  });

async function expectLargeTargets(
  visit: (path: string) => Promise<Page>,
  server: TestInstance,
  page: Page,
): Promise<void> {
  const {items} = await server.json<Items>('/api/v1/collections/Workloads/items?q=ns:shop&limit=1');
  const key = encodeURIComponent(items[0]!.key);
  const views: [string, RegExp | string][] = [
    ['/s/demo/overview', 'Incidents'],
    [`/s/demo/sheet/Workloads/${key}?ns=shop`, key],
    ['/s/demo/graph', 'Collections'],
    ['/s/demo/graph?list=1', 'ClusterSummary'],
    [`/s/demo/why/Workloads/${key}`, 'Cause'],
    ['/s/demo/origin/ServiceInfos/shop%2Frecommendations', 'Service'],
    ['/s/demo/controllers', 'In flight'],
    ['/s/demo/lab?new=1', 'Fetch tree'],
    ['/s/demo/overview?log=1', 'repeats folded'],
    ['/s/demo/what-if/Services/data%2Fredis', 'Try it'],
  ];
  const found: string[] = [];
  for (const [path, text] of views) {
    await visit(path);
    await expect(page.getByText(decodeURIComponent(String(text)).split('/').at(-1)!).first()).toBeVisible();
    await expectNoSidewaysScroll(page);
    for (const one of await smallTargets(page)) found.push(`${path}: ${one}`);
  }
  expect([...new Set(found)]).toEqual([]);
}

test('on a phone the views are in reach of the thumb, at the bottom, and a tap opens one', async ({
  visit,
  page,
}) => {
  await visit('/s/demo/overview');
  const views = page.getByRole('navigation', {name: 'Views'});
  const box = (await views.boundingBox())!;
  expect(box.y + box.height).toBeGreaterThan(840);
  expect(box.width).toBe(390);
  for (const [name, path] of [
    ['Graph', /\/graph/],
    ['Lab', /\/lab/],
    ['Sheet', /\/sheet/],
  ] as const) {
    await views.getByRole('button', {name: new RegExp(`^${name}`)}).tap();
    await expect(page).toHaveURL(path);
  }
  await views.getByRole('button', {name: 'Settings'}).tap();
  await expect(page.getByRole('dialog', {name: 'Settings'})).toBeVisible();
});

test('the Lab by thumb: an example, its rows, its fetch tree and its checks', async ({visit, page}) => {
  await visit('/s/demo/lab');
  await page.getByRole('button', {name: /Pods without a Service/}).tap();
  await expect(page.getByRole('toolbar', {name: 'Lab'})).toContainText(/\d+ \/ \d+ rows/);
  await page.getByRole('tab', {name: 'Fetch tree'}).tap();
  await expect(page.getByRole('region', {name: 'Fetch tree'})).toBeVisible();
  await page.getByRole('tab', {name: /^Checks/}).tap();
  await expect(page.getByRole('region', {name: 'Checks'})).toContainText(/pure/i);
  await page.getByRole('tab', {name: 'Editor'}).tap();
  await page.getByRole('toolbar', {name: 'Lab'}).getByRole('button', {name: 'More'}).tap();
  await expect(page.getByRole('menu').or(page.getByRole('dialog')).first()).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test('on a phone incidents come first, and a tap shows the story of one', async ({visit, page}) => {
  await visit('/s/demo/overview');
  const incidents = page.getByRole('region', {name: 'Incidents'});
  await expect(incidents.locator('.incident').nth(1)).toBeVisible();
  const first = (await incidents.boundingBox())!;
  const sync = (await page.getByRole('region', {name: 'Sync'}).boundingBox())!;
  expect(first.y).toBeLessThan(sync.y);
  await incidents.locator('.incident').nth(1).tap();
  await expect(page.getByRole('region', {name: 'Incident', exact: true})).toBeInViewport();
});

test('scrolling to the end of a view does not move the page under its own bars', async ({visit, page}) => {
  await visit('/s/demo/overview');
  await expect(page.getByRole('region', {name: 'Checks'})).toBeAttached();
  // As the button "Ended" does.
  await page.getByRole('region', {name: 'Checks'}).evaluate(one => one.scrollIntoView({block: 'start'}));
  await expect(page.getByRole('region', {name: 'Checks'})).toBeInViewport();
  const views = (await page.getByRole('navigation', {name: 'Views'}).boundingBox())!;
  expect(views.y + views.height).toBeCloseTo(844, 0);
  expect((await page.getByRole('banner').boundingBox())!.y).toBeCloseTo(0, 0);
});

test('a row of the Sheet is tapped; the Inspector is a sheet from below and closes by its button', async ({
  visit,
  page,
}) => {
  await visit('/s/demo/sheet/Workloads?ns=shop');
  const cell = page.getByRole('gridcell', {name: /cart-/}).first();
  await expect(cell).toBeVisible();
  expect((await cell.boundingBox())!.height).toBeGreaterThanOrEqual(39);
  await cell.tap();
  const inspector = page.getByRole('complementary', {name: 'Inspector'});
  await expect(inspector).toBeVisible();
  expect((await inspector.boundingBox())!.y).toBeGreaterThan(300);
  await inspector.getByRole('button', {name: /Close/}).tap();
  await expect(inspector).toHaveCount(0);
});

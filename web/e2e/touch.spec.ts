// Narrow and touch: every view at 390 has one column, controls that a thumb hits, and no sideways scroll.
import type {Page} from '@playwright/test';
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
        'main button, main select, main summary, header button, nav button, [role=tab], .timeline-narrow button, aside button',
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

test('controls are 40 px high on every view, and nothing scrolls sideways', async ({visit, server, page}) => {
  const {items} = await server.json<Items>('/api/v1/collections/Workloads/items?q=ns:shop&limit=1');
  const key = encodeURIComponent(items[0]!.key);
  const views: [string, RegExp | string][] = [
    ['/s/demo/overview', 'Incidents'],
    [`/s/demo/sheet/Workloads/${key}?ns=shop`, key],
    ['/s/demo/graph', 'Collections'],
    [`/s/demo/why/Workloads/${key}`, 'Cause'],
    ['/s/demo/origin/ServiceInfos/shop%2Frecommendations', 'Service'],
    ['/s/demo/controllers', 'In flight'],
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

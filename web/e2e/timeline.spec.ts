// The Timeline: pause, step, scrub, zoom, select a range, and back to live; the whole page follows.
import {expect, expectAccessible, labelNamespace, test} from './helpers/page-test.ts';

test('Space pauses on a moment, news are counted, a click goes back to live', async ({visit, cluster}) => {
  await labelNamespace(cluster, 'shop');
  const page = await visit('/s/demo/sheet/Namespaces/shop');
  const value = page.getByRole('complementary', {name: 'Inspector'}).getByRole('figure', {name: 'Value'});
  await expect(value).toContainText('istio.io/use-waypoint');
  await page.keyboard.press('Space');
  await expect(page.getByText('PAUSED')).toBeVisible();
  await expect(page).toHaveURL(/t=\d+/);
  const later = await labelNamespace(cluster, 'shop');
  await expect(page.getByRole('button', {name: /^[1-9]\d* new, back to live/})).toBeVisible();
  await expect(value).not.toContainText(later);
  await page.getByRole('button', {name: /new, back to live/}).click();
  await expect(value).toContainText(later);
});

test('the keys of time count while the Timeline is still being loaded', async ({visit, context}) => {
  let load = () => {};
  const held = new Promise<void>(resolve => {
    load = resolve;
  });
  await context.route(/\/Timeline-[^/]*\.js$/, async route => {
    await held;
    await route.continue();
  });
  const page = await visit('/s/demo/sheet/Namespaces');
  await expect(page.getByRole('grid').first()).toBeVisible();
  await page.keyboard.press('e');
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/t=\d+/);
  await expect(page.getByText('PAUSED')).toBeVisible();
  await expect(page.getByRole('slider', {name: 'Moment'})).toHaveCount(0);
  load();
  await expect(page.getByRole('slider', {name: 'Moment'})).toBeVisible();
  await expect(page.getByRole('region', {name: 'Runs', exact: true})).toBeVisible();
});

test('the slider by keys: one event back, one on, the oldest, live; W and S zoom only here', async ({
  visit,
  cluster,
}) => {
  await labelNamespace(cluster, 'shop');
  const page = await visit('/s/demo/overview');
  const slider = page.getByRole('slider', {name: 'Moment'});
  await slider.focus();
  await expect(slider).toHaveAttribute('aria-valuetext', 'live');
  const newest = Number(await slider.getAttribute('aria-valuemax'));
  await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuenow', String(newest - 1));
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(new RegExp(`t=${newest - 2}`));
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuenow', String(newest - 1));
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuenow', (await slider.getAttribute('aria-valuemin'))!);
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/\/overview.*zoom=\d+-\d+/);
  await page.getByRole('button', {name: 'show all'}).click();
  await expect(page).not.toHaveURL(/zoom=/);
  await slider.focus();
  await page.keyboard.press('End');
  await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
});

test('dragging the ruler scrubs the whole page; dragging the chart selects a range to zoom into', async ({
  visit,
  cluster,
}) => {
  await labelNamespace(cluster, 'web');
  const page = await visit('/s/demo/overview');
  const slider = page.getByRole('slider', {name: 'Moment'});
  const box = (await slider.boundingBox())!;
  const ruler = (share: number) => [box.x + box.width * share, box.y + 64] as const;
  const chart = (share: number) => [box.x + box.width * share, box.y + 40] as const;
  await page.mouse.move(...ruler(0.2));
  await page.mouse.down();
  await page.mouse.move(...ruler(0.5), {steps: 4});
  await expect(page.getByText('PAUSED')).toBeVisible();
  await page.mouse.move(...ruler(0.999));
  await page.mouse.up();
  await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
  await page.mouse.move(...chart(0.02));
  await page.mouse.down();
  await page.mouse.move(...chart(0.98), {steps: 4});
  await page.mouse.up();
  await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
  await expect(page.getByText(/\d+ writes, \d+ runs, \d+ changed/)).toBeVisible();
  await page.getByRole('button', {name: 'Zoom'}).click();
  await expect(page).toHaveURL(/zoom=\d+-\d+/);
});

test('the pointer shows what happened, the wheel zooms at it, a double click shows everything again', async ({
  visit,
  cluster,
}) => {
  const page = await visit('/s/demo/overview');
  const slider = page.getByRole('slider', {name: 'Moment'});
  await expect(slider).toBeVisible();
  await labelNamespace(cluster, 'shop');
  const box = (await slider.boundingBox())!;
  const tip = page.getByRole('tooltip');
  await expect(async () => {
    // The write is the newest bar, and moves to the left with time.
    for (let share = 0.995; share > 0.85; share -= 0.005) {
      await page.mouse.move(box.x + box.width * share, box.y + 40);
      if (/kubectl-label/.test((await tip.textContent()) ?? '')) break;
    }
    await expect(tip).toContainText(/\d\d:\d\d:\d\d/, {timeout: 100});
    await expect(tip).toContainText(/#\d+/, {timeout: 100});
    await expect(tip).toContainText(/1 write by kubectl-label/, {timeout: 100});
    await expect(tip).toContainText(/\d+ runs?: \d+ changed/, {timeout: 100});
  }).toPass();

  const before = await slider.locator('.timeline-axis').textContent();
  await page.mouse.wheel(0, -400);
  await expect(page).toHaveURL(/zoom=\d+-\d+/);
  await expect(slider.locator('.timeline-axis')).not.toHaveText(before!);
  await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 64);
  await expect(page).not.toHaveURL(/zoom=/);
  await page.mouse.move(box.x, box.y - 200);
  await expect(tip).toHaveCount(0);
});

test('a zoom does not move the chart under the pointer', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  const chart = page.getByRole('slider', {name: 'Moment'});
  await expect(chart).toBeVisible();
  const left = async () => (await chart.boundingBox())!.x;
  const before = await left();
  await page.keyboard.press('Space');
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let n = 0; n < 4; n++) await page.mouse.wheel(0, -240);
  await expect(page.getByRole('button', {name: 'show all'})).toBeVisible();
  expect(await left()).toBe(before);
});

test('a moment outside the zoomed range has an arrow at the edge, which leads there', async ({
  visit,
  cluster,
}) => {
  await labelNamespace(cluster, 'shop');
  const page = await visit('/s/demo/overview');
  const slider = page.getByRole('slider', {name: 'Moment'});
  await slider.focus();
  const newest = Number(await slider.getAttribute('aria-valuemax'));
  await page.goto(page.url().replace(/\?.*|$/, `?t=${newest}&zoom=1000-60000`));
  const arrow = page.getByRole('button', {name: new RegExp(`^Show moment #${newest} `)});
  await expect(arrow).toContainText('▸');
  await expect(page.locator('.playhead')).toHaveCount(0);
  await arrow.click();
  await expect(arrow).toHaveCount(0);
  await expect(page.locator('.playhead')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`t=${newest}`));
});

test('a selected range leads to the rows that changed in it, as they were at its end', async ({
  visit,
  cluster,
}) => {
  const page = await visit('/s/demo/sheet/Namespaces');
  const rows = page.getByRole('grid', {name: /Namespaces/}).getByRole('rowheader', {name: /^row \d+$/});
  await expect(rows.nth(2)).toBeVisible();
  const all = await rows.count();
  await labelNamespace(cluster, 'data');
  const slider = page.getByRole('slider', {name: 'Moment'});
  const box = (await slider.boundingBox())!;
  // The first list is the oldest bar: the range begins right after it and ends now.
  await page.mouse.move(box.x + box.width * 0.9, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.998, box.y + 40, {steps: 4});
  await page.mouse.up();
  await page.getByRole('button', {name: 'Rows that changed'}).click();
  await expect(page).toHaveURL(/since=\d+/);
  await expect(page.getByText('PAUSED')).toBeVisible();
  await expect(page.getByRole('button', {name: /since \d\d:\d\d:\d\d/})).toBeVisible();
  await expect(async () => expect(await rows.count()).toBeLessThan(all)).toPass();
  await page.getByRole('button', {name: /since \d\d:\d\d:\d\d/}).click();
  await expect(rows).toHaveCount(all);
});

test('the log: all runs newest first, repeats folded, filters in the URL, a line leads to its Why', async ({
  visit,
  cluster,
}) => {
  await labelNamespace(cluster, 'shop');
  const page = await visit('/s/demo/sheet');
  await expect(page.getByRole('grid').first()).toBeVisible();
  await page.keyboard.press('e');
  const log = page.getByRole('region', {name: 'Runs', exact: true});
  await expect(
    log.getByRole('button', {name: /Workloads \d+ items.*because Namespaces shop/}).first(),
  ).toBeVisible();
  await log.getByRole('combobox', {name: 'Outcome'}).selectOption('changed');
  await expect(page).toHaveURL(/logo=changed/);
  await log.getByRole('textbox', {name: 'Filter runs'}).fill('namespaces shop');
  const folded = log.getByRole('button', {name: /Workloads \d+ items/}).first();
  await folded.click();
  await expect(folded).toHaveAttribute('aria-expanded', 'true');
  await expectAccessible(page);
  await log
    .getByRole('button', {name: /Workloads shop\/cart.*changed/})
    .first()
    .click();
  await expect(page).toHaveURL(/\/why\/Workloads\/shop%2Fcart.*run=/);
});

test('the log stands still under the pointer, and says how many runs are newer', async ({visit, cluster}) => {
  await labelNamespace(cluster, 'shop');
  const page = await visit('/s/demo/overview?log=1');
  const log = page.getByRole('region', {name: 'Runs', exact: true});
  const first = log.getByRole('button', {name: /because/}).first();
  await expect(first).toBeVisible();
  await first.hover();
  const text = await first.textContent();
  await labelNamespace(cluster, 'shop');
  const newer = log.getByRole('button', {name: /^\d+ new$/});
  await expect(newer).toBeVisible();
  expect(await first.textContent()).toBe(text);
  await newer.click();
  await expect(newer).toHaveCount(0);
  await expect(first).not.toHaveText(text!);
});

test('what is kept is always said, in time, runs and megabytes', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  const timeline = page.getByRole('region', {name: 'Timeline'});
  await expect(timeline).toContainText(/kept \d+ (s|min) \/ \S+ of 50k runs/);
  await expect(timeline).toContainText(/of 64 MB/);
  await expectAccessible(page);
});

test('narrow: one line, a tap opens it', async ({page, visit}) => {
  await page.setViewportSize({width: 1024, height: 768});
  await visit('/s/demo/overview');
  await page.getByRole('button', {name: 'Open the Timeline'}).click();
  await expect(page.getByRole('slider', {name: 'Moment'})).toBeVisible();
});

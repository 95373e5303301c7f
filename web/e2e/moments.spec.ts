// A moment is one state: however it is chosen, every view shows what held after that batch, here, in another tab and later.
import type {Page} from '@playwright/test';
import {expect, test} from './helpers/page-test.ts';

// More than is kept by default: on a slow machine the first of the moments would roll off before the last is looked at.
const roomy = ['--history-runs', '1000000', '--history-mb', '512'];
test.use({
  flags: ['--demo-seed', '7', '--demo-pace', '8', ...roomy],
  viewport: {width: 1440, height: 3000},
});

interface Items {
  total: number;
  items: {key: string; value: {status?: {phase?: string}}}[];
}

/** The keys and phases on the page, once the sheet draws the moment of the address. */
async function drawnKeys(page: Page, moment: number): Promise<string[]> {
  const sheet = page.locator(`.sheet[data-moment="${moment}"]`);
  // A page that is loaded anew on a busy machine.
  await expect(sheet.locator('.line[data-key]').first()).toBeVisible({timeout: 45_000});
  return sheet
    .locator('.line[data-key]')
    .evaluateAll(lines =>
      lines
        .map(
          line => `${line.getAttribute('data-key')} ${line.querySelectorAll('.cell-text')[1]?.textContent}`,
        )
        .sort(),
    );
}

test('fifty moments: the rows equal what the API says, before and after a reload, in another tab and from the exported file', async ({
  visit,
  server,
  context,
}) => {
  test.setTimeout(400_000);
  const page = await visit(
    '/s/demo/sheet/Pods?cols=Pods:status.phase;!Workloads;!WorkloadServices;!Endpoints',
  );
  await expect(page.locator('.line[data-key]').first()).toBeVisible();
  const newest = async () => (await server.json<{sequence: number}>('/api/v1/graph')).sequence;
  await expect.poll(newest, {timeout: 60_000}).toBeGreaterThan(120);
  const last = await newest();
  const rowsAt = (at: number) => server.json<Items>(`/api/v1/collections/Pods/items?limit=1000&at=${at}`);
  // The first list comes in slices: before it there is nothing to compare.
  let first = 30;
  while ((await rowsAt(first)).total === 0) first += 5;
  const slider = page.getByRole('slider', {name: 'Moment'});
  let seed = 11;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const pictures = new Map<number, string[]>();
  for (let n = 0; n < 50; n++) {
    const moment = first + random(last - first);
    // Most by the pointer's way of choosing, without a new page; some as a link.
    if (n % 10 === 9) await page.goto(page.url().replace(/([?&]t=)\d+/, `$1${moment}`));
    else {
      await slider.focus();
      await page.evaluate(at => {
        const url = new URL(location.href);
        url.searchParams.set('t', String(at));
        history.pushState(null, '', url);
        dispatchEvent(new PopStateEvent('popstate'));
      }, moment);
    }
    const said = await rowsAt(moment);
    const wanted = said.items.map(one => `${one.key} ${one.value.status?.phase}`).sort();
    expect(await drawnKeys(page, moment), `moment ${moment}`).toEqual(wanted);
    await expect(page.getByText(`${said.total} of ${said.total} rows`)).toBeVisible();
    pictures.set(moment, wanted);
    // A reload takes seconds on a busy machine: one in five.
    if (n % 5 !== 0) continue;
    await page.reload({waitUntil: 'commit'});
    expect(await drawnKeys(page, moment), `moment ${moment} after a reload`).toEqual(wanted);
  }
  const bytes = Buffer.from(await (await server.get('/api/v1/recording')).arrayBuffer());
  const tab = await context.newPage();
  await tab.goto(new URL('/connect', page.url()).href);
  await tab
    .getByLabel('Recording')
    .setInputFiles({name: 'moments.krtrec', mimeType: 'application/octet-stream', buffer: bytes});
  await expect(tab).toHaveURL(/\/s\/file%3Amoments[^/]*\/overview/);
  const file = /\/s\/(file%3A[^/]*)\//.exec(tab.url())![1];
  const {search} = new URL(page.url());
  for (const [moment, wanted] of [...pictures].slice(0, 3)) {
    const place = (session: string) =>
      new URL(`/s/${session}/sheet/Pods${search.replace(/([?&]t=)\d+/, `$1${moment}`)}`, page.url()).href;
    await tab.goto(place('demo'), {waitUntil: 'commit'});
    expect(await drawnKeys(tab, moment), `moment ${moment} in another tab`).toEqual(wanted);
    await tab.goto(place(file!), {waitUntil: 'commit'});
    expect(await drawnKeys(tab, moment), `moment ${moment} from the file`).toEqual(wanted);
  }
});

test('scrubbing for as long as one likes: no subscription is left behind, the last moment stands', async ({
  visit,
  server,
}) => {
  const open = new Set<string>();
  let most = 0;
  const refused: string[] = [];
  const page = await visit('/s/demo/overview');
  page.on('websocket', socket => {
    socket.on('framesent', ({payload}) => {
      const message = JSON.parse(String(payload)) as {type: string; id: string};
      if (message.type === 'subscribe') open.add(message.id);
      if (message.type === 'unsubscribe') open.delete(message.id);
      most = Math.max(most, open.size);
    });
    socket.on('framereceived', ({payload}) => {
      if (String(payload).includes('too-many')) refused.push(String(payload));
    });
  });
  await page.goto(
    new URL('/s/demo/sheet/Pods?cols=Pods:status.phase;!Workloads;!WorkloadServices;!Endpoints', page.url())
      .href,
  );
  await expect(page.locator('.line[data-key]').first()).toBeVisible();
  const slider = page.getByRole('slider', {name: 'Moment'});
  const box = (await slider.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.1, box.y + 64);
  await page.mouse.down();
  for (let n = 0; n < 120; n++) {
    await page.mouse.move(box.x + box.width * (0.1 + 0.8 * Math.abs(Math.sin(n / 9))), box.y + 64);
  }
  await page.mouse.move(box.x + box.width * 0.4, box.y + 64);
  await page.mouse.up();
  await expect(page).toHaveURL(/t=\d+/);
  const shown = () => page.locator('.sheet').getAttribute('data-moment');
  await expect.poll(shown).not.toBe('live');
  // On a busy machine a moment on the way is drawn when the mouse is up already.
  await expect
    .poll(async () => {
      const before = await shown();
      await page.waitForTimeout(700);
      return (await shown()) === before && page.url().includes(`t=${before}`);
    })
    .toBe(true);
  const moment = Number(await shown());
  const said = await server.json<Items>(`/api/v1/collections/Pods/items?limit=1000&at=${moment}`);
  expect(await drawnKeys(page, moment)).toEqual(
    said.items.map(one => `${one.key} ${one.value.status?.phase}`).sort(),
  );
  // A moment stands still.
  const moving = () =>
    page.evaluate(
      () =>
        document.getAnimations().filter(({effect}) => {
          const {target} = effect as KeyframeEffect;
          return target?.closest('.sheet-scroll') && !(effect as KeyframeEffect).pseudoElement;
        }).length,
    );
  expect(await moving()).toBe(0);
  expect(refused).toEqual([]);
  expect(most).toBeLessThan(48);
  await expect(page.getByText(/new$/)).toHaveCount(0);
});

test('back to live shows the present alone', async ({visit, server}) => {
  const page = await visit('/s/demo/sheet/Namespaces');
  const slider = page.getByRole('slider', {name: 'Moment'});
  const box = (await slider.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.3, box.y + 40);
  await expect(page.getByText('PAUSED')).toBeVisible();
  await expect(page.locator('.sheet:not([data-moment="live"])')).toBeVisible();
  await page.getByRole('button', {name: 'Live', exact: true}).click();
  await expect(page.locator('.sheet[data-moment="live"]')).toBeVisible();
  const said = await server.json<Items>('/api/v1/collections/Namespaces/items?limit=1000');
  await expect(page.getByText(`${said.total} of ${said.total} rows`)).toBeVisible();
  await expect(page.locator('.line-gone')).toHaveCount(0);
});

test('the playhead is grabbed where it stands, drags and marks nothing', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  const slider = page.getByRole('slider', {name: 'Moment'});
  const box = (await slider.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.5, box.y + 40);
  await expect(page.getByText('PAUSED')).toBeVisible();
  // One moment has one time, at the playhead and beside the chart.
  const [, then] = /(#\d+ \d\d:\d\d:\d\d)/.exec(
    await page
      .locator('.timeline-apart', {hasText: /then.*:\d\d$/})
      .innerText()
      .then(text => text.replace(/\s+/g, ' ')),
  )!;
  await expect(page.locator('.playhead-time')).toHaveText(then!);
  const handle = (await page.locator('.playhead-handle').boundingBox())!;
  const before = Number(await slider.getAttribute('aria-valuenow'));
  await page.mouse.move(handle.x + handle.width / 2, handle.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.25, handle.y + 4, {steps: 6});
  await page.mouse.up();
  await expect.poll(async () => Number(await slider.getAttribute('aria-valuenow'))).toBeLessThan(before);
  await expect(page.locator('.brush')).toHaveCount(0);
  expect(await page.evaluate(() => String(getSelection()))).toBe('');
});

test('the counts of a marked stretch stand still while time goes on', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  const box = (await page.getByRole('slider', {name: 'Moment'}).boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.2, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 8, {steps: 4});
  await page.mouse.up();
  const words = page.locator('.brush-card span[aria-busy="false"]');
  await expect(words).toContainText(/[1-9]\d* writes/);
  const first = await words.textContent();
  const clock = page.locator('.live-clock');
  const second = await clock.textContent();
  await expect(clock).not.toHaveText(second!);
  await expect.poll(() => clock.textContent(), {intervals: [3000]}).not.toBe(second);
  expect(await words.textContent()).toBe(first);
});

test('play: the moment moves on by itself, a grab stops it', async ({visit, server}) => {
  const page = await visit('/s/demo/overview');
  // Sixteen times as fast, a short past is over before anybody sees it.
  const kept = async () => {
    const {from, to} = await server.json<{from: number; to: number}>('/api/v1/timeline?buckets=1');
    return to - from;
  };
  await expect.poll(kept, {timeout: 60_000}).toBeGreaterThan(30_000);
  const slider = page.getByRole('slider', {name: 'Moment'});
  const box = (await slider.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.1, box.y + 40);
  await page.getByRole('button', {name: '16×', exact: true}).click();
  const from = Number(await slider.getAttribute('aria-valuenow'));
  await page.getByRole('button', {name: 'Play from here'}).click();
  await expect.poll(async () => Number(await slider.getAttribute('aria-valuenow'))).toBeGreaterThan(from + 5);
  await expect(page.getByRole('button', {name: 'Stop playing'})).toBeVisible();
  await page.mouse.click(box.x + box.width * 0.1, box.y + 40);
  await expect(page.getByRole('button', {name: 'Play from here'})).toBeVisible();
});

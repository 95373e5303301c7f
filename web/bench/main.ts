// npm run bench:web [-- NAME…]: the page's budgets, measured in Chromium on the demo and printed as one table.
// Names: first, bytes, scroll, storm, scrub, graph, pan, lab. Ends with 1 when a budget does not hold.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import type {Browser, Page} from '@playwright/test';
import {TestInstance} from '../../server/src/start/testing-instance.ts';
import {type Budget, formatBudgets} from './budget-table.ts';
import {launchBrowser, startDemoServer} from './demo-server.ts';
import {measureHeap, readFrames, watchFrames} from './frame-timing.ts';
import {panLargeGraph} from './large-graph-pan.ts';
import {scrubOver, writeFor} from './scrub.ts';
import {typeInLab} from './typing-latency.ts';
import {replaceGraph, wideGraph} from './wide-graph.ts';
import {runWriteLoad} from './write-load.ts';

const dist = join(import.meta.dirname, '..', 'dist');
const calmFlags = ['--demo-pace', '0', '--demo-seed', '1'];

/** From the command to an Overview with every collection synced. The web app is built beforehand. */
async function first(browser: Browser): Promise<Budget[]> {
  const warm = new TestInstance(['--demo', '--port', '0', '--no-open']);
  await warm.address();
  await warm.stop();
  const started = Date.now();
  const {open, close} = await startDemoServer(browser, calmFlags);
  try {
    const page = await open('/');
    await page
      .getByRole('region', {name: 'Sync'})
      .getByText(/^19\s*synced$/)
      .waitFor({timeout: 60_000});
    const took = Date.now() - started;
    return [
      {name: 'first useful picture, demo', measured: `${took} ms`, budget: '10000 ms', holds: took <= 10_000},
    ];
  } finally {
    await close();
  }
}

/** Every script that the landing page loads, compressed. */
async function bytes(browser: Browser): Promise<Budget[]> {
  const {open, close} = await startDemoServer(browser, calmFlags);
  try {
    const page = await open('/');
    await page.getByRole('region', {name: 'Incidents'}).waitFor();
    const paths = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(one => new URL(one.name).pathname)
        .filter(path => path.endsWith('.js')),
    );
    const total =
      paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(dist, path))).length, 0) / 1024;
    const measured = `${total.toFixed(0)} KB in ${paths.length} files`;
    return [{name: 'initial JavaScript, gzip', measured, budget: '300 KB', holds: total <= 300}];
  } finally {
    await close();
  }
}

async function scroll(browser: Browser): Promise<Budget[]> {
  const pods = Number(process.env.BENCH_PODS ?? 100_000);
  const {open, close, server} = await startDemoServer(browser, [
    '--demo-pods',
    String(pods),
    '--demo-pace',
    '0',
  ]);
  try {
    await server.get('/healthz');
    const page = await open('/s/demo/sheet/Pods?i=0');
    const grid = page.getByRole('grid').first();
    await grid.waitFor({timeout: 300_000});
    await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length > 50, null, {
      timeout: 300_000,
    });
    const box = (await grid.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await watchFrames(page);
    const end = Date.now() + 15_000;
    while (Date.now() < end) {
      await page.mouse.wheel(0, 2400);
      await page.waitForTimeout(30);
    }
    const {frames, slow} = await readFrames(page);
    const measured = `${(slow * 100).toFixed(1)} % of ${frames} frames over 50 ms`;
    return [
      {name: `scrolling ${pods.toLocaleString('en')} rows`, measured, budget: '5 %', holds: slow <= 0.05},
    ];
  } finally {
    await close();
  }
}

async function busy(browser: Browser): Promise<Budget[]> {
  const seconds = Number(process.env.BENCH_SECONDS ?? 60);
  const on = await startDemoServer(browser, calmFlags);
  try {
    const page = await on.open('/s/demo/sheet/Pods');
    await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length > 50);
    const config = await on.kubeconfig();
    const client = await on.cluster();
    await runWriteLoad(config, client, 200, 3);
    const before = await measureHeap(page);
    await watchFrames(page);
    const {written, refused, seconds: took} = await runWriteLoad(config, client, 1000, seconds);
    const {longest, slow} = await readFrames(page);
    const after = await measureHeap(page);
    if (refused > 0) console.error(`${refused} writes were refused`);
    const rate = Math.round(written / took);
    const told = `${rate} changes/s for ${seconds} s`;
    return [
      {name: 'changes written a second', measured: String(rate), budget: '1000', holds: rate >= 950},
      {
        name: `longest task, ${told}`,
        measured: `${Math.round(longest)} ms`,
        budget: '100 ms',
        holds: longest <= 100,
      },
      {
        name: 'frames over 50 ms meanwhile',
        measured: `${(slow * 100).toFixed(1)} %`,
        budget: '5 %',
        holds: slow <= 0.05,
      },
      {
        name: 'heap before and after',
        measured: `${before.toFixed(1)} to ${after.toFixed(1)} MB`,
        budget: 'at most 20 MB more',
        holds: after - before <= 20,
      },
    ];
  } finally {
    await on.close();
  }
}

/** The demo at its own pace plus twenty writes a second, so that every pointer move passes a moment. */
async function scrub(browser: Browser): Promise<Budget[]> {
  const {open, close, cluster} = await startDemoServer(browser, ['--demo-seed', '1']);
  try {
    const page = await open('/s/demo/sheet/Pods');
    await page.locator('.line[data-key]').first().waitFor({timeout: 60_000});
    await writeFor(await cluster(), 20_000);
    const {perSecond, passed, kilobytes} = await scrubOver(page);
    const measured = `${perSecond.toFixed(1)} a second of ${passed.toFixed(0)} passed, ${kilobytes.toFixed(0)} KB each`;
    return [{name: 'moments drawn while scrubbing', measured, budget: '10 a second', holds: perSecond >= 10}];
  } finally {
    await close();
  }
}

/** Zooms into the middle of the graph and pans: nodes become elements as they enter the view. */
async function zoomIn(page: Page, count: number): Promise<Budget> {
  const box = (await page.getByRole('region', {name: 'Graph'}).boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await watchFrames(page);
  for (let turn = 0; turn < 24; turn++) {
    await page.mouse.wheel(0, -120);
    await page.waitForTimeout(60);
  }
  await page.mouse.down();
  await page.mouse.move(box.x + 80, box.y + 160, {steps: 24});
  await page.mouse.up();
  await page.waitForTimeout(1500);
  const {longest} = await readFrames(page);
  const elements = await page.evaluate(() => document.querySelectorAll('.react-flow__node').length);
  return {
    name: `the same, zoomed into and moved across (${elements} of ${count} in view)`,
    measured: `${Math.round(longest)} ms`,
    budget: '100 ms',
    holds: longest <= 100,
  };
}

async function pan(browser: Browser): Promise<Budget[]> {
  const {open, close, url} = await startDemoServer(browser, calmFlags);
  try {
    return await panLargeGraph(open, url);
  } finally {
    await close();
  }
}

async function graph(browser: Browser): Promise<Budget[]> {
  const {open, close, url} = await startDemoServer(browser, calmFlags);
  try {
    const rows: Budget[] = [];
    for (const count of [150, 500]) {
      const page = await open('/s/demo/overview');
      await page.getByRole('region', {name: 'Sync'}).waitFor();
      await replaceGraph(page, wideGraph(count));
      await page.goto(`${url}/s/demo/overview`);
      await page.getByRole('region', {name: 'Sync'}).getByText(`${count} collections`).waitFor();
      await watchFrames(page);
      await page.evaluate(budget => {
        history.pushState(null, '', `/s/demo/graph?budget=${budget}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, count);
      await page.getByText(`drawn ${count} of ${count}`).waitFor({timeout: 30_000});
      await page.waitForTimeout(3000);
      const {longest} = await readFrames(page);
      rows.push({
        name: `graph of ${count} nodes, longest task`,
        measured: `${Math.round(longest)} ms`,
        budget: '100 ms',
        holds: longest <= 100,
      });
      rows.push(await zoomIn(page, count));
      await page.context().close();
    }
    return rows;
  } finally {
    await close();
  }
}

/** A key in the Lab's editor, the pause after it, the draft's run, and its redrawn column. */
async function lab(browser: Browser): Promise<Budget[]> {
  const {open, close} = await startDemoServer(browser, ['--demo-pods', '10000', '--demo-pace', '0']);
  try {
    const page = await open('/s/demo/lab');
    await page.getByRole('button', {name: /New draft/}).click({timeout: 120_000});
    const times = (await typeInLab(page)).sort((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)] ?? Number.NaN;
    return [
      {
        name: 'from the key to the pixels, draft over 10,000 Pods',
        measured: `${Math.round(median)} ms (at most ${Math.round(times.at(-1) ?? Number.NaN)})`,
        budget: '300 ms',
        holds: median <= 300,
      },
    ];
  } finally {
    await close();
  }
}

const parts = {first, bytes, scroll, storm: busy, scrub, graph, pan, lab};
const requested = process.argv.slice(2);
const unknown = requested.find(name => !(name in parts));
if (unknown !== undefined) {
  console.error(`no benchmark is called ${unknown}; there are ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
const browser = await launchBrowser();
const rows: Budget[] = [];
for (const [name, run] of Object.entries(parts)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  console.error(`measuring ${name}…`);
  try {
    rows.push(...(await run(browser)));
  } catch (error) {
    const [first] = String(error).split('\n');
    rows.push({name, measured: `failed: ${first}`, budget: '', holds: false});
  }
}
await browser.close();
console.log(formatBudgets(rows));
process.exitCode = rows.every(row => row.holds) ? 0 : 1;

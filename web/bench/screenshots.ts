// npm run screenshots [-- NAME…]: each view of the demo, dark and light, into docs/screenshots. The same seed and the same
// writes each time, so that a picture changes when the page does.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {BrowserContext, Page} from '@playwright/test';
import {resources} from '../../server/src/kube/resource.ts';
import {type DemoServer, launchBrowser, startDemoServer} from './demo-server.ts';
import {ShopWrites} from './shop-writes.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');

/** The subject of the pictures: an item, the batch of the write that changed it, a Pod with a wrong label. */
interface Story {
  item: string;
  turn: number;
  wrong: string;
  /** A Pod whose label was changed, the incident of that write, and the newest batch. */
  relabelled: string;
  incident: string;
  newest: number;
}

interface Shot {
  name: string;
  path: (story: Story) => string;
  themes?: string[];
  size?: {width: number; height: number};
  /** Waits for the content that the picture needs. */
  wait: (page: Page) => Promise<unknown>;
}

const isInspectorShown = (page: Page) =>
  page.getByRole('complementary', {name: 'Inspector'}).getByRole('figure').waitFor();

const shots: Shot[] = [
  {
    name: 'overview',
    path: ({incident}) => `/s/demo/overview?incident=${encodeURIComponent(incident)}`,
    wait: page => page.getByRole('list', {name: 'How it began'}).waitFor(),
  },
  {
    name: 'sheet',
    path: ({item, turn}) => `/s/demo/sheet/Workloads/${item}?ns=shop&t=${turn}`,
    themes: ['dark', 'light', 'hc'],
    wait: isInspectorShown,
  },
  {
    name: 'graph',
    path: ({turn}) => `/s/demo/graph/Workloads?t=${turn}`,
    themes: ['dark', 'light', 'hc'],
    wait: page => page.getByRole('region', {name: /Wave at/}).waitFor(),
  },
  {
    name: 'origin',
    path: ({relabelled}) => `/s/demo/origin/WorkloadServices/${relabelled}?ns=shop&input=1`,
    wait: page => page.getByRole('region', {name: 'The write'}).waitFor(),
  },
  {
    name: 'compare',
    path: ({turn, newest}) => `/s/demo/sheet/Workloads?ns=shop&t=${turn - 1}&vs=${newest}`,
    wait: page =>
      page.getByRole('complementary', {name: 'Differences'}).getByRole('region').first().waitFor(),
  },
  {
    name: 'why',
    path: ({item, turn}) => `/s/demo/why/Workloads/${item}?ns=shop&t=${turn}`,
    wait: page => page.getByRole('region', {name: 'Cause'}).getByText('Root write', {exact: true}).waitFor(),
  },
  {
    name: 'why-not',
    path: ({wrong, turn}) =>
      `/s/demo/why-not/ServiceInfos/shop%2Fcatalog?ns=shop&expected=${encodeURIComponent(`Pods/${wrong}`)}&t=${turn}`,
    wait: page => page.getByRole('region', {name: 'To make it match'}).first().waitFor(),
  },
  {
    name: 'lab',
    path: () => '/s/demo/lab?ns=shop',
    wait: async page => {
      await page.getByRole('button', {name: /Pods without a Service/}).click();
      await page
        .getByRole('gridcell', {name: /^catalog-/})
        .first()
        .click();
      await page.getByRole('region', {name: 'Fetch tree'}).getByText('Services').first().waitFor();
      await page.getByRole('region', {name: 'Checks'}).waitFor();
    },
  },
  {
    name: 'controllers',
    path: () => '/s/demo/controllers?c=replicaset-controller',
    wait: async page => {
      await page.getByRole('region', {name: 'Results'}).getByRole('button').first().click();
      await page.getByRole('region', {name: 'Attempts'}).getByRole('button').first().click();
      await page.keyboard.press('w');
      await page.getByRole('region', {name: 'Why it ran'}).waitFor();
    },
  },
  {
    name: 'connect',
    path: () => '/connect',
    wait: page => page.getByRole('radio').first().waitFor(),
  },
  {
    name: 'sheet-narrow',
    path: ({item, turn}) => `/s/demo/sheet/Workloads/${item}?ns=shop&t=${turn}`,
    size: {width: 1024, height: 768},
    wait: isInspectorShown,
  },
  {
    name: 'palette',
    path: () => '/s/demo/overview',
    wait: async page => {
      await page.getByRole('region', {name: 'Incidents'}).getByRole('button').first().waitFor();
      await page.keyboard.press('Control+K');
      await page.keyboard.type('payments');
      await page
        .getByRole('option', {name: /payments/})
        .first()
        .waitFor();
    },
  },
  {
    name: 'shortcuts',
    path: ({turn}) => `/s/demo/sheet/Workloads?ns=shop&t=${turn}`,
    wait: async page => {
      await page.getByRole('gridcell', {name: /cart-/}).first().click();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
];

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

/** A typical kubeconfig: the demo's cluster, another one, and one whose server is gone. */
async function writeContexts(on: DemoServer): Promise<void> {
  const {cluster} = await on.server.json<{cluster: {server: string}}>('/api/v1/session');
  const servers = {
    'kind-shop': cluster.server,
    'staging-eu': cluster.server,
    'prod-eu': 'https://127.0.0.1:1',
  };
  const entry = ([name, server]: [string, string]) => ({
    cluster: {name, cluster: {server, 'insecure-skip-tls-verify': true}},
    context: {name, context: {cluster: name, user: 'me'}},
  });
  const entries = Object.entries(servers).map(entry);
  mkdirSync(join(on.server.home, '.kube'), {recursive: true});
  writeFileSync(
    join(on.server.home, '.kube', 'config'),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'kind-shop',
      clusters: entries.map(one => one.cluster),
      contexts: entries.map(one => one.context),
      users: [{name: 'me', user: {}}],
    }),
  );
}

async function playStory(on: DemoServer): Promise<Story> {
  await on.server.ready();
  await writeContexts(on);
  const life = await ShopWrites.begin(await on.cluster());
  await life.minute();
  await life.waypoint('shop', 'shop-wp');
  const first = async (path: string) =>
    (await on.server.json<{items: {key: string; sequence: number; value: {waypoint?: string}}[]}>(path))
      .items[0];
  const checkout = '/api/v1/collections/Workloads/items?q=ns:shop%20-l%20app=checkout&limit=1';
  let item = await first(checkout);
  for (let tries = 0; item?.value.waypoint !== 'shop-wp' && tries < 100; tries++) {
    await pause(100);
    item = await first(checkout);
  }
  const wrong = await first('/api/v1/collections/Pods/items?q=ns:shop%20-l%20app=catlog&limit=1');
  await life.after(37);
  const orders = await first('/api/v1/collections/Pods/items?q=ns:shop%20-l%20app=orders&limit=1');
  const [namespace, name] = orders!.key.split('/');
  const client = await on.cluster();
  await client.patch(
    resources.Pods,
    {namespace: namespace!, name: name!},
    {metadata: {labels: {app: 'order'}}},
    {type: 'merge', fieldManager: 'kubectl-label'},
  );
  return {
    item: encodeURIComponent(item!.key),
    turn: item!.sequence,
    wrong: wrong!.key,
    relabelled: encodeURIComponent(orders!.key),
    incident: await incidentOf(on, orders!.key),
    newest: (await on.server.json<{sequence: number}>('/api/v1/graph')).sequence,
  };
}

/** The id of the incident that this Pod's write caused, once it exists. */
async function incidentOf(on: DemoServer, key: string): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const {incidents} = await on.server.json<{
      incidents: {id: string; origin: {write: {key: string} | null}}[];
    }>('/api/v1/incidents');
    const found = incidents.find(one => one.origin.write?.key === key);
    if (found) return found.id;
    await pause(100);
  }
  throw new Error(`no incident goes back to the write of ${key}`);
}

/** Replaces this run's home folder by a neutral one. */
async function hideHomeFolder(context: BrowserContext, home: string): Promise<void> {
  const tell = (text: string) => text.replaceAll(home, '/home/you');
  await context.routeWebSocket(/\/api\/v1\/stream/, socket => {
    const server = socket.connectToServer();
    server.onMessage(text => socket.send(tell(String(text))));
  });
  await context.route(/\/api\/v1\/(contexts|sessions?)\b/, async route => {
    const response = await route.fetch();
    await route.fulfill({response, body: tell(await response.text())});
  });
}

async function shoot(on: DemoServer, shot: Shot, theme: string, story: Story): Promise<void> {
  const page = await on.open(shot.path(story), {
    theme,
    deviceScaleFactor: 2,
    prepare: context => hideHomeFolder(context, on.server.home),
    viewport: shot.size ?? {width: 1440, height: 900},
  });
  try {
    // Another build may have replaced the page's files: reload once.
    await shot.wait(page).catch(async () => {
      await page.reload();
      await shot.wait(page);
    });
    await page.evaluate(() => document.fonts.ready);
    await pause(1500);
    const file = join(folder, `${shot.name}-${theme}.png`);
    await page.screenshot({path: file, animations: 'disabled'});
    console.log(file);
  } finally {
    await page.context().close();
  }
}

mkdirSync(folder, {recursive: true});
const requested = process.argv.slice(2);
const browser = await launchBrowser();
const on = await startDemoServer(browser, ['--demo-pace', '0', '--demo-seed', '1']);
try {
  const story = await playStory(on);
  for (const shot of shots) {
    if (requested.length > 0 && !requested.includes(shot.name)) continue;
    for (const theme of shot.themes ?? ['dark', 'light']) await shoot(on, shot, theme, story);
  }
} finally {
  await on.close();
  await browser.close();
}

// npm run screenshots: each view of the demo, dark and light, into docs/screenshots. The same seed and the same writes
// each time, so that a picture changes when the page does.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from '@playwright/test';
import type {DynamicClient} from '../../server/src/kube/client.ts';
import {resources} from '../../server/src/kube/resource.ts';
import {launch, type Stage, stage} from './stage.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');

interface Shot {
  name: string;
  path: (item: string) => string;
  themes?: string[];
  size?: {width: number; height: number};
  /** What must be on the page before the picture is taken. */
  wait: (page: Page) => Promise<unknown>;
}

const shots: Shot[] = [
  {
    name: 'overview',
    path: () => '/s/demo/overview',
    wait: page => page.getByRole('region', {name: 'Problems'}).getByRole('button').first().waitFor(),
  },
  {
    name: 'sheet',
    path: item => `/s/demo/sheet/Workloads/${item}?ns=shop`,
    themes: ['dark', 'light', 'hc'],
    wait: page => page.getByRole('complementary', {name: 'Inspector'}).getByRole('figure').waitFor(),
  },
  {
    name: 'graph',
    path: () => '/s/demo/graph/Workloads',
    themes: ['dark', 'light', 'hc'],
    wait: page => page.locator('.react-flow__node').nth(5).waitFor(),
  },
  {
    name: 'why',
    path: item => `/s/demo/why/Workloads/${item}?ns=shop`,
    wait: page => page.getByRole('region', {name: 'Cause'}).waitFor(),
  },
  {
    name: 'why-not',
    path: () => '/s/demo/why-not/ServiceInfos/shop%2Frecommendations',
    wait: page => page.getByRole('main').getByRole('status').first().waitFor(),
  },
  {
    name: 'connect',
    path: () => '/connect',
    wait: page => page.getByRole('button', {name: /Open demo/}).waitFor(),
  },
  {
    name: 'sheet-narrow',
    path: item => `/s/demo/sheet/Workloads/${item}?ns=shop`,
    size: {width: 1024, height: 768},
    wait: page => page.getByRole('complementary', {name: 'Inspector'}).getByRole('figure').waitFor(),
  },
];

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Half a minute in the life of the shop: labels on Pods, Services and Namespaces, by the hands one knows. */
async function live(cluster: DynamicClient): Promise<void> {
  const {items} = await cluster.list(resources.Pods);
  const hands = ['kubelet', 'argocd', 'helm', 'kubectl-label', 'replicaset'];
  for (let turn = 0; turn < 90; turn++) {
    const pod = items[(turn * 7) % items.length]!;
    const ref = {namespace: pod.metadata.namespace, name: pod.metadata.name} as {name: string};
    const patch = {
      metadata: {[turn % 3 === 0 ? 'labels' : 'annotations']: {'shop.example/turn': String(turn)}},
    };
    await cluster.patch(resources.Pods, ref, patch, {
      type: 'merge',
      fieldManager: hands[turn % hands.length]!,
    });
    await pause(turn % 11 === 0 ? 900 : 180);
  }
  for (const namespace of ['data', 'shop']) {
    const patch = {metadata: {labels: {'istio.io/use-waypoint': `${namespace}-wp`, team: 'storefront'}}};
    await cluster.patch(resources.Namespaces, {name: namespace}, patch, {
      type: 'merge',
      fieldManager: 'kubectl-label',
    });
    await pause(700);
  }
}

async function shoot(on: Stage, shot: Shot, theme: string, item: string): Promise<void> {
  const page = await on.open(shot.path(item), {
    theme,
    deviceScaleFactor: 2,
    ...(shot.size ? {viewport: shot.size} : {}),
  });
  try {
    // A build of somebody else may have taken the page's parts away: once more with the new ones.
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
const wanted = process.argv.slice(2);
const browser = await launch();
const on = await stage(browser, ['--demo-pace', '0', '--demo-seed', '1']);
try {
  await on.server.ready();
  await live(await on.cluster());
  const {items} = await on.server.json<{items: {key: string}[]}>(
    '/api/v1/collections/Workloads/items?q=ns:shop%20-l%20app=checkout&limit=1',
  );
  const item = encodeURIComponent(items[0]!.key);
  for (const shot of shots) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue;
    for (const theme of shot.themes ?? ['dark', 'light']) await shoot(on, shot, theme, item);
  }
} finally {
  await on.close();
  await browser.close();
}

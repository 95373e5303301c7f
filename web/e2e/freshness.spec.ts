// Old rows say so: one silent kind marks the badge, its columns, its nodes and the answers that stand on it, and nothing else.
import {join} from 'node:path';
import {TestInstance} from '../../server/src/start/testing-instance.ts';
import {FaultProxy, statusBody} from '../../server/test/fault-proxy.ts';
import {demoAccess, writeKubeconfig} from './helpers/kubeconfig.ts';
import {expect, expectAccessible, test} from './helpers/page-test.ts';

test('Pods falls silent: what stands on it is marked, the rest is not, and Try now brings it back', async ({
  page,
  server,
}, info) => {
  const {cluster, user} = await demoAccess(server);
  const proxy = new FaultProxy({
    url: cluster.server,
    token: user.token!,
    ca: Buffer.from(cluster['certificate-authority-data']!, 'base64').toString(),
  });
  await proxy.start();
  const file = join(info.outputPath(), 'kubeconfig.json');
  writeKubeconfig(file, 'weather', {server: proxy.url}, {token: user.token});
  const looker = new TestInstance(['--kubeconfig', file, '--port', '0', '--no-open']);
  try {
    await looker.ready();
    const {url, token} = await looker.address();
    await page.goto(`${url}/s/weather/sheet/Workloads?ns=shop&token=${token}`);
    await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
    proxy.rules = [
      seen =>
        seen.path.startsWith('/api/v1/pods')
          ? {kind: 'answer', code: 500, body: statusBody(500, 'InternalError', 'etcdserver: leader changed')}
          : undefined,
    ];
    proxy.endWatches();
    await expect(
      page.getByRole('banner').getByRole('button', {name: /^Pods as of \d\d:\d\d:\d\d/}),
    ).toBeVisible();
    await expect(page.getByText('LIVE', {exact: true})).toHaveCount(0);
    const grid = page.getByRole('grid', {name: /Pods/});
    await expect(grid.getByText(/^as of \d\d:\d\d:\d\d$/)).toBeVisible();
    await expect(grid.getByText('behind Pods').first()).toBeVisible();
    const panel = page.getByRole('complementary', {name: 'Freshness'});
    await expect(panel.getByRole('button', {name: /^Workloads behind Pods/})).toBeVisible();
    await expect(panel.getByRole('button', {name: /^Services confirmed \d+ s ago/})).toBeVisible();
    const strip = page.getByRole('status').filter({hasText: 'No updates from Pods since'});
    await expect(strip).toContainText('collections are behind');
    await expectAccessible(page);

    await page.keyboard.press('3');
    const drawing = page.getByRole('region', {name: 'Graph'});
    await expect(drawing.getByRole('button', {name: /^Workloads,.*behind Pods/})).toBeVisible();
    await expect(drawing.getByRole('button', {name: /^SliceEndpoints,.*behind/})).toHaveCount(0);
    await page.keyboard.press('1');
    await expect(page.getByRole('region', {name: 'Checks'})).toContainText('unknown');
    const {items} = await looker.json<{items: {key: string}[]}>(
      '/api/v1/collections/Workloads/items?q=ns:shop&limit=1',
    );
    await page.goto(`${url}/s/weather/why/Workloads/${encodeURIComponent(items[0]!.key)}`);
    await expect(page.getByText(/As of \d\d:\d\d:\d\d\. No updates from Pods since then/)).toBeVisible();

    proxy.rules = [];
    await page.getByRole('button', {name: 'Try now'}).click();
    await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
    await expect(page.getByText('No updates from Pods since then')).toHaveCount(0);
  } finally {
    await looker.stop();
    await proxy.close();
  }
});

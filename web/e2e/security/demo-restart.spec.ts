// The demo's cluster process dies and cannot come back: the page says so and has a button.
import {createServer} from 'node:net';
import {processesOf, TestInstance} from '../../../server/src/start/testing-instance.ts';
import {expect, test} from '../helpers/server-test.ts';

test('a demo cluster that is gone: the page keeps its rows and restarts it by a button', async ({page}) => {
  const instance = new TestInstance(['--demo', '--demo-pace', '0', '--port', '0', '--no-open']);
  const main = instance.child.pid as number;
  const blocker = createServer(socket => socket.destroy());
  try {
    await instance.ready();
    const {url, token} = await instance.address();
    await page.goto(`${url}/s/demo/sheet/Workloads?token=${token}`);
    await expect(page.getByRole('grid').first()).toContainText('cart');
    const {cluster} = await instance.json<{cluster: {server: string}}>('/api/v1/session');
    // Another process takes its port, so the restarts by themselves fail and come less and less often.
    for (const pid of processesOf(main, 'cluster/main')) process.kill(pid, 'SIGKILL');
    const port = Number(new URL(cluster.server).port);
    await expect(async () => {
      await new Promise<void>((resolve, reject) =>
        blocker.once('error', reject).listen(port, '127.0.0.1', resolve),
      );
    }).toPass();
    const restart = page.getByRole('button', {name: 'Restart the cluster'});
    await expect(restart).toBeVisible({timeout: 60_000});
    await expect(page.getByText('The demo cluster has not answered since')).toBeVisible();
    await expect(page.getByRole('grid').first()).toContainText('cart');
    await expect
      .poll(() => instance.stderr.match(/did not start/g)?.length ?? 0, {timeout: 60_000})
      .toBeGreaterThan(2);
    await new Promise(resolve => blocker.close(resolve));
    await restart.click();
    await expect(restart).toBeHidden({timeout: 60_000});
    await instance.ready();
    expect(processesOf(main, 'cluster/main')).toHaveLength(1);
  } finally {
    blocker.close();
    await instance.stop();
  }
});

test('an engine process that ends again and again: the page says why and restarts it by a button', async ({
  page,
}) => {
  const instance = new TestInstance(['--demo', '--demo-pace', '0', '--port', '0', '--no-open']);
  const main = instance.child.pid as number;
  try {
    await instance.ready();
    const {url, token} = await instance.address();
    await page.goto(`${url}/s/demo/sheet/Workloads?token=${token}`);
    await expect(page.getByRole('grid').first()).toContainText('cart');
    const restart = page.getByRole('button', {name: 'Restart it now'});
    await expect(async () => {
      for (const pid of processesOf(main, '--permission')) process.kill(pid, 'SIGKILL');
      await expect(restart).toBeVisible({timeout: 100});
    }).toPass({timeout: 60_000, intervals: [100]});
    await expect(page.getByText(/The engine process ended \d+ times in a row: .*SIGKILL/)).toBeVisible();
    await restart.click();
    await expect(restart).toBeHidden({timeout: 60_000});
    await instance.ready();
    await expect(page.getByRole('grid').first()).toContainText('cart');
  } finally {
    await instance.stop();
  }
});

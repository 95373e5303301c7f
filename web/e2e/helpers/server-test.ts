// Fixtures for browser tests: one krtscope per worker, started as a user starts it, and a signed-in page.
import {test as base, type Page} from '@playwright/test';
import {connect} from '../../../server/src/kube/client/connect.ts';
import type {DynamicClient} from '../../../server/src/kube/client/dynamic-client.ts';
import {readKubeconfig} from '../../../server/src/kube/credentials/kubeconfig.ts';
import {TestInstance} from '../../../server/src/start/testing-instance.ts';

export {expect} from '@playwright/test';
export {resources} from '../../../server/src/kube/resource.ts';

interface WorkerFixtures {
  /** Flags after `--demo --port 0 --no-open`; `test.use({flags: [...]})` changes them for a file. */
  flags: string[];
  server: TestInstance;
  /** A client for the demo cluster's API, for writes. */
  cluster: DynamicClient;
}

interface TestFixtures {
  /** Opens a path of the app, signed in. */
  visit: (path?: string) => Promise<Page>;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  flags: [['--demo-pace', '0', '--demo-seed', '1'], {option: true, scope: 'worker'}],
  server: [
    async ({flags}, use) => {
      const server = new TestInstance(['--demo', '--port', '0', '--no-open', ...flags]);
      await server.ready();
      await use(server);
      await server.stop();
    },
    {scope: 'worker', timeout: 120_000},
  ],
  cluster: [
    async ({server}, use) => {
      const session = await server.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
      const config = readKubeconfig([session.cluster.kubeconfig]);
      await use(connect({config, context: config.currentContext ?? '', readOnly: false}));
    },
    {scope: 'worker'},
  ],
  visit: async ({page, server}, use) => {
    const {url, token} = await server.address();
    await use(async (path = '/') => {
      const address = new URL(path, url);
      address.searchParams.set('token', token);
      await page.goto(address.href);
      return page;
    });
  },
});

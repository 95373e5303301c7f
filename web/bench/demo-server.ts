// A running krtscope and a browser on it, for benchmarks and screenshots.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from '@playwright/test';
import {connect} from '../../server/src/kube/client/connect.ts';
import type {DynamicClient} from '../../server/src/kube/client/dynamic-client.ts';
import {readKubeconfig} from '../../server/src/kube/credentials/kubeconfig.ts';
import {TestInstance} from '../../server/src/start/testing-instance.ts';
import {findBrowser} from '../e2e/helpers/browser.ts';

interface OpenPageOptions {
  theme?: string;
  /** Runs before the first request. */
  prepare?: (context: BrowserContext) => Promise<void>;
}

export interface DemoServer {
  server: TestInstance;
  url: string;
  token: string;
  /** Opens a URL signed in, with the tour dismissed. */
  open(path: string, options?: BrowserContextOptions & OpenPageOptions): Promise<Page>;
  cluster(): Promise<DynamicClient>;
  kubeconfig(): Promise<string>;
  close(): Promise<void>;
}

export async function launchBrowser(): Promise<Browser> {
  const {executablePath, args} = await findBrowser();
  return chromium.launch({executablePath, args: [...args, '--enable-precise-memory-info']});
}

/** Starts the demo with these flags; the caller must close it. */
export async function startDemoServer(chromiumInstance: Browser, flags: string[]): Promise<DemoServer> {
  const server = new TestInstance(['--demo', '--port', '0', '--no-open', ...flags]);
  const {url, token} = await server.address();
  const kubeconfig = async () =>
    (await server.json<{cluster: {kubeconfig: string}}>('/api/v1/session')).cluster.kubeconfig;
  return {
    server,
    url,
    token,
    async open(path, {theme = 'dark', prepare, ...options} = {}) {
      const context = await chromiumInstance.newContext({
        viewport: {width: 1440, height: 900},
        colorScheme: theme === 'light' ? 'light' : 'dark',
        ...options,
      });
      await context.addInitScript(
        chosen => localStorage.setItem('krtscope', JSON.stringify({toured: true, theme: chosen})),
        theme,
      );
      await prepare?.(context);
      const page = await context.newPage();
      const address = new URL(path, url);
      address.searchParams.set('token', token);
      await page.goto(address.href);
      return page;
    },
    kubeconfig,
    async cluster() {
      const config = readKubeconfig([await kubeconfig()]);
      return connect({config, context: config.currentContext ?? '', readOnly: false});
    },
    async close() {
      await server.stop();
    },
  };
}

// Signing in by a cluster and by a proxy, in a real browser: the embedded cluster reviews tokens and rights.
import {connect} from '../../../server/src/kube/client/connect.ts';
import {readKubeconfig} from '../../../server/src/kube/credentials/kubeconfig.ts';
import {TestInstance} from '../../../server/src/start/testing-instance.ts';
import {expect, test} from '../helpers/server-test.ts';

/** A krtscope that shows the demo's cluster, in which jane and the user ann have the right. */
async function startBeside(server: TestInstance, ...args: string[]) {
  const {cluster} = await server.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
  const config = readKubeconfig([cluster.kubeconfig]);
  const {transport} = connect({config, context: config.currentContext ?? '', readOnly: false});
  const post = async <T>(path: string, body: object): Promise<T> =>
    (await transport.request<T>({method: 'POST', path, body})).body;
  const id = `e2e-${args.at(-1)}`;
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const metadata = {name: id};
  await post(`${rbac}/clusterroles`, {metadata, rules: [{nonResourceURLs: ['/krtscope'], verbs: ['get']}]});
  const roleRef = {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: id};
  const subjects = [{kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io'}];
  await post(`${rbac}/clusterrolebindings`, {metadata, roleRef, subjects});
  transport.close();
  const beside = new TestInstance(['--kubeconfig', cluster.kubeconfig, '--port', '0', '--no-open', ...args]);
  await expect.poll(() => beside.stdout, {timeout: 60_000}).toContain('read-only');
  return {beside, url: /krtscope is at (\S+)/.exec(beside.stdout)?.[1] ?? ''};
}

test('a proxy’s user with the right sees the page, others the reason and no form', async ({
  browser,
  server,
}) => {
  const {beside, url} = await startBeside(server, '--trusted-proxy', '127.0.0.1', '--auth', 'proxy');
  const open = async (user?: string) => {
    const headers: Record<string, string> = user === undefined ? {} : {'x-forwarded-user': user};
    const page = await (await browser.newContext({extraHTTPHeaders: headers})).newPage();
    await page.goto(url);
    return page;
  };
  try {
    const bob = await open('bob');
    await expect(bob.getByRole('alert')).toHaveText('bob may not use this krtscope.');
    await expect(bob.getByText('grants the verb get on the non-resource URL /krtscope')).toBeVisible();
    await expect(bob.locator('input')).toHaveCount(0);
    await bob.context().setExtraHTTPHeaders({'x-forwarded-user': 'ann'});
    await bob.getByRole('button', {name: 'Try again'}).click();
    await expect(bob.getByRole('navigation').first()).toBeVisible();
    await expect(bob.getByText('The server has not answered')).toBeHidden();
    const stranger = await open();
    await expect(stranger.getByRole('alert')).toHaveText('No user is signed in.');
    // The proxy signs out.
    const ann = await open('ann');
    await expect(ann.getByRole('navigation').first()).toBeVisible();
    await ann.keyboard.press('Control+k');
    await ann.keyboard.type('Sign out');
    await expect(ann.getByRole('option', {name: 'Sign out'})).toHaveCount(0);
  } finally {
    await beside.stop();
  }
});

test('with --auth kubernetes the page asks for a token of the cluster and names what is missing', async ({
  page,
  server,
}) => {
  const {beside, url} = await startBeside(server, '--auth', 'kubernetes');
  try {
    await page.goto(url);
    const field = page.getByLabel('Token of the cluster');
    await field.fill('not-a-token');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('The cluster does not accept this token');
  } finally {
    await beside.stop();
  }
});

// Is anything wrong? The Overview, the rail and the Controllers view say it: failing controllers, unknown checks, an
// incident that recovered; and a krtz document opens where it has rows.
import {type ChildProcess, fork} from 'node:child_process';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {small} from '../../server/src/attach/testing-documents.ts';
import type {TestInstance} from '../../server/src/start/testing-instance.ts';
import {expect, resources, test} from './helpers/page-test.ts';

async function startOperator(server: TestInstance): Promise<ChildProcess> {
  const {url, token} = await server.address();
  const child = fork(new URL('../../server/test/operator/every-result.ts', import.meta.url), {
    env: {PATH: process.env.PATH ?? '', HOME: server.home, KRTSCOPE_URL: `${url}/?token=${token}`},
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const path = '/api/v1/controllers/orders/requests/default%2Fall?session=program:operator';
  await expect
    .poll(async () => {
      const answer = await server.get(path);
      return answer.ok ? ((await answer.json()) as {attempts: unknown[]}).attempts.length : 0;
    })
    .toBe(7);
  return child;
}

/** A program on Go's krt whose longest chain begins at an empty collection. */
async function startKrtzProgram(): Promise<{port: number; close(): void}> {
  const chain = ['gateway/informer/Gateways', 'gateway/Listeners', 'gateway/Routes', 'gateway/Endpoints'];
  const empty = chain.map((name, at) => ({
    name,
    uid: 100 + at,
    state: {...(at > 0 && {inputCollection: chain[at - 1]!, inputs: {}}), outputs: {}, synced: true},
  }));
  const program = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify([...empty, ...small({pods: {'shop/pay': {app: 'pay'}}})]));
  });
  await new Promise<void>(resolve => program.listen(0, '127.0.0.1', resolve));
  return {
    port: (program.address() as AddressInfo).port,
    close() {
      program.close();
      program.closeAllConnections();
    },
  };
}

test('a controller that fails is on the Overview and on the rail, and one click opens what fails', async ({
  visit,
  server,
}) => {
  const child = await startOperator(server);
  try {
    const page = await visit('/s/program:operator/overview');
    const incidents = page.getByRole('region', {name: 'Incidents'});
    const failing = incidents.getByRole('button', {name: /Controller orders fails/});
    await expect(failing).toBeVisible();
    await expect(incidents).not.toContainText('No problems found');
    await expect(
      page.getByRole('navigation', {name: 'Views'}).getByRole('button', {name: /Controllers.*1 failing/}),
    ).toBeVisible();
    await failing.click();
    await expect(page).toHaveURL(/\/controllers/);
    await expect(page.getByRole('heading', {name: 'orders'})).toBeVisible();
    await expect(page.getByRole('region', {name: 'Attempts'})).toContainText('default/all');
  } finally {
    child.kill('SIGKILL');
  }
});

test('a krtz document: unknown checks are not "no problems", and the Sheet opens on rows with a picker', async ({
  visit,
}) => {
  const program = await startKrtzProgram();
  try {
    const page = await visit('/connect');
    const attach = page.getByRole('form', {name: 'Attach to a program'});
    await attach.getByRole('textbox').fill(`http://127.0.0.1:${program.port}/debug/krtz`);
    await page.keyboard.press('Enter');
    const incidents = page.getByRole('region', {name: 'Incidents'});
    await expect(incidents).toContainText('No incidents. 10 checks are unknown');
    await expect(incidents).not.toContainText('No problems found');

    await page.getByRole('button', {name: 'Sheet'}).click();
    await expect(page.getByRole('grid', {name: /Pods/})).toBeVisible();
    const picker = page.getByRole('button', {name: /^Rows by .*Pods/});
    await expect(picker).toBeVisible();
    await picker.click();
    await page.getByRole('menuitemradio', {name: /gateway\/informer\/Gateways/}).click();
    await expect(page.getByRole('main')).toContainText('gateway/informer/Gateways is empty here');
    // An empty collection still has the way back to one with rows.
    await page.getByRole('button', {name: /^Rows by gateway\/informer\/Gateways/}).click();
    await page.getByRole('menuitemradio', {name: /Pods/}).click();
    await expect(page.getByRole('grid', {name: /Pods/})).toBeVisible();
  } finally {
    program.close();
  }
});

test('an incident that was fixed says at once that it recovered, and the badge does not count it', async ({
  visit,
  cluster,
  server,
}) => {
  const {items} = await server.json<{items: {key: string}[]}>(
    '/api/v1/collections/Pods/items?q=ns:shop%20-l%20app=orders',
  );
  const name = items[0]!.key.split('/')[1]!;
  const label = (app: string) =>
    cluster.patch(
      resources.Pods,
      {namespace: 'shop', name},
      {metadata: {labels: {app}}},
      {type: 'merge', fieldManager: 'kubectl-label'},
    );
  const page = await visit('/');
  await label('ordrs');
  const incidents = page.getByRole('region', {name: 'Incidents'});
  const mine = incidents.getByRole('button', {name: new RegExp(`shop/${name}`)}).first();
  await expect(mine).toBeVisible({timeout: 30_000});
  await mine.click();
  const incident = page.getByRole('region', {name: 'Incident', exact: true});
  const openBefore = await incidents.getByText(/^\d+ open/).textContent();
  await label('orders');
  await expect(mine).toContainText('recovered, watching for 60 s', {timeout: 20_000});
  await expect(incident).toContainText('recovered, watching for 60 s');
  await expect(incident).not.toContainText('still open');
  await expect(incidents.getByText(/^\d+ open/)).not.toHaveText(openBefore!);
  const open = Number.parseInt((await incidents.getByText(/^\d+ open/).textContent())!, 10);
  await page.getByRole('button', {name: /^Sheet/}).click();
  const overview = page.getByRole('navigation', {name: 'Views'}).getByRole('button', {name: /^Overview/});
  await expect(overview).toContainText(`${open} open`);
});

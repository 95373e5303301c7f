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
  const child = fork(new URL('../../server/test/operator/failing.ts', import.meta.url), {
    env: {PATH: process.env.PATH ?? '', HOME: server.home, KRTSCOPE_URL: `${url}/?token=${token}`},
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await expect
    .poll(
      async () => {
        const answer = await server.get('/api/v1/incidents?session=program:failing');
        return answer.ok ? ((await answer.json()) as {open: number}).open : 0;
      },
      {timeout: 60_000},
    )
    .toBe(3);
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

test('controllers that fail, loop or conflict open incidents, and the Controllers view opens on what is wrong', async ({
  visit,
  server,
}) => {
  const child = await startOperator(server);
  try {
    const page = await visit('/s/program:failing/overview');
    const incidents = page.getByRole('region', {name: 'Incidents'});
    await expect(incidents).toContainText('3 open');
    for (const title of [
      'Controller buckets fails for default/bucket',
      'Controller clocks loops on default/clock',
      'Controller counters writes with conflicts',
    ])
      await expect(incidents.getByRole('button', {name: new RegExp(title)})).toBeVisible();
    const rail = page
      .getByRole('navigation', {name: 'Views'})
      .getByRole('button', {name: /Controllers.*3 with problems/});
    await expect(rail).toBeVisible();
    await rail.click();
    await expect(page.getByRole('heading', {name: 'buckets'})).toBeVisible();
    const problems = page.getByRole('list', {name: 'Problems'});
    await expect(problems).toContainText('no such bucket: check the name in the ConfigMap');
    const attempts = page.getByRole('region', {name: 'Attempts'});
    await expect(attempts).toContainText('default/bucket');

    // What an attempt did is on it, and can be filtered.
    const list = page.getByRole('navigation', {name: 'Controllers'});
    await list.getByRole('button', {name: /^counters.*conflicts/}).click();
    await page
      .getByRole('region', {name: 'Results'})
      .getByRole('button', {name: /default\/counter/})
      .first()
      .click();
    await attempts.getByRole('radio', {name: 'Conflict'}).click();
    await expect(attempts.getByRole('listitem')).toHaveCount(4);
    await expect(attempts.getByRole('listitem').first()).toContainText('conflict');
    await expect(attempts).toContainText('5 of 5 changed nothing');
  } finally {
    child.kill('SIGKILL');
  }
});

test('a program without collections says so on the Sheet and the Graph, with the way to its controllers', async ({
  visit,
  server,
}) => {
  const child = await startOperator(server);
  try {
    const page = await visit('/s/program:failing/overview');
    await expect(page.getByRole('region', {name: 'Incidents'})).toContainText('open');
    for (const [key, title] of [
      ['2', 'No rows to show'],
      ['3', 'No graph to draw'],
    ] as const) {
      await page.keyboard.press(key);
      const words = page.getByRole('status').filter({hasText: title});
      await expect(words).toContainText('This program reports controllers and no collections.');
    }
    await page.getByRole('button', {name: 'Open Controllers'}).click();
    await expect(page).toHaveURL(/\/controllers/);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a write links to the attempt that it caused in another controller, and back', async ({
  visit,
  server,
}) => {
  const child = await startOperator(server);
  try {
    const page = await visit('/s/program:failing/controllers?c=secrets&k=default%2Fissued');
    await page.getByRole('button', {name: 'issuers, default/issuer, attempt 1'}).click();
    await expect(page.getByRole('heading', {name: 'issuers'})).toBeVisible();
    const writes = page.getByRole('region', {name: 'Writes'});
    await expect(writes).toContainText('create Secret default/issued');
    await writes.getByRole('button', {name: 'secrets, default/issued, attempt 1'}).click();
    await expect(page.getByRole('heading', {name: 'secrets'})).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', {name: 'issuers'})).toBeVisible();
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

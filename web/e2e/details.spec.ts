// Small things that a hand meets: counts beside Why, ended incidents, names of root writes, attempts that wrote nothing,
// a file or an address that Connect cannot open, and the
// page while a recording is read.
import {fork} from 'node:child_process';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {small} from '../../server/src/attach/testing-documents.ts';
import {answerWhileStarting} from '../../server/src/start/starting-answers.ts';
import {expect, resources, test} from './helpers/page-test.ts';

test('beside Why, the count of rows is readable while new and removed rows wait', async ({
  page,
  visit,
  cluster,
}) => {
  const configMap = (name: string) => ({metadata: {namespace: 'data', name: `aa-${name}-${Date.now()}`}});
  const leaving = configMap('leaving');
  await cluster.create(resources.ConfigMaps, leaving);
  await visit('/s/demo/sheet/ConfigMaps');
  await page.getByRole('gridcell').last().click();
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/\/why\//);
  const count = page.locator('.row-count');
  await expect(count).toContainText(/\d+ of \d+/);
  for (let n = 0; n < 12; n++) await cluster.create(resources.ConfigMaps, configMap(`new-${n}`));
  await cluster.delete(resources.ConfigMaps, leaving.metadata);
  const pill = page.getByRole('button', {name: /12 new, 1 removed/});
  await expect(pill).toBeVisible();
  const [box, text, button] = await Promise.all([
    page.locator('.filter-box').boundingBox(),
    count.boundingBox(),
    pill.boundingBox(),
  ]);
  expect(box!.x + box!.width).toBeLessThanOrEqual(text!.x);
  expect(text!.x + text!.width).toBeLessThanOrEqual(button!.x);
  expect(button!.x + button!.width).toBeLessThanOrEqual(420);
});

test('a selector that Helm changed: the fix reverts it, is whole, and says that Helm overwrites manual changes', async ({
  page,
  visit,
  cluster,
}) => {
  const select = (version: string | null) =>
    cluster.patch(
      resources.Services,
      {namespace: 'shop', name: 'payments'},
      {spec: {selector: {app: 'payments', version}}},
      {type: 'merge', fieldManager: 'helm'},
    );
  await select('v2');
  try {
    await visit('/s/demo/overview');
    const incidents = page.getByRole('region', {name: 'Incidents'});
    await incidents.getByText('Service shop/payments selects no Pod').click();
    const side = page.getByRole('region', {name: 'Incident', exact: true}).locator('.detail-side');
    await expect(
      side.getByText(/Helm manages Service shop\/payments and will overwrite a manual change/),
    ).toBeVisible();
    const revert =
      'kubectl -n shop patch service payments --type=merge -p \'{"spec":{"selector":{"version":null}}}\'';
    await expect(side).toContainText(revert);
    expect(await side.evaluate(one => one.scrollWidth <= one.clientWidth)).toBe(true);
    // Why not offers the same revert. The missing label is not compared letter by letter.
    const {items} = await cluster.list(resources.Pods, {namespace: 'shop', labelSelector: 'app=payments'});
    const pod = items[0]!.metadata.name;
    await visit(`/s/demo/why-not/ServiceInfos/shop%2Fpayments?expected=Pods%2Fshop%2F${pod}`);
    const match = page.getByRole('region', {name: 'To make it match'});
    await expect(match).toContainText(revert);
    await expect(match).toContainText('Helm manages Service shop/payments');
    const nearest = page.getByRole('region', {name: 'Nearest match'});
    await expect(nearest).toContainText('not set');
    await expect(nearest).not.toContainText('·');
  } finally {
    await select(null);
  }
});

test('root writes show whole collection names', async ({page, visit, cluster}) => {
  await page.setViewportSize({width: 1280, height: 900});
  await visit('/s/demo/overview');
  await cluster.create(
    resources.ConfigMaps,
    {metadata: {namespace: 'shop', name: `a-config-map-with-a-long-name-${Date.now()}`}},
    {fieldManager: 'kubectl-create'},
  );
  const write = page.getByRole('region', {name: 'Root writes'}).getByRole('button', {name: /ConfigMaps/});
  const name = write.first().locator('.write-collection');
  await expect(name).toBeVisible();
  expect(await name.evaluate(one => one.scrollWidth <= one.clientWidth)).toBe(true);
});

test('attempts say what they did; those that changed nothing can be filtered out', async ({
  visit,
  server,
}) => {
  const {url, token} = await server.address();
  const child = fork(new URL('../../server/test/operator/every-result.ts', import.meta.url), {
    env: {PATH: process.env.PATH ?? '', HOME: server.home, KRTSCOPE_URL: `${url}/?token=${token}`},
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const path = '/api/v1/controllers/orders/requests/default%2Fall?session=program:operator';
    await expect
      .poll(async () => {
        const answer = await server.get(path);
        return answer.ok ? ((await answer.json()) as {attempts: unknown[]}).attempts.length : 0;
      })
      .toBe(7);
    const page = await visit('/s/program:operator/controllers?c=orders&k=default%2Fall');
    const attempts = page.getByRole('region', {name: 'Attempts'});
    await expect(attempts.getByRole('button', {name: /^6 .*wrote 1/})).toBeVisible();
    await expect(attempts.getByRole('button', {name: /^2 .*no change/})).toBeVisible();
    await expect(attempts).toContainText('6 of 7 changed nothing');
    await attempts.getByRole('radio', {name: 'Wrote'}).click();
    await expect(attempts.getByRole('listitem')).toHaveCount(1);
    await attempts.getByRole('radio', {name: 'Failed'}).click();
    await expect(attempts.getByRole('listitem')).toHaveCount(4);
  } finally {
    child.kill('SIGKILL');
  }
});

test('krtz documents as files open as one timeline; another file is refused with what can be opened', async ({
  visit,
}) => {
  const page = await visit('/connect');
  const fileOf = (name: string, value: unknown) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(value)),
  });
  await page.getByLabel('Recording').setInputFiles(fileOf('nodes.json', {kind: 'List'}));
  const file = page.getByRole('region', {name: 'Open a file'});
  await expect(file.getByRole('alert')).toContainText('nodes.json: it is not a krtz document');
  await page
    .getByLabel('Recording')
    .setInputFiles([fileOf('1.json', small()), fileOf('2.json', small({pods: {'bank/p1': {app: 'pay'}}}))]);
  await expect(page).toHaveURL(/\/s\/file%3A1\.json\/overview/);
  await page.getByRole('button', {name: 'Sheet'}).click();
  await expect(page.getByRole('grid', {name: /Pods/})).toContainText('p1');
});

test('an address without a krtz document is refused on the spot and leaves no session', async ({
  visit,
  server,
}) => {
  const gone = createServer();
  await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve));
  const {port} = gone.address() as AddressInfo;
  await new Promise(resolve => gone.close(resolve));
  const page = await visit('/connect');
  const attach = page.getByRole('form', {name: 'Attach to a program'});
  await attach.getByRole('textbox').fill(`http://127.0.0.1:${port}/debug/krtz`);
  await page.keyboard.press('Enter');
  await expect(attach.getByRole('alert')).toContainText('does not answer');
  await expect(page).toHaveURL(/\/connect/);
  const {sessions} = await server.json<{sessions: {name: string}[]}>('/api/v1/sessions');
  expect(sessions.map(one => one.name)).not.toContain(`attached:127.0.0.1-${port}`);
});

test('while a recording is read, the browser shows a page with its progress, and then the app', async ({
  page,
}) => {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  const starting = answerWhileStarting(server);
  starting.say('Reading big.krtrec, 40 %');
  try {
    await page.goto(`http://127.0.0.1:${port}/?token=x`);
    await expect(page.getByRole('status')).toHaveText('Reading big.krtrec, 40 %…');
    await expect(page.locator('body')).not.toContainText('engine-restarting');
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/session`);
    expect(await answer.json()).toMatchObject({code: 'engine-restarting'});
    starting.stop();
    server.on('request', (_, response) => response.end('the app'));
    await expect(page.getByText('the app')).toBeVisible();
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

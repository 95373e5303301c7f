// What if: from a row to what a change of it would do, and nothing runs before the reader says so.
import type {Page} from '@playwright/test';
import {draftCell, retype} from './helpers/lab-page.ts';
import {expect, expectAccessible, readClipboard, resources, test} from './helpers/page-test.ts';

/** The first trial starts a process, which takes its time on a busy machine. */
const FIRST_TRIAL = {timeout: 90_000};

const redis = `/s/demo/what-if/Services/${encodeURIComponent('data/redis')}`;

/** Replaces the selector in the editor. */
async function editSelector(page: Page, app: string): Promise<void> {
  const editor = page.getByRole('textbox', {name: 'Manifest'});
  await expect(editor).toContainText('kind: Service');
  const text = (await editor.locator('.cm-line').allInnerTexts()).join('\n');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text.replace(/selector:\n {4}app: redis/, `selector:\n    app: ${app}`));
}

test('from the Sheet: edit, try, see rows and incidents, then the Sheet and the Graph mark them', async ({
  page,
  visit,
}) => {
  const asked: string[] = [];
  page.on('request', request => {
    if (request.url().includes('/what-if') && request.method() === 'POST') asked.push(request.url());
  });
  await visit(`/s/demo/sheet/Services/${encodeURIComponent('data/redis')}`);
  await page.getByRole('button', {name: /^What if…/}).click();
  await editSelector(page, 'cache');
  expect(asked).toEqual([]);
  await page.keyboard.press('ControlOrMeta+Enter');
  const result = page.getByRole('region', {name: 'What would change'});
  await expect(result).toContainText(/\d+ rows in \d collections would change\./, FIRST_TRIAL);
  await expect(result).toContainText('Service data/redis selects no Pod');
  await expect(result).toContainText('This holds before any controller reacts.');
  expect(asked).toHaveLength(1);
  await expectAccessible(page);

  await page.getByRole('toolbar', {name: 'What if'}).getByRole('button', {name: 'Sheet'}).click();
  await expect(page.getByTitle('What if: this row would be changed').first()).toBeVisible();
  await page.keyboard.press('3');
  await expect(page.getByTitle('What if: 1 row would change').first()).toBeVisible();
  const wave = page.getByRole('region', {name: 'Supposed wave'});
  await expect(wave).toContainText('1 Service would be written.');
  await expect(wave).toContainText('would differ');
  await expectAccessible(page);
  await wave.getByRole('button', {name: 'Clear'}).click();
  await expect(wave).toBeHidden();
  await expect(page.getByTitle('What if: 1 row would change')).toHaveCount(0);
});

test('the editor completes fields from the schema and underlines what the schema does not know', async ({
  page,
  visit,
}) => {
  await visit(redis);
  const editor = page.getByRole('textbox', {name: 'Manifest'});
  await expect(editor).toContainText('kind: Service');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('apiVersion: v1\nkind: Service\nmetadata:\n  name: a\nspec:\n');
  await page.keyboard.type('  externalTr');
  const offer = page.getByRole('option', {name: /^externalTrafficPolicy/});
  await expect(offer).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(editor).toContainText('externalTrafficPolicy:');
  await page.keyboard.insertText('Local\n  prts: []\n');
  await expect(page.locator('.cm-lintRange-error')).toHaveText('prts');
  await page.locator('.cm-lintRange-error').hover();
  await expect(page.getByText('spec has no field prts')).toBeVisible();
  await expectAccessible(page);
});

test('controllers react on the copy: new Pods come, and the Sheet lists rows that would be added', async ({
  page,
  visit,
}) => {
  const manifest =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart, namespace: shop}\nspec: {replicas: 5}\n';
  const edits = Buffer.from(JSON.stringify({m: manifest, d: [], u: []})).toString('base64url');
  await visit(`/s/demo/what-if?edits=${edits}`);
  const editor = page.getByRole('textbox', {name: 'Manifest'});
  await expect(editor).toContainText('kind: Deployment');
  // The editor keeps the keyboard while the link's edits change.
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('# five');
  await expect(editor).toContainText('# five');
  await page.getByRole('checkbox', {name: 'Let controllers react'}).check();
  await page.getByRole('button', {name: /Try it/}).click();
  const result = page.getByRole('region', {name: 'What would change'});
  await expect(result).toContainText(/reacted until nothing changed/, FIRST_TRIAL);
  await expect(result.getByText('would be added').first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('checkbox', {name: 'Let controllers react'})).toBeChecked();
  await expect(page.getByText('Nothing has been tried yet')).toBeVisible();
  await page.getByRole('button', {name: /Try it/}).click();
  await expect(result).toContainText(/reacted until nothing changed/, FIRST_TRIAL);
  await page.getByRole('toolbar', {name: 'What if'}).getByRole('button', {name: 'Sheet'}).click();
  await page.getByRole('button', {name: /^Rows by/}).click();
  await page.getByRole('menuitemradio', {name: /^Pods\b/}).click();
  await expect(page.getByRole('region', {name: 'What if', exact: true})).toContainText(
    '2 rows would be added',
  );
  await expect(page.getByRole('list', {name: 'Rows that would be added'})).toContainText('cart-');
});

test('a draft of the Lab is tried: its rows differ, and nothing is saved', async ({page, visit}) => {
  await visit('/s/demo/lab?ns=shop');
  await page.getByRole('button', {name: /New draft/}).click();
  await retype(page, '(ctx, pod) => ({key: pod.metadata.name, tried: true})');
  await expect(draftCell(page, /cart-/)).toContainText('true');
  await page.getByRole('toolbar', {name: 'Lab'}).getByRole('button', {name: 'What if…'}).click();
  await expect(page.getByRole('list', {name: 'Other edits'})).toContainText('as drafted in the Lab');
  await expect(page.getByText('Nothing has been tried yet')).toBeVisible();
  await page.getByRole('button', {name: /Try it/}).click();
  const result = page.getByRole('region', {name: 'What would change'});
  await expect(result).toContainText(/\d+ rows in 1 collection would change\./, FIRST_TRIAL);
  await expect(result).toContainText('42 added');
});

test('a link carries the edits and runs nothing; kubectl, manifest and Markdown are copied', async ({
  page,
  visit,
}) => {
  await visit(redis);
  await editSelector(page, 'linked');
  await page.getByRole('button', {name: 'Link', exact: true}).click();
  const link = await readClipboard(page);
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('textbox', {name: 'Manifest'})).toContainText('app: linked');
  await expect(page.getByText('Nothing has been tried yet')).toBeVisible();
  await page.getByRole('button', {name: 'kubectl'}).click();
  expect(await readClipboard(page)).toBe(
    `kubectl -n data patch services redis --type merge -p '{"spec":{"selector":{"app":"linked"}}}'`,
  );
  await page.getByRole('button', {name: /Try it/}).click();
  const markdown = page.getByRole('button', {name: 'Markdown'});
  await expect(markdown).toBeVisible(FIRST_TRIAL);
  await markdown.click();
  expect(await readClipboard(page)).toContain('### What if: ');
});

test('a half-written manifest, an unknown field and no change each have their words', async ({
  page,
  visit,
}) => {
  await visit(redis);
  const editor = page.getByRole('textbox', {name: 'Manifest'});
  await expect(editor).toContainText('kind: Service');
  await page.getByRole('button', {name: /Try it/}).click();
  await expect(page.getByRole('alert')).toContainText('Nothing is changed yet');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('kind: [Service');
  await page.getByRole('button', {name: /Try it/}).click();
  await expect(page.getByRole('alert')).toContainText(/Line \d+: /);
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {prt: 1}\n');
  await page.getByRole('button', {name: /Try it/}).click();
  await expect(page.getByRole('region', {name: 'What would change'})).toContainText('prt', FIRST_TRIAL);
});

test('a computed row offers the objects behind it', async ({page, visit}) => {
  await visit(`/s/demo/what-if/Workloads/${encodeURIComponent('data/redis-0')}`);
  await expect(page.getByText('Workloads is computed')).toBeVisible();
  await page.getByTitle('Pods data/redis-0').click();
  await expect(page.getByRole('textbox', {name: 'Manifest'})).toContainText('kind: Pod');
});

test('before an edit the view says who reads each field, and a reader leads to its row', async ({visit}) => {
  const page = await visit('/s/demo/what-if/Services/data%2Fredis');
  const impact = page.getByRole('region', {name: 'Who reads this object'});
  const selector = impact
    .getByRole('listitem')
    .filter({hasText: /^spec\.selector/})
    .first();
  await expect(selector).toContainText('ServiceInfos');
  await expect(impact).not.toContainText('getLabels');
  await selector
    .getByRole('button', {name: /^ServiceInfos/})
    .first()
    .click();
  await expect(page).toHaveURL(/\/sheet\/ServiceInfos\//);
});

test('an incident offers to try its fix: the write is taken back in a copy, and the incident would end', async ({
  visit,
  cluster,
  server,
}) => {
  const {items} = await server.json<{items: {key: string}[]}>(
    '/api/v1/collections/Pods/items?q=ns:shop%20-l%20app=payments',
  );
  const name = items[0]!.key.split('/')[1]!;
  const label = (app: string) =>
    cluster.patch(
      resources.Pods,
      {namespace: 'shop', name},
      {metadata: {labels: {app}}},
      {type: 'merge', fieldManager: 'kubectl-label'},
    );
  await label('paymnts');
  const page = await visit('/s/demo/overview');
  await page
    .getByRole('region', {name: 'Incidents'})
    .getByRole('button', {name: new RegExp(name)})
    .first()
    .click();
  await expect(page.getByText('Tried in a copy: it ends this incident.')).toBeVisible(FIRST_TRIAL);
  await page.getByRole('button', {name: /What if it had not been written/}).click();
  await expect(page).toHaveURL(/\/what-if\/Pods\//);
  await page.getByRole('button', {name: /Try it/}).click();
  await expect(page.getByRole('region', {name: 'Would end'})).toContainText(name);
  await label('payments');
});

// Journey C: prototype a formula on live data. From an empty Lab to a column that lives in the graph, with mouse and keyboard.
import type {Page} from '@playwright/test';
import {draftCell, formulaEditor, labToolbar, retype} from '../helpers/lab-page.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  labelNamespace,
  readClipboard,
  test,
} from '../helpers/page-test.ts';

const checks = (page: Page) => page.getByRole('region', {name: 'Checks'});
const tree = (page: Page) => page.getByRole('region', {name: 'Fetch tree'});

/** A fresh draft over Pods, already run once. */
async function startDraft(page: Page): Promise<void> {
  await page.getByRole('button', {name: /New draft/}).click();
  await expect(formulaEditor(page)).toContainText('(ctx, pod) =>');
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
}

test('an empty Lab offers what runs here; a click later the column is there, and a key later it changes', async ({
  visit,
}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await expect(page.getByRole('heading', {name: 'Try a formula on live data'})).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', {name: /Pods without a Service/}).click();
  await expect(formulaEditor(page)).toContainText('selectsNonEmpty');
  await expect(draftCell(page, /cart-/)).toContainText('null');
  await expect(labToolbar(page)).toContainText(/\d+ \/ \d+ rows/);
  await expect(checks(page)).toContainText(/\d of \d pass/);
  await page.getByRole('gridcell', {name: /cart-/}).first().click();
  await expect(tree(page)).toContainText('Services');
  await expect(tree(page)).toContainText(/1 of \d+/);
  await expect(tree(page).getByText('metadata.labels.app', {exact: true})).toBeVisible();
  await retype(page, '(ctx, pod) => ({phase: pod.status.phase + "!"})');
  await expect(draftCell(page, /cart-/)).toContainText('Running!');
  await expect(page).toHaveURL(/\/lab\//);
});

test('a click before the first frame has come is not lost', async ({visit, page}) => {
  let answer = () => {};
  const gate = new Promise<void>(resolve => {
    answer = resolve;
  });
  await page.routeWebSocket(/\/api\/v1\/stream/, async socket => {
    await gate;
    socket.connectToServer();
  });
  await visit('/s/demo/lab');
  await page.getByRole('button', {name: /New draft/}).click();
  await expect(page).toHaveURL(/new=1/);
  answer();
  await expect(formulaEditor(page)).toContainText('(ctx, pod) =>');
  await expect(page).not.toHaveURL(/new=1/);
  await expect(labToolbar(page)).toContainText(/\d+ \/ \d+ rows/);
});

test('types: completion offers fields and collections, a slip is underlined where it was typed', async ({
  visit,
}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await startDraft(page);
  await formulaEditor(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('(ctx, pod) => pod.spec.');
  const options = page.getByRole('listbox');
  await expect(options.getByRole('option', {name: /^nodeName/})).toBeVisible();
  await page.keyboard.type('nodeN');
  await page.keyboard.press('Enter');
  await expect(formulaEditor(page)).toContainText('pod.spec.nodeName');
  await expect(draftCell(page, /cart-/)).toContainText('node-');
  await page.keyboard.type(' + ctx.fetch(Serv');
  await page.getByRole('option', {name: /^Services/}).click();
  await page.keyboard.type(').length');
  await expect(formulaEditor(page)).toContainText('ctx.fetch(Services).length');
  await retype(page, '(ctx, pod) => pod.spec.nodNam');
  await expect(page.locator('.cm-lintRange-error')).toHaveText('nodNam');
  await page.locator('.cm-lintRange-error').hover();
  await expect(page.getByText(/Did you mean 'nodeName'/)).toBeVisible();
});

test('a wrong formula never blanks what stands there: syntax, then rows that throw', async ({visit}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await startDraft(page);
  await retype(page, '(ctx, pod) => ({phase: pod.status.phase})');
  await expect(draftCell(page, /cart-/)).toContainText('Running');
  await retype(page, '(ctx, pod) => ({phase: pod.status.phase,, })');
  const foot = page.getByRole('contentinfo').or(page.locator('.lab-foot'));
  await expect(foot.getByRole('button', {name: /line 1/})).toBeVisible();
  await expect(page.locator('.cm-lint-marker-error').first()).toBeVisible();
  await expect(draftCell(page, /cart-/)).toContainText('Running');
  await retype(
    page,
    '(ctx, pod) => {\n  if (pod.metadata.name.startsWith("cart")) throw new Error("no carts");\n  return "fine";\n}',
  );
  await expect(labToolbar(page)).toContainText('3 errors');
  await expect(draftCell(page, /cart-/)).toContainText('no carts');
  await expect(draftCell(page, /catalog-/)).toContainText('fine');
  await page.keyboard.press('F8');
  await expect(page).toHaveURL(/\/lab\/Pods\/shop%2Fcart/);
  await expect(tree(page)).toContainText('throws');
  await expect(tree(page)).toContainText('line 2');
  await expect(checks(page)).toContainText('No throws');
});

test('a hostile draft is ended and told, everything else goes on, and mended it runs again', async ({
  visit,
  cluster,
}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await startDraft(page);
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
  await retype(page, '(ctx, pod) => /^(a+)+$/.test("a".repeat(40) + "!")');
  await expect(page.getByText(/the formula was stopped/).first()).toBeVisible();
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
  const value = await labelNamespace(cluster, 'shop');
  await retype(page, '(ctx, pod) => ctx.fetch(Namespaces, key("shop"))[0].metadata.labels');
  // A new lab process takes its rows in again: on a busy machine that is a while.
  await expect(draftCell(page, /cart-/)).toContainText(value, {timeout: 60_000});
});

test('live: the draft runs again when the cluster moves', async ({visit, cluster}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await startDraft(page);
  await retype(
    page,
    '(ctx, pod) => ctx.fetchOne(Namespaces, key(pod.metadata.namespace))?.metadata.labels?.["istio.io/use-waypoint"] ?? "none"',
  );
  await expect(draftCell(page, /cart-/)).not.toContainText('cart-');
  const value = await labelNamespace(cluster, 'shop');
  await expect(draftCell(page, /cart-/)).toContainText(value);
});

test('shadow: the draft against Workloads, with each difference', async ({visit}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await startDraft(page);
  await retype(page, '(ctx, pod) => ({key: keyOf(pod), namespace: pod.metadata.namespace})');
  await page.getByRole('grid').focus();
  await page.keyboard.press('d');
  await page.getByRole('menuitemradio', {name: /^ ?Workloads$/}).click();
  const shadow = page.getByRole('region', {name: 'Shadow'});
  await expect(shadow.getByRole('button', {name: /differ/})).toBeVisible();
  await shadow.getByRole('button', {name: /differ/}).click();
  await expect(shadow.getByRole('figure').first()).toContainText('owner: ');
  await expect(shadow).toContainText(/\d+ same/);
});

test('steps and tests: F10 walks the run, t pins a row, a change of the formula breaks it', async ({
  visit,
}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await page.getByRole('button', {name: /Pods without a Service/}).click();
  await expect(draftCell(page, /cart-/)).toContainText('null');
  await page.getByRole('gridcell', {name: /cart-/}).first().click();
  await expect(tree(page)).toContainText(/1 of \d+/);
  await page.keyboard.press('F10');
  await expect(tree(page)).toContainText('Step 1 of 2');
  await expect(page.locator('.line-stepped')).toContainText('ctx.fetch');
  await page.keyboard.press('F10');
  await expect(tree(page)).toContainText('Step 2 of 2');
  await page.keyboard.press('Escape');
  await expect(tree(page)).not.toContainText('Step');
  await page.keyboard.press('t');
  const tests = page.getByRole('region', {name: 'Tests'});
  await expect(tests).toContainText('1 of 1 pass');
  await retype(page, '(ctx, pod) => "changed"');
  await expect(tests).toContainText('0 of 1 pass');
  await tests
    .getByRole('button', {name: /shop\/cart/})
    .first()
    .click();
  await expect(tests.getByRole('figure')).toContainText('changed');
  await tests.getByRole('button', {name: 'Accept this result'}).click();
  await expect(tests).toContainText('1 of 1 pass');
});

test('a draft survives a reload, with its earlier texts', async ({visit}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await startDraft(page);
  await retype(page, '(ctx, pod) => "kept"');
  await expect(draftCell(page, /cart-/)).toContainText('kept');
  await page.reload();
  await expect(formulaEditor(page)).toContainText('"kept"');
  await expect(draftCell(page, /cart-/)).toContainText('kept');
  await labToolbar(page)
    .getByRole('button', {name: /drafts and formulas/})
    .click();
  await page.getByText('Versions').click();
  await page.getByRole('button', {name: /pod.metadata.name/}).click();
  await expect(formulaEditor(page)).toContainText('pod.metadata.name');
});

test('a link carries the code; nothing runs before the reader says so', async ({visit, context, server}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await startDraft(page);
  await retype(page, '(ctx, pod) => "by link"');
  await expect(draftCell(page, /cart-/)).toContainText('by link');
  await labToolbar(page).getByRole('button', {name: /Link/}).click();
  await expect(page.getByText('Link copied')).toBeVisible();
  const link = await readClipboard(page);
  expect(link).toMatch(/\/s\/demo\/lab#z=[\w-]+$/);
  const {token} = await server.address();
  expect(link).not.toContain(token);

  const reader = await context.browser()!.newContext();
  const other = await reader.newPage();
  await other.addInitScript(() => localStorage.setItem('krtscope', JSON.stringify({toured: true})));
  let ran = 0;
  other.on('request', request => {
    if (request.url().includes('/formulas/preview')) ran++;
  });
  await other.goto(link.replace('/lab#', `/lab?token=${token}#`));
  const shown = other.getByRole('region', {name: 'A formula from a link'});
  await expect(shown).toContainText('"by link"');
  await expect(shown).toContainText('not run');
  await expectAccessible(other);
  expect(ran).toBe(0);
  await shown.getByRole('button', {name: 'Run here'}).click();
  await expect(draftCell(other, /cart-/)).toContainText('by link');
  expect(ran).toBeGreaterThan(0);
  await reader.close();
});

test('+ in the sheet opens a draft over its rows; one value for the whole cluster; many rows', async ({
  visit,
}) => {
  const page = await visit('/s/demo/sheet/Services?ns=shop');
  await expect(page.getByRole('grid', {name: /Services/})).toBeVisible();
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/\/lab\/Services/);
  await expect(formulaEditor(page)).toContainText('(ctx, service) =>');
  await expect(draftCell(page, /shop\/cart|^\d+ ?cart/)).toContainText('cart');
  await page.getByRole('button', {name: 'one row'}).click();
  await page.getByRole('menuitemradio', {name: /many rows/}).click();
  await expect(formulaEditor(page)).toContainText('[');
  await expect(draftCell(page, /cart/)).toContainText('1 row');
  await page.getByRole('button', {name: 'many rows'}).click();
  await page.getByRole('menuitemradio', {name: /one value/}).click();
  await expect(page.getByRole('region', {name: /one value/})).toContainText(/services: \d+/);
});

test('dark and light, wide and narrow: nothing sticks out, nothing is unreadable', async ({visit}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await page.getByRole('button', {name: /Pods without a Service/}).click();
  await expect(draftCell(page, /cart-/)).toContainText('null');
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({colorScheme});
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await expectAccessible(page);
  }
  for (const width of [1920, 1280, 1024, 768, 390]) {
    await page.setViewportSize({width, height: 900});
    await expect(formulaEditor(page)).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
  await page.getByRole('tab', {name: 'Fetch tree'}).click();
  await expect(tree(page)).toBeVisible();
  await page.getByRole('tab', {name: 'Checks and shadow'}).click();
  await expect(checks(page)).toBeVisible();
  await expectAccessible(page);
});

test('a window of another width leaves the caret, the focus and the undo where they were', async ({
  visit,
}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await startDraft(page);
  await retype(page, '(ctx, pod) => 1');
  await expect(draftCell(page, /cart-/)).toContainText('1');
  await page.keyboard.type(' + 2');
  await page.setViewportSize({width: 900, height: 900});
  await expect(page.getByRole('tab', {name: 'Editor'})).toBeVisible();
  await expect(formulaEditor(page)).toBeFocused();
  await page.keyboard.type(' + 4');
  await expect(formulaEditor(page)).toHaveText('(ctx, pod) => 1 + 2 + 4');
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await expect(formulaEditor(page)).not.toContainText('2');
  await expect(formulaEditor(page)).toContainText('(ctx, pod) =>');
});

test('every example runs on this cluster', async ({visit}) => {
  const page = await visit('/s/demo/lab');
  await page.getByRole('button', {name: /All \d+ examples/}).click();
  const dialog = page.getByRole('dialog', {name: 'Examples'});
  await expectAccessible(page);
  const titles = await dialog
    .getByRole('listitem')
    .filter({hasNotText: /adds sources?/})
    .locator('.recipe-title')
    .allInnerTexts();
  expect(titles.length).toBeGreaterThanOrEqual(12);
  for (const title of titles) {
    await dialog.getByRole('button', {name: title.trim()}).click();
    await expect(labToolbar(page)).toContainText(/\d+ \/ \d+ rows/);
    await expect(checks(page).getByText('No throws')).toBeVisible();
    await expect(labToolbar(page).getByRole('button', {name: /errors?$/}), title).toHaveCount(0);
    await expect(page.locator('.cm-lintRange-error'), title).toHaveCount(0);
    await labToolbar(page).getByRole('button', {name: 'Examples'}).click();
  }
});

test('an example adds the source that it reads beside its input', async ({visit}) => {
  const page = await visit('/s/demo/lab');
  await page.getByRole('button', {name: /All \d+ examples/}).click();
  const example = page.getByRole('button', {name: /Deployments whose PDB blocks a drain/});
  await expect(example).toContainText('adds source poddisruptionbudgets');
  await example.click();
  await expect(labToolbar(page)).toContainText(/\d+ \/ \d+ rows/);
  await expect(checks(page).getByText('No throws')).toBeVisible();
});

test('fe and Tab give ctx.fetch; ctx. offers fetch first; { offers no internal names', async ({visit}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await page.getByRole('button', {name: /New draft/}).click();
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
  await retype(page, '(ctx, pod) => ');
  await page.keyboard.type('fe');
  const list = page.getByRole('listbox');
  await expect(list.getByRole('option').first()).toContainText('ctx.fetch');
  await page.keyboard.press('Tab');
  await expect(formulaEditor(page)).toContainText('=> ctx.fetch');
  await retype(page, '(ctx, pod) => ctx');
  await page.keyboard.type('.');
  await expect(list.getByRole('option', {selected: true})).toContainText('fetch');
  await page.keyboard.press('Escape');
});

test('a saved formula is not called a draft, and its toast is above the page', async ({visit, server}) => {
  const page = await visit('/s/demo/lab?ns=shop');
  await page.getByRole('button', {name: /New draft/}).click();
  await expect(draftCell(page, /cart-/)).toContainText('cart-');
  const column = page.getByRole('grid').locator('.lab-word');
  await expect(column).toHaveText('draft');
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').getByRole('textbox').fill('Tagged');
  await page.getByRole('dialog').getByRole('button', {name: 'Save'}).click();
  try {
    await expect(page.getByText(/^Tagged saved/)).toBeVisible();
    await expect(column).toHaveText('saved');
  } finally {
    await server.get('/api/v1/formulas/Tagged', {method: 'DELETE'});
  }
});

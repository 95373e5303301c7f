// Every view and state, from phone to wide screen, dark and light: texts do not overlap, cut texts have a title,
// icons keep their size, every control can be clicked. One server, one page; windows are resized, never reloaded.

import {fork} from 'node:child_process';
import type {Page} from '@playwright/test';
import {serveIstiodDocument} from './istiod-document.ts';
import {findLayoutProblems} from './layout-problems.ts';
import {failingProgramStates, istiodStates, type PageState, pageStates} from './page-states.ts';
import {expect, labelNamespace, test} from './page-test.ts';

const widths = [390, 768, 1024, 1440, 1920];
const themes = ['dark', 'light'];

/** Opens each state and looks at it in every width and theme. Names the first problems. */
async function problemsIn(
  page: Page,
  states: readonly PageState[],
  ask: (path: string) => Promise<unknown>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const state of states) {
    await page.setViewportSize({width: 1440, height: 900});
    await state.open(page, ask);
    for (const width of [...widths, ...(state.widths ?? [])]) {
      await page.setViewportSize({width, height: 900});
      for (const theme of themes) {
        await page.evaluate(chosen => {
          document.documentElement.dataset.theme = chosen;
        }, theme);
        const name = `${state.name}, ${width} wide, ${theme}`;
        // Look twice, because layouts and fading marks may still move.
        let found = await findLayoutProblems(page);
        for (let n = 0; n < 8 && found.length > 0; n++) {
          await page.waitForTimeout(250);
          found = await findLayoutProblems(page);
        }
        wrong.push(...found.map(one => `${name}: ${one.kind}: ${one.words}`));
      }
    }
  }
  return wrong.slice(0, 60);
}

test('nothing overlaps, is cut without a title, is squeezed, or lies where it cannot be clicked', async ({
  visit,
  server,
  cluster,
}) => {
  test.setTimeout(600_000);
  // More runs than the history under Why shows: a few would fit everywhere.
  for (let n = 0; n < 26; n++) await labelNamespace(cluster, 'shop');
  const page = await visit('/s/demo/overview');
  await expect(page.getByRole('region', {name: 'Incidents'}).getByRole('button').first()).toBeVisible();
  expect(await problemsIn(page, pageStates, path => server.json(path))).toEqual([]);
});

test('nor in a program whose controllers fail, nor in a document of istiod', async ({visit, server}) => {
  test.setTimeout(600_000);
  const {url, token} = await server.address();
  const child = fork(new URL('../../../server/test/operator/failing.ts', import.meta.url), {
    env: {PATH: process.env.PATH ?? '', HOME: server.home, KRTSCOPE_URL: `${url}/?token=${token}`},
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const istiod = await serveIstiodDocument();
  try {
    const opened = await server.get('/api/v1/sessions', {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({krtz: istiod.address, name: 'istiod'}),
    });
    expect(opened.ok).toBe(true);
    await expect
      .poll(
        async () => {
          const answer = await server.get('/api/v1/incidents?session=program:failing');
          return answer.ok ? ((await answer.json()) as {open: number}).open : 0;
        },
        {timeout: 60_000},
      )
      .toBe(3);
    const page = await visit('/s/program:failing/overview');
    await expect(page.getByRole('region', {name: 'Incidents'})).toBeVisible();
    const states = [...failingProgramStates, ...istiodStates];
    expect(await problemsIn(page, states, path => server.json(path))).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    istiod.close();
  }
});

test('the search for overlaps finds what it looks for', async ({visit}) => {
  const page = await visit('/s/demo/overview');
  await expect(page.getByRole('region', {name: 'Incidents'}).getByRole('button').first()).toBeVisible();
  await page.evaluate(() => {
    // The page's policy refuses styles in HTML, so set them by script.
    const put = (tag: string, text: string, style: string) => {
      const element = document.createElement(tag);
      element.textContent = text;
      element.style.cssText = `position:fixed;z-index:9999;top:200px;left:200px;margin:0;font:16px/20px sans-serif;${style}`;
      document.body.append(element);
    };
    put('p', 'one text of two', '');
    put('p', 'another on it', 'left:210px');
    put('p', 'a text that is cut', 'top:240px;width:40px;overflow:hidden;white-space:nowrap');
    put('button', 'cannot be clicked', 'top:280px');
    put('div', '', 'top:270px;width:300px;height:40px;background:#888');
    put('div', '', 'top:340px;width:30px;display:flex');
    document.body.lastElementChild!.innerHTML = '<svg width="16" height="16"></svg><b>unbreakable</b>';
  });
  const kinds = (await findLayoutProblems(page)).map(one => `${one.kind} ${one.words}`);
  // The element also covers a control of the page.
  const mine = kinds.filter(one => !one.startsWith('covered button.'));
  expect(mine).toEqual([
    expect.stringMatching(/^cut .*a text that is cut/),
    expect.stringMatching(/^cross .*(one text of two.*another on it|another on it.*one text of two)/),
    expect.stringMatching(/^squeezed .*unbreakable/),
    expect.stringMatching(/^covered .*cannot be clicked/),
  ]);
});

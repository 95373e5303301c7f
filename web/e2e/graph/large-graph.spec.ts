// Large graphs: painted nodes, groups, find, a layout that stays, readable texts, the minimap.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Page} from '@playwright/test';
import {replaceGraph, wideGraph} from '../../bench/wide-graph.ts';
import {expect, test} from '../helpers/page-test.ts';
import {positionAtRest} from '../helpers/position-at-rest.ts';

test('a big drawing is painted: a click selects, arrow keys reach what is out of view, the list has it all', async ({
  visit,
  page,
}) => {
  await replaceGraph(page, wideGraph(150));
  await visit('/s/demo/graph?budget=500');
  await expect(page.getByText('drawn 150 of 150')).toBeVisible();
  const canvas = page.getByRole('region', {name: 'Graph'});
  const elements = canvas.getByRole('button', {name: /^C\d+, [\d,]+ items?/});
  await expect(elements.first()).toBeVisible();
  expect(await elements.count()).toBeLessThan(150);
  await elements.first().focus();
  const first = await elements.first().getAttribute('aria-label');
  await page.keyboard.press('ArrowDown');
  await expect(canvas.locator(':focus')).not.toHaveAttribute('aria-label', first!);
  await expect(canvas.locator(':focus')).toHaveAttribute('aria-label', /^C\d+, /);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/graph\/C\d+/);
});

/** Names as istiod has them: few prefixes, many collections. */
function groupedGraph(): Graph {
  const wide = wideGraph(180);
  const prefixes = ['ambient/', 'crdclient/', 'gateway/', 'gateway/informer/', 'ingress/', 'serviceentry/'];
  const nameOf = (name: string) => `${prefixes[Number(name.slice(1)) % prefixes.length]}${name}`;
  return {
    ...wide,
    collections: wide.collections.map((node, at) => ({
      ...node,
      name: nameOf(node.name),
      failed: at === 1 ? 2 : 0,
    })),
    edges: wide.edges.map(edge => ({...edge, from: nameOf(edge.from), to: nameOf(edge.to)})),
  };
}

test('a large graph opens as groups with counts and health; a click opens one in place, and a reload keeps it', async ({
  visit,
  page,
}) => {
  await replaceGraph(page, groupedGraph());
  await visit('/s/demo/graph');
  const canvas = page.getByRole('region', {name: 'Graph'});
  const group = (name: string) => canvas.getByRole('button', {name: new RegExp(`^${name}, group of`)});
  await expect(group('crdclient/')).toHaveAccessibleName(/group of 30 collections.*2 failed/);
  await expect(canvas.getByRole('button', {name: /, group of \d+ collections/})).toHaveCount(5);
  await expect(page.getByText('180 in 5 groups')).toBeVisible();
  await expectReadable(page);
  const [x, y] = await positionAtRest(group('ingress/'));
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(/groups=ingress/);
  await expect(canvas.getByRole('button', {name: /^ingress\/C\d+, /}).first()).toBeVisible();
  await expect(group('crdclient/')).toBeVisible();
  await page.reload();
  await expect(canvas.getByRole('button', {name: /^ingress\/C\d+, /}).first()).toBeVisible();
  await page.getByRole('button', {name: /^Groups: 1 of 6 open/}).click();
  await page.getByRole('menuitem', {name: 'Close all'}).click();
  await expect(group('ingress/')).toBeVisible();
});

test('find opens the group of what it finds, and goes there', async ({visit, page}) => {
  await replaceGraph(page, groupedGraph());
  await visit('/s/demo/graph');
  await expect(page.getByRole('button', {name: /^gateway\/, group of/})).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('C127');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', {name: /^crdclient\/C127, /})).toBeInViewport();
});

test('the same graph has the same layout every time', async ({visit, page}) => {
  const layout = async () => {
    await visit('/s/demo/graph');
    await expect(page.getByRole('button', {name: /^Workloads,/})).toBeVisible();
    return page
      .locator('.react-flow__node')
      .evaluateAll(all => all.map(one => `${one.dataset.id} ${(one as HTMLElement).style.transform}`).sort());
  };
  const first = await layout();
  for (let time = 0; time < 3; time++) expect(await layout()).toEqual(first);
});

test('no text is smaller than 11 px at any zoom', async ({visit, page}) => {
  await visit('/s/demo/graph');
  await expect(page.getByRole('button', {name: /^Workloads,/})).toBeVisible();
  await expectReadable(page);
  for (let step = 0; step < 6; step++) {
    await page.getByRole('button', {name: 'Zoom out'}).click();
    await page.waitForTimeout(300);
    await expectReadable(page);
  }
});

/** Every visible text of the drawing has at least 11 px on the screen. */
async function expectReadable(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.locator('.canvas').evaluate(canvas => {
        const zoom = Number(
          /scale\(([\d.]+)\)/.exec(
            canvas.querySelector<HTMLElement>('.react-flow__viewport')!.style.transform,
          )![1],
        );
        const small: string[] = [];
        const walker = document.createTreeWalker(
          canvas.querySelector('.react-flow__viewport')!,
          NodeFilter.SHOW_TEXT,
        );
        for (let text = walker.nextNode(); text; text = walker.nextNode()) {
          const element = text.parentElement!;
          if (text.textContent!.trim() === '' || !element.checkVisibility()) continue;
          const size = Number.parseFloat(getComputedStyle(element).fontSize) * zoom;
          if (size < 10.99) small.push(`${element.className} ${size.toFixed(1)}`);
        }
        return [...new Set(small)];
      }),
    )
    .toEqual([]);
}

test('a minimap shows the part in view of a drawing that does not fit, and a click moves there', async ({
  visit,
  page,
}) => {
  await replaceGraph(page, wideGraph(300));
  await visit('/s/demo/graph?budget=300');
  await expect(page.getByText('drawn 300 of 300')).toBeVisible({timeout: 30_000});
  for (let at = 0; at < 4; at++) await page.getByRole('button', {name: 'Zoom in'}).click();
  const map = page.locator('.minimap');
  await expect(map).toBeVisible();
  const part = map.locator('.minimap-view');
  const box = (await map.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.8, box.y + box.height * 0.5);
  await expect
    .poll(async () => {
      const shown = (await part.boundingBox())!;
      return Math.abs(shown.x + shown.width / 2 - (box.x + box.width * 0.8));
    })
    .toBeLessThan(4);
  await page.getByRole('button', {name: 'Fit to window'}).click();
  await expect(map).toHaveCount(0);
});

// Helpers for browser tests of sheet, graph and why: a write like kubectl's, the clipboard, and axe.
import {AxeBuilder} from '@axe-core/playwright';
import type {Page} from '@playwright/test';
import type {DynamicClient} from '../../../server/src/kube/client/dynamic-client.ts';
import {test as base, expect, resources} from './server-test.ts';

export {expect, resources} from './server-test.ts';

/** The same pages, with the tour dismissed and the clipboard allowed. */
export const test = base.extend({
  page: async ({page, context}, use) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => localStorage.setItem('krtscope', JSON.stringify({toured: true})));
    await use(page);
  },
});

let labels = 0;

/** Labels a namespace as `kubectl label` does, with a new value; returns the value. */
export async function labelNamespace(cluster: DynamicClient, name: string): Promise<string> {
  const value = `wp-${process.pid}-${++labels}`;
  const patch = {metadata: {labels: {'istio.io/use-waypoint': value}}};
  await cluster.patch(resources.Namespaces, {name}, patch, {type: 'merge', fieldManager: 'kubectl-label'});
  return value;
}

export async function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Checks that the page does not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // A window that just shrank is drawn with the next frame.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
    .toBe(true);
}

/** Runs axe over the whole page; serious and critical findings fail with their elements. */
export async function expectAccessible(page: Page): Promise<void> {
  // Wait for colour transitions: contrast in between does not count.
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter(one => one instanceof CSSTransition);
    await Promise.all(moving.map(one => one.finished.catch(() => {})));
  });
  const {violations} = await new AxeBuilder({page}).analyze();
  const bad = violations.filter(one => one.impact === 'serious' || one.impact === 'critical');
  expect(
    bad.map(
      one =>
        `${one.id}: ${one.nodes
          .map(node => node.target.join(' '))
          .slice(0, 40)
          .join(' | ')}`,
    ),
  ).toEqual([]);
}

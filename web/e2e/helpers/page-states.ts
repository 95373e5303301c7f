// Every view and state that the layout test checks: how to open it, and what shows that it is drawn.
import {expect, type Page} from '@playwright/test';

type JsonFetcher = (path: string) => Promise<unknown>;

export interface PageState {
  name: string;
  /** Extra widths for this state: where two panes are at their narrowest. */
  widths?: number[];
  open(page: Page, ask: JsonFetcher): Promise<void>;
}

/** Changes the URL without a reload: a reload would take longer than the check. */
async function go(page: Page, path: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.evaluate(address => {
    history.pushState(null, '', address);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

async function keyOf(ask: JsonFetcher, collection: string, q: string): Promise<string> {
  const {items} = (await ask(
    `/api/v1/collections/${collection}/items?limit=1&q=${encodeURIComponent(q)}`,
  )) as {items: {key: string}[]};
  return encodeURIComponent(items[0]!.key);
}

const at =
  (path: string, ready: (page: Page) => Promise<unknown>): PageState['open'] =>
  async page => {
    await go(page, path);
    await ready(page);
  };

const sheet = (page: Page) => expect(page.locator('.line[data-key]').first()).toBeVisible();
const region = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('region', {name}).first()).toBeVisible();

async function earlierMoment(ask: JsonFetcher): Promise<number> {
  const {sequence} = (await ask('/api/v1/graph')) as {sequence: number};
  return Math.max(1, sequence - 2);
}

export const pageStates: PageState[] = [
  {name: 'overview', open: at('/s/demo/overview', region('Incidents'))},
  {name: 'sheet', open: at('/s/demo/sheet/Workloads', sheet)},
  {name: 'what if', open: at('/s/demo/what-if/Services/data%2Fredis', region('Edits'))},
  {
    name: 'sheet, an item and the Inspector',
    open: async (page, ask) => {
      await go(
        page,
        `/s/demo/sheet/Workloads/${await keyOf(ask, 'Workloads', 'ns:shop -l app=payments')}?ns=shop`,
      );
      await expect(page.getByRole('complementary', {name: 'Inspector'})).toBeVisible();
    },
  },
  {
    name: 'sheet, nothing matches',
    open: at('/s/demo/sheet/Workloads?q=no-such-row', page =>
      expect(page.getByText('No rows match')).toBeVisible(),
    ),
  },
  {
    name: 'sheet, grouped',
    open: at('/s/demo/sheet/Workloads?group=metadata.namespace', page =>
      expect(page.locator('.line').first()).toBeVisible(),
    ),
  },
  {
    name: 'sheet, the columns menu',
    open: async page => {
      await go(page, '/s/demo/sheet/Workloads?ns=shop');
      await sheet(page);
      await page.keyboard.press('c');
    },
  },
  {
    name: 'sheet, a past moment compared',
    open: async (page, ask) => {
      const moment = await earlierMoment(ask);
      await go(page, `/s/demo/sheet/Workloads?ns=shop&t=${moment}&vs=${moment + 2}`);
      await region('Comparison')(page);
    },
  },
  {name: 'graph', open: at('/s/demo/graph', page => expect(page.locator('.node').first()).toBeVisible())},
  {
    name: 'graph, selected',
    open: at('/s/demo/graph/Workloads', page => expect(page.locator('.node-selected').first()).toBeVisible()),
  },
  {
    name: 'graph, an item and the Inspector',
    open: async (page, ask) => {
      const key = await keyOf(ask, 'Workloads', 'ns:shop -l app=cart');
      await go(page, `/s/demo/graph/Workloads/${key}?i=1`);
      await expect(page.getByRole('complementary', {name: 'Inspector'})).toBeVisible();
      await expect(page.locator('.node-selected').first()).toBeVisible();
    },
  },
  {
    name: 'graph, item',
    open: async (page, ask) => {
      await go(
        page,
        `/s/demo/graph/Workloads/${await keyOf(ask, 'Workloads', 'ns:shop -l app=cart')}?level=item`,
      );
      await expect(page.locator('.node-item').first()).toBeVisible();
    },
  },
  {
    name: 'graph, list',
    open: at('/s/demo/graph?list=1', page => expect(page.getByRole('tree').first()).toBeVisible()),
  },
  {
    name: 'origin',
    open: async (page, ask) => {
      await go(page, `/s/demo/origin/WorkloadServices/${await keyOf(ask, 'Pods', '-l app=catlog')}?input=1`);
      await region('Steps')(page);
    },
  },
  {
    name: 'why',
    widths: [1110, 1280],
    open: async (page, ask) => {
      await go(page, `/s/demo/why/Workloads/${await keyOf(ask, 'Workloads', 'ns:shop -l app=cart')}`);
      await region('Cause')(page);
    },
  },
  {
    name: 'why not',
    widths: [1110, 1280],
    open: async (page, ask) => {
      const expected = `Pods/${await keyOf(ask, 'Pods', '-l app=catlog')}`;
      await go(page, `/s/demo/why-not/ServiceInfos/shop%2Fcatalog?expected=${encodeURIComponent(expected)}`);
      await region(/Filter, clause by clause/)(page);
    },
  },
  {
    name: 'why empty',
    open: async (page, ask) => {
      await go(page, `/s/demo/why-not/WorkloadServices/${await keyOf(ask, 'Pods', '-l app=catlog')}`);
      await region('Recorded dependencies')(page);
    },
  },
  {
    name: 'why, nothing selected',
    open: at('/s/demo/why', page => expect(page.getByText('No item selected')).toBeVisible()),
  },
  {
    name: 'controllers',
    open: at('/s/demo/controllers?c=replicaset-controller', page =>
      expect(page.getByRole('heading', {name: 'replicaset-controller'})).toBeVisible(),
    ),
  },
  {name: 'lab', open: at('/s/demo/lab?new=1', page => expect(page.locator('.lab').first()).toBeVisible())},
  {
    name: 'an unknown view',
    open: at('/s/demo/nowhere', page => expect(page.getByRole('main')).toContainText('nowhere')),
  },
  {
    name: 'the log of runs',
    open: async page => {
      await go(page, '/s/demo/overview');
      await page.keyboard.press('e');
      await expect(page.getByRole('region', {name: /log|runs/i}).first()).toBeVisible();
    },
  },
  {
    name: 'the palette',
    open: async page => {
      await page.keyboard.press('e');
      await page.keyboard.press('Control+K');
      await page.keyboard.type('pa');
      await expect(page.getByRole('dialog').first()).toBeVisible();
    },
  },
  {
    name: 'shortcuts',
    open: async page => {
      await page.keyboard.press('Escape');
      await go(page, '/s/demo/sheet/Workloads');
      await sheet(page);
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog').first()).toBeVisible();
    },
  },
  {
    name: 'settings',
    open: async page => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', {name: 'Settings'}).click();
      await expect(page.getByRole('dialog', {name: 'Settings'})).toBeVisible();
    },
  },
  {
    name: 'the command line',
    open: async page => {
      await page.keyboard.press('Escape');
      await page.keyboard.press(':');
      await page.keyboard.type('svc ');
      await expect(page.getByRole('dialog', {name: 'Command line'})).toBeVisible();
    },
  },
  {
    name: 'sheet, an unknown filter',
    open: async page => {
      await page.keyboard.press('Escape');
      await at('/s/demo/sheet/Workloads?q=foo:bar', one =>
        expect(one.getByText('No rows match')).toBeVisible(),
      )(page, async () => undefined);
    },
  },
  {name: 'connect', open: at('/connect', page => expect(page.getByRole('main')).toBeVisible())},
];

/** Of a program whose controllers fail (server/test/operator/failing.ts). */
export const failingProgramStates: PageState[] = [
  {
    name: 'a failing program, overview',
    open: at('/s/program:failing/overview', page =>
      expect(page.getByRole('region', {name: 'Incidents'})).toContainText('open'),
    ),
  },
  {
    name: 'a failing program, controllers',
    open: at('/s/program:failing/controllers', page =>
      expect(page.getByRole('list', {name: 'Problems'})).toBeVisible(),
    ),
  },
  {
    name: 'a failing program, an attempt with links and Why',
    open: at('/s/program:failing/controllers?c=secrets&k=default%2Fissued&why=1', page =>
      expect(page.getByRole('button', {name: /^issuers, default\/issuer/})).toBeVisible(),
    ),
  },
];

/** Of an attached document of istiod with 172 collections. */
export const istiodStates: PageState[] = [
  {name: 'istiod, overview', open: at('/s/attached:istiod/overview', region('Incidents'))},
  {name: 'istiod, sheet', open: at('/s/attached:istiod/sheet', sheet)},
  {
    name: 'istiod, graph',
    open: at('/s/attached:istiod/graph', page => expect(page.locator('.node').first()).toBeVisible()),
  },
  {
    name: 'istiod, graph as a list',
    open: at('/s/attached:istiod/graph?list=1', page => expect(page.getByRole('tree').first()).toBeVisible()),
  },
];

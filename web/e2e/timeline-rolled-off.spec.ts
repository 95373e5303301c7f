// A recording that keeps little: a link into what rolled off.
import {expect, labelNamespace, test} from './helpers/page-test.ts';

test.use({flags: ['--demo-pace', '0', '--demo-seed', '1', '--history-runs', '100', '--history-disk', '0']});

test('a moment that rolled off says so and offers the nearest kept one', async ({visit, cluster}) => {
  for (let turn = 0; turn < 8; turn++) await labelNamespace(cluster, 'shop');
  const page = await visit('/s/demo/overview?t=1');
  await expect(page.getByText(/#1 is no longer recorded/)).toBeVisible();
  await page.getByRole('button', {name: /^Go to #\d+/}).click();
  await expect(page.getByText(/is no longer recorded/)).toBeHidden();
});

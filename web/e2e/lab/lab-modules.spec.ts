// A graph module in the Lab of an opened recording: all its texts are shown, and nothing of it runs.
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from '../helpers/page-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-modules-'));
writeFileSync(
  join(folder, 'places.graph.ts'),
  `import {newCollection} from 'krtscope/krt';
import {nodeOf} from './node-of.ts';

export function build({collection}: GraphModule) {
  newCollection(collection('Pods'), (ctx, pod) => ({node: nodeOf(pod)}), {name: 'Places'});
}
`,
);
writeFileSync(
  join(folder, 'node-of.ts'),
  "export const nodeOf = (pod: any) => pod.spec?.nodeName ?? 'none';\n",
);
test.use({flags: ['--demo-pace', '0', '--demo-seed', '1', '--graph', folder]});

test('the module that a recording was made with is read in the Lab, all its files', async ({
  visit,
  server,
}) => {
  await expect
    .poll(async () => (await server.json<{collections: {name: string}[]}>('/api/v1/graph')).collections)
    .toContainEqual(expect.objectContaining({name: 'Places', synced: true}));
  const recording = new Uint8Array(await (await server.get('/api/v1/recording')).arrayBuffer());
  await server.get('/api/v1/sessions?name=places', {method: 'POST', body: recording});
  const page = await visit('/s/file%3Aplaces/lab');
  await page.getByRole('button', {name: 'places.graph.ts'}).click();
  const dialog = page.getByRole('dialog', {name: 'Graph module places.graph.ts'});
  await expect(dialog).toContainText('It does not run here');
  await expect(dialog.getByRole('region', {name: 'places.graph.ts'})).toContainText('export function build');
  await expect(dialog.getByRole('region', {name: 'node-of.ts'})).toContainText('const nodeOf = (pod: any)');
});

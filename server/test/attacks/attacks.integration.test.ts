// The table names tests that exist, covers every finding, and is what docs/attacks.md shows.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {attacks} from './attack-table.ts';
import {renderAttacks} from './render.ts';

const root = join(import.meta.dirname, '../../..');
const rows = Object.values(attacks).flat();

test.each(rows.map(row => [row.tried, row] as const))('%s: its tests exist', (_, {file, source, tests}) => {
  expect(existsSync(join(root, file)), file).toBe(true);
  const text = readFileSync(join(root, source ?? file), 'utf8');
  for (const title of tests) expect(text).toContain(`'${title}`);
});

test('every line of part G of the findings has a row', () => {
  const covered = new Set(rows.flatMap(row => row.finding?.split(', ') ?? []));
  for (let line = 1; line <= 11; line++) expect(covered).toContain(`G ${line}`);
});

test('docs/attacks.md is the table', async () => {
  await expect(renderAttacks(attacks)).toMatchFileSnapshot(join(root, 'docs/attacks.md'));
});

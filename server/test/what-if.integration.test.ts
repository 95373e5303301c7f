// What if against the truth: the answer equals what the graph shows in the batch that carries the same edit.
// `npm run fuzz:what-if` and `npm run fuzz:impact` are the long forms.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startCluster} from '../src/cluster/start.ts';
import {proveImpact} from './what-if/impact-proof.ts';
import {proveWhatIf} from './what-if/what-if-proof.ts';

const EDITS = 40;
const FIELDS = 60;

test(`${EDITS} random edits: every row, every finding, and impact named every row that changed`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-what-if-truth-'));
  const cluster = await startCluster({seed: 1, pace: 0, dataDir, controllers: false});
  try {
    const seed = Number(process.env.KRTSCOPE_SEED ?? 1);
    const {misses, unnamed, kinds} = await proveWhatIf(cluster.kubeconfigFile ?? '', {edits: EDITS, seed});
    expect(misses).toEqual([]);
    expect(unnamed).toEqual([]);
    expect(Object.keys(kinds).length).toBeGreaterThan(5);
  } finally {
    await cluster.stop();
    rmSync(dataDir, {recursive: true});
  }
});

test(`${FIELDS} random fields: impact named every row that differs, and most rows named as read do`, async () => {
  const seed = Number(process.env.KRTSCOPE_SEED ?? 1);
  const {unnamed, read, readAndDiffer} = await proveImpact(FIELDS, seed);
  expect(unnamed).toEqual([]);
  expect(read).toBeGreaterThan(0);
  expect(readAndDiffer / read).toBeGreaterThanOrEqual(0.8);
});

// What if against the truth: the answer equals what the graph shows in the batch that carries the same edit.
// `npm run fuzz:what-if` is the long form.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startCluster} from '../src/cluster/start.ts';
import {proveWhatIf} from './what-if/what-if-proof.ts';

const EDITS = 40;

test(`${EDITS} random edits: every row, every finding, and impact named every row that changed`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-what-if-truth-'));
  const cluster = await startCluster({seed: 1, pace: 0, dataDir, controllers: false});
  try {
    const seed = Number(process.env.KRTSCOPE_SEED ?? 1);
    const {misses, unnamed, kinds} = await proveWhatIf(cluster.kubeconfigFile ?? '', EDITS, seed);
    expect(misses).toEqual([]);
    expect(unnamed).toEqual([]);
    expect(Object.keys(kinds).length).toBeGreaterThan(5);
  } finally {
    await cluster.stop();
    rmSync(dataDir, {recursive: true});
  }
});

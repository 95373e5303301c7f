// Runs random edits against a cluster and sums up how often What if was right.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {SeededRandom} from '../../src/cluster/object/seeded-random.ts';
import {parseConfig} from '../../src/config.ts';
import {connect} from '../../src/kube/client/connect.ts';
import {readKubeconfig} from '../../src/kube/credentials/kubeconfig.ts';
import {SessionList} from '../../src/session/session-list.ts';
import {EditTrials} from './edit-trial.ts';

export interface ProofResult {
  readonly tried: number;
  readonly kinds: Record<string, number>;
  readonly misses: string[];
  readonly unnamed: string[];
}

/** `reader` is the kubeconfig of krtscope's own session. */
export async function proveWhatIf(
  kubeconfig: string,
  edits: number,
  seed: number,
  reader = kubeconfig,
): Promise<ProofResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-what-if-proof-'));
  const sessions = new SessionList(
    parseConfig(['--kubeconfig', reader, '--data-dir', dataDir], {}).config,
    'test',
  );
  await sessions.chooseFirst({});
  const session = sessions.first();
  const config = readKubeconfig([kubeconfig]);
  const client = connect({config, context: config.currentContext ?? '', readOnly: false});
  try {
    for (let n = 0; !(await session.ready()).ready; n++) {
      if (n > 600) throw new Error(`not ready: ${(await session.ready()).reasons.join('; ')}`);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    const trials = new EditTrials(session, client, new SeededRandom(seed));
    const kinds: Record<string, number> = {};
    const misses: string[] = [];
    const unnamed: string[] = [];
    for (let n = 0; n < edits; n++) {
      const result = await trials.next();
      kinds[result.kind] = (kinds[result.kind] ?? 0) + 1;
      if (result.miss !== undefined) misses.push(result.miss);
      unnamed.push(...result.unnamed.map(row => `${result.kind}: ${row}`));
    }
    return {tried: edits, kinds, misses, unnamed};
  } finally {
    await client.transport.close();
    await sessions.stop();
    rmSync(dataDir, {recursive: true});
  }
}

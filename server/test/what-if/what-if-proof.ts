// Runs random edits against a cluster and sums up how often What if was right.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import {SeededRandom} from '../../src/cluster/object/seeded-random.ts';
import {parseConfig} from '../../src/config.ts';
import type {OpenSession} from '../../src/engine/link/session.ts';
import {connect} from '../../src/kube/client/connect.ts';
import {readKubeconfig} from '../../src/kube/credentials/kubeconfig.ts';
import {SessionList} from '../../src/session/session-list.ts';
import {EditTrials} from './edit-trial.ts';
import {populate} from './population.ts';

export interface ProofResult {
  readonly tried: number;
  readonly kinds: Record<string, number>;
  readonly misses: string[];
  readonly unnamed: string[];
}

export interface ProofOptions {
  readonly edits: number;
  readonly seed: number;
  /** The kubeconfig of krtscope's own session. Default: the one that edits. */
  readonly reader?: string | undefined;
  /** A cluster with controllers and without objects: create some, and let the controllers finish before each edit. */
  readonly isReal?: boolean;
}

export async function proveWhatIf(
  kubeconfig: string,
  {edits, seed, reader = kubeconfig, isReal = false}: ProofOptions,
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
    if (isReal) await populate(client);
    for (let n = 0; !(await session.ready()).ready; n++) {
      if (n > 600) throw new Error(`not ready: ${(await session.ready()).reasons.join('; ')}`);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    const trials = new EditTrials(session, client, new SeededRandom(seed));
    const kinds: Record<string, number> = {};
    const misses: string[] = [];
    const unnamed: string[] = [];
    for (let n = 0; n < edits; n++) {
      if (isReal) await settled(session);
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

/** Controllers have reacted to the last edit. */
async function settled(session: OpenSession): Promise<void> {
  const sequence = async () => ((await session.link.ask({ask: 'graph'})) as Graph).sequence;
  let last = await sequence();
  for (let quiet = 0, n = 0; quiet < 5 && n < 300; n++) {
    await new Promise(resolve => setTimeout(resolve, 100));
    const now = await sequence();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
  }
}

import type {Graph} from '@krtscope/shared/graph.ts';
import type {EngineHandle} from '../../../engine/link/engine-link.ts';

const TIMEOUT_MS = 5000;
const CHECK_MS = 200;

/** Resolves when every source has its rows, or after a timeout. Code is then tried on these rows. */
export async function waitForInitialRows(engine: EngineHandle, isClosed: () => boolean): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!isClosed() && performance.now() < end) {
    const graph = (await engine.ask({ask: 'graph'}).catch(() => undefined)) as Graph | undefined;
    if (graph?.collections.every(({kind, synced}) => synced || kind !== 'source')) return;
    await new Promise(resolve => setTimeout(resolve, CHECK_MS));
  }
}

// At the start the rows that code is tried on are on their way; what does not come is not waited for.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {EngineHandle} from '../../../engine/link/engine-link.ts';

const ROWS_MS = 5000;
const LOOK_MS = 200;

/** Resolves when every source has its rows, or is late. */
export async function waitForInitialRows(engine: EngineHandle, isClosed: () => boolean): Promise<void> {
  const end = Date.now() + ROWS_MS;
  while (!isClosed() && Date.now() < end) {
    const graph = (await engine.ask({ask: 'graph'}).catch(() => undefined)) as Graph | undefined;
    if (graph?.collections.every(({kind, synced}) => synced || kind !== 'source')) return;
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  }
}

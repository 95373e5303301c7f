// Starts and ends the controller of a session's formulas in the cluster, with a connection of its own: it alone may
// write, and only where that was allowed.
import type {LabRowSource} from '../../../engine/supervisor/lab-process.ts';
import {connect} from '../../../kube/client/connect.ts';
import type {Kubeconfig} from '../../../kube/credentials/kubeconfig.ts';
import type {SavedFormulaService} from '../saved-formula-service.ts';
import type {ClusterStore} from '../stores/cluster-store.ts';

export interface ClusterFormulasOptions {
  config: Kubeconfig;
  context: string;
  namespaces: readonly string[];
  mayWrite: boolean;
}

/** Follows until the function that it returns is called. */
export function startFormulaController(
  {config, context, namespaces, mayWrite}: ClusterFormulasOptions,
  keeper: SavedFormulaService,
  store: ClusterStore,
  rows: LabRowSource,
  log: (problem: string) => void,
): () => void {
  const stop = new AbortController();
  const run = async () => {
    const {transport} = connect({config, context, readOnly: !mayWrite});
    try {
      // Loaded when there is something to follow: the page does not wait for it.
      const {runFormulaController} = await import('./formula-controller.ts');
      const {signal} = stop;
      await runFormulaController({
        transport,
        service: keeper,
        store,
        rows,
        namespaces,
        mayWrite,
        log,
        signal,
      });
    } finally {
      await transport.close();
    }
  };
  run().catch(error => log(`formulas of the cluster are not followed any more: ${(error as Error).message}`));
  return () => stop.abort();
}

// Starts the controller of a session's formulas in the cluster. It has its own connection, which may write if
// that is allowed.
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

/** Runs until the returned function is called. */
export function startFormulaController(
  {config, context, namespaces, mayWrite}: ClusterFormulasOptions,
  service: SavedFormulaService,
  store: ClusterStore,
  rows: LabRowSource,
  log: (problem: string) => void,
): () => void {
  const stop = new AbortController();
  const run = async () => {
    const {transport} = connect({config, context, readOnly: !mayWrite});
    try {
      // Load it late, so that the page does not wait for it.
      const {runFormulaController} = await import('./formula-controller.ts');
      const {signal} = stop;
      await runFormulaController({
        transport,
        service,
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
  run().catch(error => log(`formulas in the cluster are no longer watched: ${(error as Error).message}`));
  return () => stop.abort();
}

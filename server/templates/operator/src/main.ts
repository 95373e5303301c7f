// The operator: finds its cluster as kubectl does, or by the service account of its Pod, and runs until it is told to end.
import {createManager, ping} from 'krtscope/runtime';
import {addWebsiteController} from './controller.ts';

// Set in config/operator.yaml: several Pods agree on one there, and on a desk there is only one.
const namespace = process.env.POD_NAMESPACE;

const manager = await createManager({
  metrics: {bindAddress: process.env.METRICS_ADDRESS ?? ':8080'},
  healthProbeBindAddress: process.env.PROBE_ADDRESS ?? ':8081',
  leaderElection: namespace ? {id: 'website-operator', namespace, releaseOnCancel: true} : undefined,
});
manager.addHealthzCheck('ping', ping);
manager.addReadyzCheck('ping', ping);
addWebsiteController(manager);
await manager.start();

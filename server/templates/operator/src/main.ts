// The operator. It finds its cluster as kubectl does, or by the service account of its Pod, and runs until it
// gets a signal.
import {createManager, ping} from 'krtscope/runtime';
import {addWebsiteController} from './controller.ts';

// config/operator.yaml sets it. In a cluster several Pods elect a leader; on your machine there is one
// process.
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

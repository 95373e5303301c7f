// Ten thousand Pods behind a wire that answers at once: what the benchmarks of the controller runtime reconcile.
import type {KubeObject} from '../../src/kube/object.ts';
import {TestWire} from '../../src/runtime/testing-wire.ts';

export const SIZE = 10_000;
const NODES = 1000;
export const PODS = '/api/v1/pods';

export const requests = Array.from({length: SIZE}, (_, i) => ({
  namespace: `team-${i % 20}`,
  name: `pod-${i}`,
}));

export function pod(index: number, version: number): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: `team-${index % 20}`,
      name: `pod-${index}`,
      uid: `uid-${index}`,
      resourceVersion: String(version),
      labels: {app: `app-${index % 50}`, team: `team-${index % 20}`},
    },
    spec: {nodeName: `node-${index % NODES}`, containers: [{name: 'main', image: `app:${index % 7}`}]},
    status: {
      phase: 'Running',
      podIP: `10.0.${index >> 8}.${index & 255}`,
      conditions: [{type: 'Ready', status: 'True'}],
    },
  };
}

export function podWire(): TestWire {
  const wire = new TestWire();
  wire.put(PODS, ...Array.from({length: SIZE}, (_, i) => pod(i, i + 1)));
  return wire;
}

// Node heartbeats: leases renewed often, node status now and then, neither of which changes anything that matters.
import type {Api} from '../api.ts';
import {type JsonObject, type KubeObject, listAt} from '../object/types.ts';
import {type Client, LEASES} from './client.ts';

export function renewLeases(api: Api, client: Client): void {
  const kubelet = client.as('kubelet');
  for (const lease of client.list(LEASES, 'kube-node-lease')) {
    kubelet.update(LEASES, lease, current => {
      (current.spec as JsonObject).renewTime = new Date(api.now())
        .toISOString()
        .replace(/(\.\d{3})Z$/, '$1000Z');
    });
  }
}

/** One node says again that it is well. */
export function beat(api: Api, client: Client, node: KubeObject): void {
  const time = api.timestamp();
  client.as('kubelet').update(
    'nodes',
    node,
    current => {
      const status = current.status as JsonObject;
      status.conditions = listAt(current, 'status', 'conditions').map(c => ({
        ...(c as JsonObject),
        lastHeartbeatTime: time,
      }));
    },
    'status',
  );
}

// Node heartbeats: renews Leases often and the node status now and then. Neither changes a result.
import type {Api} from '../../api.ts';
import {type JsonObject, listAt, type StoredObject} from '../../object/stored-object.ts';
import {type DirectClient, LEASES} from '../direct-client.ts';

export function renewLeases(api: Api, client: DirectClient): void {
  const kubelet = client.as('kubelet');
  for (const lease of client.list(LEASES, 'kube-node-lease')) {
    kubelet.update(LEASES, lease, current => {
      (current.spec as JsonObject).renewTime = new Date(api.now())
        .toISOString()
        .replace(/(\.\d{3})Z$/, '$1000Z');
    });
  }
}

/** Renews the Lease of one node. */
export function sendHeartbeat(api: Api, client: DirectClient, node: StoredObject): void {
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

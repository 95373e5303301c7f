// The objects of every new cluster: system namespaces, nodes, the kubernetes Service.
import type {Api} from '../api.ts';
import {setUpNamespace} from '../simulation/controllers/namespace-setup.ts';
import {type DirectClient, ENDPOINT_SLICES, LEASES} from '../simulation/direct-client.ts';
import {nodeStatus} from '../simulation/kubelet/node-status.ts';
import {NODE_NAMES, NODE_ZONES} from './catalogue.ts';

const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

export function seedBase(api: Api, client: DirectClient): void {
  const server = client.as('kube-apiserver');
  for (const name of SYSTEM_NAMESPACES) server.create('namespaces', {metadata: {name}});
  for (const name of SYSTEM_NAMESPACES) setUpNamespace(client.as('kube-controller-manager'), name);
  server.create('services', {
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: {component: 'apiserver', provider: 'kubernetes'},
    },
    spec: {clusterIP: '10.96.0.1', ports: [{name: 'https', port: 443, targetPort: 6443, protocol: 'TCP'}]},
  });
  server.create(ENDPOINT_SLICES, {
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: {'kubernetes.io/service-name': 'kubernetes'},
    },
    addressType: 'IPv4',
    endpoints: [{addresses: ['127.0.0.1'], conditions: {ready: true}}],
    ports: [{name: 'https', port: 6443, protocol: 'TCP'}],
  });
  for (const [name, value] of [
    ['system-cluster-critical', 2000000000],
    ['system-node-critical', 2000001000],
  ] as const) {
    const description = `Used for system critical pods that must ${name.includes('node') ? 'not be moved from their current node' : 'run in the cluster, but can be moved to another node if necessary'}.`;
    server.create('priorityclasses.v1.scheduling.k8s.io', {
      metadata: {name},
      value,
      description,
      preemptionPolicy: 'PreemptLowerPriority',
    });
  }
  NODE_NAMES.forEach((_, index) => {
    seedNode(api, client.as('kubelet'), index);
  });
}

function seedNode(api: Api, kubelet: DirectClient, index: number): void {
  const name = NODE_NAMES[index]!;
  const node = kubelet.create('nodes', {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/region': 'eu-1',
        'topology.kubernetes.io/zone': NODE_ZONES[index]!,
      },
    },
    spec: {podCIDR: `10.244.${index}.0/24`, podCIDRs: [`10.244.${index}.0/24`]},
  });
  kubelet.setStatus('nodes', node, nodeStatus(name, index, api.timestamp()));
  const time = `${new Date(api.now()).toISOString().slice(0, 19)}.000000Z`;
  kubelet.create(LEASES, {
    metadata: {
      name,
      namespace: 'kube-node-lease',
      ownerReferences: [{apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid}],
    },
    spec: {holderIdentity: name, leaseDurationSeconds: 40, renewTime: time},
  });
}

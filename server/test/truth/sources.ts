// The sources of the shipped graph as the embedded cluster serves them.
import {
  DEPLOYMENTS,
  ENDPOINT_SLICES,
  NETWORK_POLICIES,
  PODS,
  REPLICA_SETS,
} from '../../src/cluster/simulation/direct-client.ts';

export const paths: Readonly<Record<string, string>> = {
  Namespaces: 'namespaces',
  Nodes: 'nodes',
  Pods: PODS,
  Services: 'services',
  EndpointSlices: ENDPOINT_SLICES,
  Deployments: DEPLOYMENTS,
  ReplicaSets: REPLICA_SETS,
  ConfigMaps: 'configmaps',
  Secrets: 'secrets',
  NetworkPolicies: NETWORK_POLICIES,
};

export const sourceNames = Object.keys(paths);

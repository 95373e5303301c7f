// Small graphs for tests, written as `Pods->Workloads:input`.
import type {CollectionNode, Graph, GraphEdge} from '@krtscope/shared/graph.ts';
import type {CollectionNodeKind, EdgeKind} from '@krtscope/shared/vocabulary.ts';

export function testNode(
  name: string,
  kind: CollectionNodeKind = 'derived',
  more: Partial<CollectionNode> = {},
): CollectionNode {
  return {
    name,
    uid: 0,
    kind,
    size: 1,
    synced: true,
    runs: 0,
    failed: 0,
    rate: 0,
    equal: 0,
    spark: [],
    fields: [],
    ...more,
  };
}

export function testGraph(nodes: CollectionNode[], edges: string[]): Graph {
  return {
    sequence: 1,
    collections: nodes,
    edges: edges.map((text): GraphEdge => {
      const [, from, to, kind] = /^(.+)->(.+):(.+)$/.exec(text)!;
      return {from: from!, to: to!, kind: kind as EdgeKind, filters: kind === 'fetch' ? ['key = name'] : []};
    }),
  };
}

/** The structure of the built-in graph. */
export function shopGraph(): Graph {
  return testGraph(
    [
      ...['Namespaces', 'Pods', 'Services', 'EndpointSlices', 'ReplicaSets', 'NetworkPolicies'].map(name =>
        testNode(name, 'source'),
      ),
      testNode('Workloads'),
      testNode('ServiceInfos'),
      testNode('WorkloadServices', 'many'),
      testNode('Endpoints', 'many'),
      testNode('SliceEndpoints', 'many'),
      testNode('Backends', 'join'),
      testNode('PolicyBindings', 'many'),
      testNode('WorkloadsByNode', 'index'),
    ],
    [
      'Pods->Workloads:input',
      'Services->Workloads:fetch',
      'Namespaces->Workloads:fetch',
      'ReplicaSets->Workloads:fetch',
      'Services->ServiceInfos:input',
      'Pods->ServiceInfos:fetch',
      'Workloads->WorkloadServices:input',
      'WorkloadServices->Endpoints:input',
      'Services->Endpoints:fetch',
      'EndpointSlices->SliceEndpoints:input',
      'Endpoints->Backends:join',
      'SliceEndpoints->Backends:join',
      'NetworkPolicies->PolicyBindings:input',
      'Pods->PolicyBindings:fetch',
      'Workloads->WorkloadsByNode:index',
    ],
  );
}

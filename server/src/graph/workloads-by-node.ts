// WorkloadsByNode: an index of Workloads as a collection, with one row for each node.
import {type Collection, newIndex} from '../krt/index.ts';
import type {Workload} from './workloads.ts';

export interface NodeWorkloads {
  readonly key: string;
  readonly objects: readonly Workload[];
}

export function newWorkloadsByNode(workloads: Collection<Workload>): Collection<NodeWorkloads> {
  const byNode = newIndex(workloads, 'node', ({node}: Workload) => (node === undefined ? [] : [node]));
  return byNode.asCollection({name: 'WorkloadsByNode'}) as Collection<NodeWorkloads>;
}

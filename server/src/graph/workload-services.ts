// WorkloadServices: one row for each pair of a Workload and a Service that selects it.
import {type Collection, type HandlerContext, newManyCollection} from '../krt/index.ts';
import type {Workload} from './workloads.ts';

export interface WorkloadService {
  readonly namespace: string;
  readonly workload: string;
  readonly service: string;
  readonly ip?: string;
  readonly node?: string;
}

export function newWorkloadServices(workloads: Collection<Workload>): Collection<WorkloadService> {
  return newManyCollection(
    workloads,
    (_: HandlerContext, {namespace, name, services, ip, node}: Workload): WorkloadService[] =>
      services.map(service => ({namespace, workload: name, service, ip, node})),
    {
      name: 'WorkloadServices',
      key: ({namespace, workload, service}) => `${namespace}/${workload}/${service}`,
      namespace: ({namespace}) => namespace,
    },
  );
}

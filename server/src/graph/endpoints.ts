// Endpoints: one row for each port of a Service on each Workload behind it, from the Pods and Services.
// SliceEndpoints has the same addresses from the cluster's EndpointSlices, under the same keys.
import {type Collection, fetchOne, filterKey, type HandlerContext, newManyCollection} from '../krt/index.ts';
import {isReady, type PodObject, type ServiceObject, type ServicePort} from './kubernetes-objects.ts';
import type {WorkloadService} from './workload-services.ts';

export interface ServiceEndpoint {
  readonly namespace: string;
  readonly service: string;
  readonly ip: string;
  readonly port: number;
  /** The name of the Service's port; empty for a single one without a name. */
  readonly portName: string;
  readonly workload?: string;
  readonly node?: string;
  readonly ready: boolean;
  /** The source of the row: Pods, slices of the cluster's controller, or slices of another writer. */
  readonly from: 'pods' | 'slices' | 'by-hand';
}

export function endpointKey({namespace, service, ip, port, portName}: ServiceEndpoint): string {
  const key = `${namespace}/${service}/${ip}:${port}`;
  return portName === '' ? key : `${key}/${portName}`;
}

export function newEndpoints(
  workloadServices: Collection<WorkloadService>,
  services: Collection<ServiceObject>,
  pods: Collection<PodObject>,
): Collection<ServiceEndpoint> {
  return newManyCollection(
    workloadServices,
    (ctx: HandlerContext, {namespace, workload, service, ip, node}: WorkloadService): ServiceEndpoint[] => {
      if (ip === undefined) return [];
      const pod = fetchOne(ctx, pods, filterKey(`${namespace}/${workload}`));
      const ports = fetchOne(ctx, services, filterKey(`${namespace}/${service}`))?.spec?.ports ?? [];
      if (pod === undefined) return [];
      return ports.flatMap(wanted => {
        const port = portOn(pod, wanted);
        if (port === undefined) return [];
        const portName = wanted.name ?? '';
        return [{namespace, service, ip, port, portName, workload, node, ready: isReady(pod), from: 'pods'}];
      });
    },
    {name: 'Endpoints', key: endpointKey, namespace: ({namespace}) => namespace},
  );
}

/** A named target port is the container port of that name; a Pod without it gets no endpoint. */
function portOn(pod: PodObject, {port, targetPort = port}: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  for (const container of pod.spec?.containers ?? []) {
    const named = container.ports?.find(({name}) => name === targetPort);
    if (named !== undefined) return named.containerPort;
  }
  return undefined;
}

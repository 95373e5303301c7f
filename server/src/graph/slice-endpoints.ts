// SliceEndpoints: one row for each address and port that the cluster's own EndpointSlices list.
import {type Collection, type HandlerContext, newManyCollection} from '../krt/index.ts';
import {endpointKey, type ServiceEndpoint} from './endpoints.ts';
import type {EndpointSliceObject} from './kubernetes-objects.ts';

const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const CONTROLLER = 'endpointslice-controller.k8s.io';

export function newSliceEndpoints(slices: Collection<EndpointSliceObject>): Collection<ServiceEndpoint> {
  return newManyCollection(
    slices,
    (_: HandlerContext, slice: EndpointSliceObject): ServiceEndpoint[] => {
      const {namespace = '', labels = {}} = slice.metadata;
      const service = labels['kubernetes.io/service-name'];
      const from = labels[MANAGED_BY] === CONTROLLER ? 'slices' : 'by-hand';
      if (service === undefined) return [];
      const ports = slice.ports?.filter(({port}) => typeof port === 'number') ?? [];
      return (slice.endpoints ?? []).flatMap(({addresses = [], conditions, targetRef, nodeName}) =>
        addresses.flatMap(ip =>
          ports.map(
            ({port, name}): ServiceEndpoint => ({
              namespace,
              service,
              ip,
              port: port as number,
              portName: name ?? '',
              workload: targetRef?.kind === 'Pod' ? targetRef.name : undefined,
              node: nodeName,
              // The API says that a missing condition means ready.
              ready: conditions?.ready ?? true,
              from,
            }),
          ),
        ),
      );
    },
    {name: 'SliceEndpoints', key: endpointKey, namespace: ({namespace}) => namespace},
  );
}

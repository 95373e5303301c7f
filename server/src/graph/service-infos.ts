// ServiceInfos: every Service with how many Pods its selector matches and how many of them are ready.
import {
  type Collection,
  fetch,
  filterLabel,
  filterNamespace,
  type HandlerContext,
  newCollection,
} from '../krt/index.ts';
import {isReady, type PodObject, type ServiceObject} from './kubernetes-objects.ts';

export interface ServiceInfo {
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  readonly clusterIP?: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly pods: number;
  readonly ready: number;
}

export function newServiceInfos(
  services: Collection<ServiceObject>,
  pods: Collection<PodObject>,
): Collection<ServiceInfo> {
  return newCollection(
    services,
    (ctx: HandlerContext, service: ServiceObject): ServiceInfo => {
      const {name, namespace = ''} = service.metadata;
      const {selector = {}, type = 'ClusterIP', clusterIP, ports = []} = service.spec ?? {};
      // A Service without a selector selects no Pod, not all of them: its endpoints are written by hand.
      const selects = Object.keys(selector).length > 0;
      const matching = selects ? fetch(ctx, pods, filterNamespace(namespace), filterLabel(selector)) : [];
      return {
        namespace,
        name,
        type,
        clusterIP,
        selector,
        ports: ports.map(({port, protocol = 'TCP'}) => `${port}/${protocol}`),
        pods: matching.length,
        ready: matching.filter(isReady).length,
      };
    },
    {
      name: 'ServiceInfos',
      key: ({namespace, name}) => `${namespace}/${name}`,
      namespace: ({namespace}) => namespace,
      selector: ({selector}) => selector,
    },
  );
}

// The shop's manifests, as argocd, helm and kubectl would apply them.
import type {JsonObject} from '../object/stored-object.ts';
import type {ShopService, ShopWorkload} from './catalogue.ts';

function podTemplate(workload: ShopWorkload): JsonObject {
  return {
    metadata: {labels: {app: workload.app, tier: workload.tier}},
    spec: {
      serviceAccountName: 'default',
      containers: [
        {
          name: workload.name,
          image: workload.image,
          ports: [{name: workload.port === 8443 ? 'https' : 'http', containerPort: workload.port}],
          env: [{name: 'LOG_LEVEL', value: 'info'}],
          resources: {requests: {cpu: '100m', memory: '128Mi'}, limits: {memory: '256Mi'}},
        },
      ],
    },
  };
}

export function workloadManifest(workload: ShopWorkload): JsonObject {
  const metadata = {
    name: workload.name,
    namespace: workload.namespace,
    labels: {app: workload.name, tier: workload.tier},
  };
  const selector = {matchLabels: {app: workload.app}};
  const template = podTemplate(workload);
  if (workload.kind === 'DaemonSet') return {metadata, spec: {selector, template}};
  const spec: JsonObject = {replicas: workload.replicas, selector, template};
  if (workload.kind === 'StatefulSet') spec.serviceName = workload.name;
  return {metadata, spec};
}

export function serviceManifest(service: ShopService): JsonObject {
  return {
    metadata: {name: service.name, namespace: service.namespace, labels: {app: service.name}},
    spec: {
      selector: service.selector,
      ports: [
        {
          name: service.port === 8443 ? 'https' : 'http',
          port: service.port,
          targetPort: service.targetPort,
          protocol: 'TCP',
        },
        ...(service.metrics === undefined
          ? []
          : [{name: 'metrics', port: service.metrics, targetPort: service.metrics, protocol: 'TCP'}]),
      ],
      ...(service.headless && {clusterIP: 'None'}),
    },
  };
}

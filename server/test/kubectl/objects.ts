// Objects as people write them for kubectl.

export function deployment(name: string, replicas: number): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name, labels: {app: name}},
    spec: {
      replicas,
      selector: {matchLabels: {app: name}},
      template: {metadata: {labels: {app: name}}, spec: {containers: [{name: 'web', image: 'nginx:1.27'}]}},
    },
  };
}

export function map(name: string, data: object, metadata: object = {}): object {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, ...metadata}, data};
}

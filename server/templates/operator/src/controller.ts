// Keeps a ConfigMap with the page and a Deployment that serves it for each Website, and reports the progress
// in its status.
import {
  ConfigMap,
  type Controller,
  controllerFor,
  copy,
  Deployment,
  equal,
  ignoreNotFound,
  type Manager,
  mergeFrom,
  objectReconciler,
  setControllerReference,
  type types,
} from 'krtscope/runtime';
import {Website} from './website.ts';

const owner = 'website-operator';

export function addWebsiteController(manager: Manager): Controller {
  const {client} = manager;

  const reconciler = objectReconciler(client, Website, async (website, {log}) => {
    // Ignore a Website that is being deleted: the garbage collector removes what it owns.
    if (website.metadata.deletionTimestamp) return;
    for (const object of [pageOf(website), deploymentOf(website)]) {
      setControllerReference(website, object);
      await client.apply(object, {fieldOwner: owner, force: true});
    }

    const {name, namespace} = website.metadata;
    const deployment = await ignoreNotFound(client.get(Deployment, {name, namespace}));
    const readyReplicas = deployment?.status?.readyReplicas ?? 0;
    const base = copy(website);
    website.status = {
      phase: readyReplicas >= website.spec.replicas ? 'Ready' : 'Starting',
      readyReplicas,
      observedGeneration: website.metadata.generation,
    };
    if (equal(base.status, website.status)) return;
    await client.status().patch(website, mergeFrom(base));
    log.info('status', {...website.status});
  });

  return controllerFor(manager).for(Website).owns(ConfigMap).owns(Deployment).complete(reconciler);
}

function pageOf({metadata: {name, namespace}, spec}: Website): types.ConfigMap {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, namespace}, data: {'index.html': spec.html}};
}

function deploymentOf({metadata: {name, namespace}, spec}: Website): types.Deployment {
  const labels = {'app.kubernetes.io/name': 'website', 'app.kubernetes.io/instance': name};
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name, namespace, labels},
    spec: {
      replicas: spec.replicas,
      selector: {matchLabels: labels},
      template: {
        metadata: {labels},
        spec: {
          containers: [
            {
              name: 'web',
              image: 'nginx:stable',
              ports: [{containerPort: 80}],
              volumeMounts: [{name: 'page', mountPath: '/usr/share/nginx/html'}],
            },
          ],
          volumes: [{name: 'page', configMap: {name}}],
        },
      },
    },
  };
}

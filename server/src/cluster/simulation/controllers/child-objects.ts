// Builds the objects that controllers create: a ReplicaSet from a Deployment, a Pod from a template.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import type {OwnerReference} from '../../../kube/object.ts';
import {at, type JsonObject, mapAt, type StoredObject} from '../../object/stored-object.ts';

const SAFE = 'bcdfghjklmnpqrstvwxz2456789';

/** A short hash of a Pod template, in letters that spell no words. */
export function templateHash(template: unknown): string {
  let hash = 2166136261;
  for (const letter of stableJson(template)) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0;
  return [...String(hash)].map(digit => SAFE[digit.charCodeAt(0) % SAFE.length]).join('');
}

/** JSON with sorted keys, so that equal templates give equal text. */
function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const object = value as JsonObject;
  const fields = Object.keys(object)
    .filter(k => object[k] !== undefined)
    .sort();
  return `{${fields.map(k => `${JSON.stringify(k)}:${stableJson(object[k])}`).join(',')}}`;
}

export function controllerReferenceTo(owner: StoredObject): OwnerReference {
  const {name, uid = ''} = owner.metadata;
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

export function controllerOf(object: StoredObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(r => r.controller === true);
}

export function replicaSetFor(
  deployment: StoredObject,
  hash: string,
  replicas: number,
  revision: number,
): JsonObject {
  const template = deepCopy(at(deployment, 'spec', 'template')) as JsonObject;
  const labels = {...mapAt(template, 'metadata', 'labels'), 'pod-template-hash': hash};
  const selector = deepCopy(at(deployment, 'spec', 'selector')) as JsonObject;
  selector.matchLabels = {...mapAt(selector, 'matchLabels'), 'pod-template-hash': hash};
  return {
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace,
      labels,
      annotations: {
        'deployment.kubernetes.io/desired-replicas': String(at(deployment, 'spec', 'replicas') ?? 1),
        'deployment.kubernetes.io/max-replicas': String(Number(at(deployment, 'spec', 'replicas') ?? 1) + 1),
        'deployment.kubernetes.io/revision': String(revision),
      },
      ownerReferences: [controllerReferenceTo(deployment)],
    },
    spec: {
      replicas,
      selector,
      template: {...template, metadata: {...(template.metadata as JsonObject), labels}},
      ...(at(deployment, 'spec', 'minReadySeconds') !== undefined && {
        minReadySeconds: at(deployment, 'spec', 'minReadySeconds'),
      }),
    },
  };
}

/** A Pod from its owner's template. Without `name`, the name is generated from the owner's. */
export function podFor(owner: StoredObject, name?: string): JsonObject {
  const template = deepCopy(at(owner, 'spec', 'template')) as JsonObject;
  const metadata = template.metadata as JsonObject | undefined;
  return {
    metadata: {
      ...(name === undefined ? {generateName: `${owner.metadata.name}-`} : {name}),
      namespace: owner.metadata.namespace,
      ...(metadata?.labels !== undefined && {labels: metadata.labels}),
      ...(metadata?.annotations !== undefined && {annotations: metadata.annotations}),
      ownerReferences: [controllerReferenceTo(owner)],
    },
    spec: template.spec,
  };
}

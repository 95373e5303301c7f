// Accepts CRDs, serves their resources at once, and deletes the resources with the CRD.
import type {Api} from '../../api.ts';
import {resourcesOf} from '../../kinds/custom-resources.ts';
import {type JsonObject, listAt, type StoredObject, stringAt} from '../../object/stored-object.ts';
import type {DirectClient} from '../direct-client.ts';

export const DEFINITIONS = 'customresourcedefinitions.v1.apiextensions.k8s.io';
const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

function hasCondition(definition: StoredObject, type: string): boolean {
  return listAt(definition, 'status', 'conditions').some(
    c => stringAt(c, 'type') === type && stringAt(c, 'status') === 'True',
  );
}

/** Reconciles one CRD. Called on each change. */
export function reconcileDefinition(api: Api, client: DirectClient, name: string): void {
  const definition = client.get(DEFINITIONS, '', name);
  if (!definition) {
    api.resources.define(name, []);
    return;
  }
  if (definition.metadata.deletionTimestamp) {
    clear(api, client, definition);
    return;
  }
  if (!hasCondition(definition, 'Established')) {
    establish(api, client, definition);
    return;
  }
  if (!definition.metadata.finalizers?.includes(CLEANUP)) {
    client.update(DEFINITIONS, definition, current => {
      current.metadata.finalizers = [...(current.metadata.finalizers ?? []), CLEANUP];
    });
  }
  api.resources.define(name, resourcesOf(definition));
}

function establish(api: Api, client: DirectClient, definition: StoredObject): void {
  const time = api.timestamp();
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime: time,
    reason,
    message,
  });
  client.update(
    DEFINITIONS,
    definition,
    current => {
      current.status = {
        ...(current.status as JsonObject),
        acceptedNames: (current.spec as JsonObject).names,
        conditions: [
          condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
          condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
        ],
      };
    },
    'status',
  );
}

function clear(api: Api, client: DirectClient, definition: StoredObject): void {
  const name = definition.metadata.name;
  const [resource] = resourcesOf(definition);
  if (resource) {
    const path = `${resource.resource}.${resource.version}.${resource.group}`;
    const left = [...api.resourceStore(resource).objects.values()];
    if (left.length > 0) {
      // Objects with finalizers keep the CRD. Their deletion calls this function again.
      for (const object of left) if (!object.metadata.deletionTimestamp) client.delete(path, object);
      if (api.resourceStore(resource).objects.size > 0) return;
    }
  }
  api.resources.define(name, []);
  client.update(DEFINITIONS, definition, current => {
    current.metadata.finalizers = (current.metadata.finalizers ?? []).filter(f => f !== CLEANUP);
  });
}

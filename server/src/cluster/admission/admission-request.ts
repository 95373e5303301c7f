// One write as admission sees it: what is written, by whom, with which options.
import {randomUUID} from 'node:crypto';
import type {ServedResource} from '../kinds/served-resource.ts';
import type {JsonObject, StoredObject} from '../object/stored-object.ts';
import type {WriteContext} from '../verbs/write.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** The client of a write. Writes of the simulation have none and are not admitted. */
export interface AdmissionClient {
  user: {name: string; groups: string[]};
  /** The fields of CreateOptions, UpdateOptions or DeleteOptions. */
  options: object;
}

/** The part of an HTTP exchange that admission reads. */
interface ClientExchange {
  user: {name: string; groups: string[]} | undefined;
  query: URLSearchParams;
}

/** To be spread into a write. `more` are the fields of DeleteOptions. */
export function admissionClient(
  {user, query}: ClientExchange,
  more: object = {},
): {client?: AdmissionClient} {
  if (!user) return {};
  const [fieldManager, fieldValidation] = [query.get('fieldManager'), query.get('fieldValidation')];
  const options = {
    ...(query.getAll('dryRun').includes('All') && {dryRun: ['All']}),
    ...(fieldManager && {fieldManager}),
    ...(fieldValidation && {fieldValidation}),
    ...more,
  };
  return {client: {user, options}};
}

const OPTIONS = {CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions'};

export interface AdmissionAttributes {
  write: WriteContext;
  client: AdmissionClient;
  operation: AdmissionOperation;
  name: string;
  object: StoredObject | undefined;
  oldObject: StoredObject | undefined;
}

/** The request of an AdmissionReview. `resource` differs from that of the write for equivalent versions. */
export function admissionRequest(attributes: AdmissionAttributes, resource: ServedResource): JsonObject {
  const {write, client, operation, name, object, oldObject} = attributes;
  const {group, version, kind, resource: plural} = write.resource;
  return {
    uid: randomUUID(),
    kind: {group: resource.group, version: resource.version, kind: resource.kind},
    resource: {group: resource.group, version: resource.version, resource: resource.resource},
    ...(write.subresource !== '' && {subResource: write.subresource}),
    requestKind: {group, version, kind},
    requestResource: {group, version, resource: plural},
    ...(write.subresource !== '' && {requestSubResource: write.subresource}),
    ...(name !== '' && {name}),
    ...(namespaceOf(attributes) !== '' && {namespace: namespaceOf(attributes)}),
    operation,
    userInfo: {username: client.user.name, groups: client.user.groups},
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun: write.dryRun,
    options: {kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1', ...client.options},
  };
}

/** Namespaces count as objects in themselves. */
export function namespaceOf({write, name}: AdmissionAttributes): string {
  const {resource, namespace} = write;
  if (resource.namespaced) return namespace;
  return resource.group === '' && resource.resource === 'namespaces' ? name : '';
}

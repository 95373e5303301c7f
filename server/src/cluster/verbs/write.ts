// Create and update: metadata rules, the kind's rules, field ownership, then the storage.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {admitMutation, admitValidation} from '../admission/admission.ts';
import type {AdmissionClient} from '../admission/admission-request.ts';
import {makeOnce} from '../admission/pending-call.ts';
import {type Api, keyOf} from '../api.ts';
import {recordUpdate} from '../apply/field-managers.ts';
import type {FieldError} from '../kinds/kind-rules.ts';
import {hasStatus, type ServedResource} from '../kinds/served-resource.ts';
import {convertToStorage, convertToVersion} from '../kinds/version-conversion.ts';
import {validateMeta, validateMetaUpdate} from '../object/metadata-rules.ts';
import type {StoredObject} from '../object/stored-object.ts';
import {invalid, invalidValue} from '../wire/responses/invalid-errors.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  MODIFIED,
  notFound,
  StatusError,
} from '../wire/responses/status-error.ts';
import {finishDeletion} from './delete.ts';

export interface WriteContext {
  api: Api;
  resource: ServedResource;
  namespace: string;
  /** '' for the object itself, otherwise the subresource. */
  subresource: string;
  manager: string;
  dryRun: boolean;
  /** Sent back as Warning headers. */
  warnings: string[];
  /** Absent for writes of the simulation, which no webhook sees. */
  client?: AdmissionClient;
}

/** Stores a new object. The body is a private, decoded copy. */
export function createObject(
  write: WriteContext,
  given: StoredObject,
  options: UpdateOptions = {},
): StoredObject {
  const {api, resource, namespace} = write;
  let body = given;
  let meta = body.metadata;
  checkNamespace(write, meta.namespace ?? '');
  if (meta.resourceVersion)
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  if (resource.namespaced) meta.namespace = namespace;
  else delete meta.namespace;
  requireLiveNamespace(write, meta.name ?? '');
  resource.rules.default?.(body);
  const apart = resource.custom ? resource.custom.statusSubresource : hasStatus(resource);
  if (apart && !resource.rules.keepsStatusOnCreate) delete body.status;
  // Assigns ownership now, because fields that the server adds later have no owner.
  if (!options.applied) {
    delete meta.managedFields;
    recordUpdate(write, undefined, body);
  }
  body = admitMutation(write, 'CREATE', body, undefined) ?? body;
  meta = body.metadata;
  fillMeta(write, body);
  resource.rules.onCreate?.(body, api);
  const errors = [
    ...validateMeta(body, resource),
    ...(resource.rules.validate?.(body, api, write.warnings) ?? []),
  ];
  if (errors.length > 0) throw invalid(resource, meta.name, errors);
  write.warnings.push(...(resource.rules.warnings?.(body) ?? []));
  if (resource.rules.generation === false) delete meta.generation;
  else meta.generation = 1;
  admitValidation(write, 'CREATE', body, undefined);
  const key = keyOf(meta.namespace, meta.name);
  if (api.resourceStore(resource).objects.has(key)) throw alreadyExists(resource, meta.name);
  if (meta.deletionTimestamp) delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  const stored = convertToStorage(resource, body);
  if (write.dryRun) return convertToVersion(resource, stored);
  return convertToVersion(resource, api.storage.put(resource.storeName, key, stored));
}

export interface UpdateOptions {
  /** Server-side apply has assigned the ownership. */
  applied?: boolean;
  /** Refuses a missing resourceVersion if the kind demands one. */
  put?: boolean;
  /** Only labels and annotations change, so the new object shares spec and status with the old one. */
  metadataOnly?: boolean;
}

/**
 * Changes an existing object. `change` gets a private copy in the request's version and returns the new
 * state. With `metadataOnly` it gets the stored object and must not change it.
 */
export function updateObject(
  write: WriteContext,
  name: string,
  change: (current: StoredObject) => StoredObject,
  options: UpdateOptions = {},
): StoredObject {
  const {api, resource} = write;
  const stored = api.find(resource, resource.namespaced ? write.namespace : '', name);
  if (!stored) throw notFound(resource, name);
  const old = convertToVersion(resource, stored);
  const apart = options.metadataOnly === true;
  let body = change(apart ? old : deepCopy(old));
  checkNamespace(write, body.metadata.namespace ?? '');
  checkPreconditions(write, body, old, options);
  const subresource = write.subresource;
  if (!apart) resource.rules.default?.(body);
  keepSystemMeta(body, old);
  if (!apart) separateStatus(write, body, old);
  if (!options.applied && subresource !== 'binding') recordUpdate(write, old, body);
  const admitted = admitMutation(write, 'UPDATE', body, old) ?? body;
  if (admitted !== body) {
    body = admitted;
    keepSystemMeta(body, old);
    separateStatus(write, body, old);
  }
  if (subresource === '') resource.rules.onUpdate?.(body, old, api);
  bumpGeneration(write, body, old);
  const errors = apart ? validateMetaUpdate(body, old, resource) : updateErrors(write, body, old);
  if (errors.length > 0) throw invalid(resource, name, errors);
  write.warnings.push(...(subresource === '' ? (resource.rules.warnings?.(body) ?? []) : []));
  admitValidation(write, 'UPDATE', body, old);
  if (apart ? sameMarks(body, old) : deepEqual(body, old)) return old;
  if (write.dryRun) return body;
  const key = keyOf(body.metadata.namespace, name);
  if (body.metadata.deletionTimestamp && (body.metadata.finalizers ?? []).length === 0) {
    const done = finishDeletion(write, key, convertToStorage(resource, body));
    if (done) return convertToVersion(resource, done);
  }
  return convertToVersion(
    resource,
    api.storage.put(resource.storeName, key, convertToStorage(resource, body)),
  );
}

/** Compares labels and annotations only, where nothing else can differ. */
function sameMarks({metadata}: StoredObject, {metadata: was}: StoredObject): boolean {
  return deepEqual(metadata.labels, was.labels) && deepEqual(metadata.annotations, was.annotations);
}

function updateErrors(write: WriteContext, body: StoredObject, old: StoredObject): FieldError[] {
  const {api, resource, subresource, warnings} = write;
  const {rules} = resource;
  const errors = validateMetaUpdate(body, old, resource);
  if (subresource === 'status') errors.push(...(rules.validateStatus?.(body, old, warnings) ?? []));
  else {
    errors.push(
      ...(rules.validateUpdate?.(body, old, api, warnings) ?? rules.validate?.(body, api, warnings) ?? []),
    );
  }
  return errors;
}

function fillMeta(write: WriteContext, body: StoredObject): void {
  const {api} = write;
  const meta = body.metadata;
  const {generateName} = meta;
  // A verb that waits for webhooks runs again, and must make the same object.
  const once = write.client ? makeOnce : <T>(_key: string, make: () => T) => make();
  if (!meta.name && generateName)
    meta.name = once('name', () => generatedName(generateName, api.random.suffix(5)));
  meta.uid = once('uid', () => api.random.uuid());
  meta.creationTimestamp = once('time', () => api.timestamp());
  delete meta.resourceVersion;
  delete (meta as unknown as Record<string, unknown>).selfLink;
}

function generatedName(prefix: string, suffix: string): string {
  return prefix.slice(0, 58) + suffix;
}

function checkNamespace(write: WriteContext, given: string): void {
  const {resource, namespace} = write;
  if (!resource.namespaced) {
    // Only Namespaces ignore a namespace in their metadata.
    if (given !== '' && write.subresource === '' && resource.resource !== 'namespaces') {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
    return;
  }
  if (given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

function requireLiveNamespace(write: WriteContext, name: string): void {
  const {api, resource, namespace} = write;
  if (!resource.namespaced) return;
  const namespaces = api.resources.must('', 'v1', 'namespaces');
  const found = api.find(namespaces, '', namespace);
  if (!found) throw notFound(namespaces, namespace);
  if (!found.metadata.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const error = forbidden(resource, name, why);
  throw new StatusError(403, 'Forbidden', error.message, {
    ...error.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}

function checkPreconditions(
  write: WriteContext,
  body: StoredObject,
  old: StoredObject,
  options: UpdateOptions,
): void {
  const {resource} = write;
  const name = old.metadata.name;
  const given = body.metadata.resourceVersion ?? '';
  if (options.put && given === '' && (resource.custom || resource.rules.demandsRevision)) {
    throw invalid({...resource, kind: resource.resource}, name, [
      {
        reason: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        message: 'Invalid value: 0: must be specified for an update',
      },
    ]);
  }
  if (given !== '' && !/^\d+$/.test(given)) {
    throw new StatusError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`);
  }
  const {uid} = body.metadata;
  if (uid && uid !== old.metadata.uid) {
    if (options.put)
      throw conflict(
        resource,
        name,
        `StorageError: invalid object, Code: 4, Key: ${storageKey(write, name)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`,
      );
    const fixed = invalidValue('metadata.uid', uid, 'field is immutable');
    throw invalid(resource, name, [fixed, fixed]);
  }
  if (given !== '' && given !== old.metadata.resourceVersion) throw conflict(resource, name, MODIFIED);
}

/** The object's key in etcd, which some errors name. */
function storageKey(write: WriteContext, name: string): string {
  const {resource, namespace} = write;
  const special: Record<string, string> = {services: 'services/specs', nodes: 'minions'};
  const kind = resource.custom
    ? `${resource.group}/${resource.resource}`
    : (special[resource.resource] ?? resource.resource);
  return `/registry/${kind}/${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Restores metadata that only the server may write. */
function keepSystemMeta(body: StoredObject, old: StoredObject): void {
  const meta = body.metadata;
  const was = old.metadata;
  meta.resourceVersion = was.resourceVersion!;
  meta.uid = was.uid!;
  meta.creationTimestamp = was.creationTimestamp!;
  if (was.namespace !== undefined) meta.namespace = was.namespace;
  if (was.generation === undefined) delete meta.generation;
  else meta.generation = was.generation;
  if (was.deletionTimestamp === undefined) {
    delete meta.deletionTimestamp;
    delete meta.deletionGracePeriodSeconds;
  } else {
    meta.deletionTimestamp = was.deletionTimestamp;
    if (was.deletionGracePeriodSeconds !== undefined)
      meta.deletionGracePeriodSeconds = was.deletionGracePeriodSeconds;
  }
}

/**
 * A status write changes only status, and metadata of custom resources. A main write never changes status.
 */
function separateStatus(write: WriteContext, body: StoredObject, old: StoredObject): void {
  const {resource, subresource} = write;
  if (subresource === 'status') {
    for (const field of Object.keys(body))
      if (!['apiVersion', 'kind', 'metadata', 'status'].includes(field)) delete body[field];
    for (const [field, value] of Object.entries(old)) {
      if (!['apiVersion', 'kind', 'metadata', 'status'].includes(field)) body[field] = deepCopy(value);
    }
    keepStatusMeta(write, body, old);
    return;
  }
  const apart = resource.custom ? resource.custom.statusSubresource : hasStatus(resource);
  // A binding sets the node and the condition in one step.
  if (!apart || subresource === 'binding') return;
  if (old.status === undefined) delete body.status;
  else body.status = deepCopy(old.status);
}

function keepStatusMeta(write: WriteContext, body: StoredObject, old: StoredObject): void {
  if (write.resource.custom) {
    const managed = body.metadata.managedFields;
    body.metadata = deepCopy(old.metadata);
    if (managed) body.metadata.managedFields = managed;
  }
}

function bumpGeneration(write: WriteContext, body: StoredObject, old: StoredObject): void {
  if (
    old.metadata.generation === undefined ||
    write.subresource === 'status' ||
    write.subresource === 'binding'
  )
    return;
  const apart = write.resource.custom ? write.resource.custom.statusSubresource : true;
  const ignore = (object: StoredObject) => ({
    ...object,
    metadata: undefined,
    ...(apart && {status: undefined}),
  });
  if (!deepEqual(ignore(body), ignore(old))) body.metadata.generation = old.metadata.generation + 1;
}

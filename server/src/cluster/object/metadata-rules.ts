// Validates the metadata of objects of every kind.

import type {FieldError} from '../kinds/kind-rules.ts';
import type {ServedResource} from '../kinds/served-resource.ts';
import {forbiddenField, invalidValue, required} from '../wire/responses/invalid-errors.ts';
import {labelValueProblems, qualifiedNameProblems, subdomainProblems} from './name-rules.ts';
import type {StoredMeta, StoredObject} from './stored-object.ts';

const STANDARD_FINALIZERS = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);
const ANNOTATIONS_LIMIT = 256 * 1024;

export function validateMeta(object: StoredObject, resource: ServedResource): FieldError[] {
  const {metadata: meta} = object;
  const problems = resource.rules.nameProblems ?? subdomainProblems;
  const errors: FieldError[] = [];
  if (meta.generateName) {
    const masked = meta.generateName.replace(/-$/, 'a');
    for (const text of problems(masked, true))
      errors.push(invalidValue('metadata.generateName', meta.generateName, text));
  }
  if (!meta.name) errors.push(required('metadata.name', 'name or generateName is required'));
  else
    for (const text of problems(meta.name, false))
      errors.push(invalidValue('metadata.name', meta.name, text));
  if (meta.generation !== undefined && meta.generation < 0) {
    errors.push(invalidValue('metadata.generation', meta.generation, 'must be greater than or equal to 0'));
  }
  errors.push(
    ...labelErrors(meta.labels, 'metadata.labels'),
    ...annotationErrors(meta.annotations, 'metadata.annotations'),
  );
  errors.push(...ownerErrors(meta), ...finalizerErrors(meta, resource));
  return errors;
}

export function labelErrors(labels: Record<string, string> | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const text of qualifiedNameProblems(key)) errors.push(invalidValue(field, key, text));
    for (const text of labelValueProblems(value)) errors.push(invalidValue(field, value, text));
  }
  return errors;
}

function annotationErrors(annotations: Record<string, string> | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    for (const text of qualifiedNameProblems(key.toLowerCase())) errors.push(invalidValue(field, key, text));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > ANNOTATIONS_LIMIT) {
    errors.push({
      reason: 'FieldValueTooLong',
      field,
      message: `Too long: may not be more than ${ANNOTATIONS_LIMIT} bytes`,
    });
  }
  return errors;
}

function ownerErrors(meta: StoredMeta): FieldError[] {
  const errors: FieldError[] = [];
  const field = 'metadata.ownerReferences';
  let controller = '';
  for (const owner of meta.ownerReferences ?? []) {
    const version = owner.apiVersion?.split('/').at(-1) ?? '';
    if (version === '')
      errors.push(invalidValue(`${field}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty'));
    for (const part of ['kind', 'name', 'uid'] as const) {
      if (!owner[part]) errors.push(invalidValue(`${field}.${part}`, owner[part] ?? '', 'must not be empty'));
    }
    if (!owner.controller) continue;
    const here = `${owner.kind}/${owner.name}`;
    if (controller === '') controller = here;
    else {
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${here}`;
      errors.push(invalidValue(field, meta.ownerReferences, why));
    }
  }
  return errors;
}

function finalizerErrors(meta: StoredMeta, resource: ServedResource): FieldError[] {
  // Only the core API servers require standard names.
  const anyName = resource.custom !== undefined || resource.group === 'apiextensions.k8s.io';
  const errors: FieldError[] = [];
  (meta.finalizers ?? []).forEach((name, i) => {
    for (const text of qualifiedNameProblems(name))
      errors.push(invalidValue('metadata.finalizers', name, text));
    if (!anyName && errors.length === 0 && !name.includes('/') && !STANDARD_FINALIZERS.has(name)) {
      const why = 'name is neither a standard finalizer name nor is it fully qualified';
      errors.push(invalidValue(`metadata.finalizers[${i}]`, name, why));
    }
  });
  return errors;
}

export function validateMetaUpdate(
  object: StoredObject,
  old: StoredObject,
  resource: ServedResource,
): FieldError[] {
  const errors = validateMeta(object, resource);
  if (object.metadata.name !== old.metadata.name) {
    errors.push(invalidValue('metadata.name', object.metadata.name, 'field is immutable'));
  }
  if (old.metadata.deletionTimestamp) {
    const had = new Set(old.metadata.finalizers ?? []);
    const added = (object.metadata.finalizers ?? []).filter(name => !had.has(name));
    if (added.length > 0) {
      const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${goStrings(added)}`;
      errors.push(forbiddenField('metadata.finalizers', why));
      // The real server reports this twice for built-in kinds.
      if (!resource.custom) errors.push(forbiddenField('metadata.finalizers', why));
    }
  }
  return errors;
}

function goStrings(items: string[]): string {
  return `[]string{${items.map(item => JSON.stringify(item)).join(', ')}}`;
}

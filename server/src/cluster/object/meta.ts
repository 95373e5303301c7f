// The rules every object's metadata follows, whatever its kind.
import type {Resource} from '../kinds/resource.ts';
import type {FieldError} from '../kinds/rules.ts';
import {required} from '../wire/invalid.ts';
import type {KubeObject} from './types.ts';

export function validateMeta(object: KubeObject, _resource: Resource): FieldError[] {
  const errors: FieldError[] = [];
  if (!object.metadata.name) errors.push(required('metadata.name', 'name or generateName is required'));
  return errors;
}

export function validateMetaUpdate(object: KubeObject, _old: KubeObject, resource: Resource): FieldError[] {
  return validateMeta(object, resource);
}

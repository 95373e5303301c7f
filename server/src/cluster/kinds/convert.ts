// Objects are kept in one version; reading them in another renames them (CRD conversion None).
import type {KubeObject} from '../object/types.ts';
import {groupVersion, type Resource} from './resource.ts';

export function inVersion(resource: Resource, object: KubeObject): KubeObject {
  const apiVersion = groupVersion(resource);
  return object.apiVersion === apiVersion ? object : {...object, apiVersion};
}

// Decides whether a 404 means that the cluster does not have the kind. A load balancer without a backend also
// answers 404, and that must not empty every collection.

import type {ApiError} from '../error.ts';
import {isRecord} from '../object.ts';
import type {Resource} from '../resource.ts';
import type {Wire} from '../transport/transport.ts';

/** True when an API server confirms it, with a Status or with a list of groups that lacks this group version. */
export async function isMissingKind(error: ApiError, resource: Resource, transport: Wire): Promise<boolean> {
  if (error.status !== undefined) return true;
  if (resource.group === '') return false;
  try {
    const {body} = await transport.request<unknown>({path: '/apis', retries: 0, timeout: 5000});
    if (!isRecord(body) || body.kind !== 'APIGroupList' || !Array.isArray(body.groups)) return false;
    return !body.groups.some(
      group =>
        isRecord(group) &&
        group.name === resource.group &&
        Array.isArray(group.versions) &&
        group.versions.some(entry => isRecord(entry) && entry.version === resource.version),
    );
  } catch {
    return false;
  }
}

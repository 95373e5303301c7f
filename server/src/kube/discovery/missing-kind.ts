// Whether a 404 means that the cluster has no such kind. A load balancer without a server behind it answers 404,
// too, and would empty every collection.

import type {ApiError} from '../error.ts';
import {isRecord} from '../object.ts';
import type {Resource} from '../resource.ts';
import type {Wire} from '../transport/transport.ts';

/** True when an API server said so: by a Status, or by naming its groups without this one. */
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
        group.versions.some(one => isRecord(one) && one.version === resource.version),
    );
  } catch {
    return false;
  }
}

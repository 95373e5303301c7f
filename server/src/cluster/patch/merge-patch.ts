// JSON merge patch (RFC 7386).
import {deepCopy, setField} from '@krtscope/shared/json/deep-copy.ts';
import {isObject, type JsonObject} from '../object/stored-object.ts';

export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch) || JSON.isRawJSON(patch)) return deepCopy(patch);
  const out: JsonObject = isObject(target) ? {...target} : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete out[field];
    else setField(out, field, mergePatch(Object.hasOwn(out, field) ? out[field] : undefined, value));
  }
  return out;
}

// Takes secrets out of objects before anything else sees them, in a way that keeps a change visible.
import {createHmac, randomBytes} from 'node:crypto';

const SECRET_NAME = /token|secret|passw|key|credential/i;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A function that redacts a fresh object in place and gives it back. The key of the hash lives as long as the
 * function: equal values look equal within one run of krtscope and tell nothing across two.
 */
export function makeRedactor(hashKey: Buffer = randomBytes(32)): <T>(object: T, kind?: string) => T {
  const hide = (value: unknown): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `redacted:${createHmac('sha256', hashKey).update(text).digest('hex').slice(0, 8)}`;
  };
  const hideAll = (map: unknown) => {
    if (isObject(map)) for (const name of Object.keys(map)) map[name] = hide(map[name]);
  };
  // Pods stand inside other objects, as templates: with their variables, and their annotations.
  const hideInside = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) hideInside(one);
    if (!isObject(node)) return;
    for (const [name, value] of Object.entries(node)) {
      if (name === 'env' && Array.isArray(value)) value.forEach(hideVariable);
      else if (name === 'annotations' && isObject(value)) delete value[LAST_APPLIED];
      else if (typeof value === 'object') hideInside(value);
    }
  };
  const hideVariable = (variable: unknown) => {
    if (!isObject(variable) || variable.value === undefined || variable.value === '') return;
    if (SECRET_NAME.test(String(variable.name))) variable.value = hide(variable.value);
  };
  // Items of a list carry no kind of their own, so the caller says it.
  return (object, listed) => {
    if (!isObject(object)) return object;
    const {kind = listed, metadata} = object as Json;
    if (isObject(metadata) && isObject(metadata.annotations)) delete metadata.annotations[LAST_APPLIED];
    if (kind === 'Secret') {
      hideAll((object as Json).data);
      hideAll((object as Json).stringData);
    } else {
      hideInside((object as Json).spec);
    }
    return object;
  };
}

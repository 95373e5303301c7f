// Kubernetes writes some empty lists as null (the endpoints of an EndpointSlice), and writes them again with every change.

type JsonNode = Record<string, unknown>;

/** Puts the nulls of `before` back where an edit left nothing. Changes `now`. */
export function keepNulls(before: unknown, now: unknown): void {
  if (!isObject(before) || !isObject(now)) return;
  for (const [name, value] of Object.entries(before)) {
    if (value === null && now[name] === undefined) now[name] = null;
    else keepNulls(value, now[name]);
  }
}

function isObject(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Redacted values in edits. krtscope shows "redacted:1a2b3c4d" in the place of a secret, and such a text is not the secret.
import {writePath} from '@krtscope/shared/path.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';

const MARKER = /redacted:[0-9a-f]{8}/;

type EditNode = Record<string, unknown> | unknown[];

/**
 * Puts the base's values in the place of markers that the user copied unchanged from krtscope. `shown` is the object as
 * krtscope shows it, `base` the same object with its own values. Throws EngineFailure for any other marker.
 */
export function withoutMarkers<T>(edit: T, shown: unknown, base: unknown, what: string): T {
  return replaceAt(edit, shown, base, [], what) as T;
}

function replaceAt(
  value: unknown,
  shown: unknown,
  base: unknown,
  path: readonly (string | number)[],
  what: string,
): unknown {
  if (typeof value === 'string') {
    if (!MARKER.test(value)) return value;
    if (value === shown && base !== undefined) return base;
    throw new EngineFailure({
      code: 'invalid-edit',
      message: `${what}: ${writePath(path)} is a redacted value, not the real one`,
      hint: 'leave the field out, or write the real value; krtscope hides it before the graph sees it',
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  const children = Object.entries(value as EditNode).map(
    ([name, child]) =>
      [
        name,
        replaceAt(
          child,
          childOf(shown, name),
          childOf(base, name),
          [...path, Array.isArray(value) ? Number(name) : name],
          what,
        ),
      ] as const,
  );
  return Array.isArray(value) ? children.map(([, child]) => child) : Object.fromEntries(children);
}

function childOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

interface SecretFields {
  kind?: unknown;
  data?: Record<string, unknown>;
}

/** Makes the hidden values of a Secret valid base64, so that its rules accept it. */
export function encodeMarkers<T>(object: T): T {
  const {kind, data} = object as SecretFields;
  if (kind !== 'Secret' || typeof data !== 'object' || data === null) return object;
  for (const [name, value] of Object.entries(data))
    if (typeof value === 'string' && MARKER.test(value)) data[name] = Buffer.from(value).toString('base64');
  return object;
}

/** The markers of encodeMarkers(), by name. */
export function encodedMarkers(object: unknown): Map<string, string> {
  const {kind, data} = (object ?? {}) as SecretFields;
  const found = new Map<string, string>();
  if (kind !== 'Secret' || typeof data !== 'object' || data === null) return found;
  for (const [name, value] of Object.entries(data)) {
    const text = typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '';
    if (MARKER.test(text) && text.length === 'redacted:'.length + 8) found.set(name, text);
  }
  return found;
}

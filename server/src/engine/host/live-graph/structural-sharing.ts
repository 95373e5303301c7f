// Prepares objects for the engine: unchanged parts keep their identity, and all parts are frozen.

type SharableObject = Record<string, unknown>;

/** Whether both are the same write: Kubernetes gives every write its own resourceVersion. */
export function isSameVersion(old: unknown, fresh: unknown): boolean {
  const a = versionOf(old);
  return a !== undefined && a === versionOf(fresh);
}

function versionOf(object: unknown): string | undefined {
  const metadata = (object as {metadata?: {uid?: unknown; resourceVersion?: unknown}} | null | undefined)
    ?.metadata;
  const version = metadata?.resourceVersion;
  return typeof version === 'string' && version !== '' ? `${String(metadata?.uid)} ${version}` : undefined;
}

/**
 * Replaces every part of `fresh` that equals its counterpart in `old` by that counterpart. Returns `old` if nothing
 * differs. Changes `fresh`, which must belong to the caller.
 */
export function shareStructure(old: unknown, fresh: unknown): unknown {
  if (old === fresh) return old;
  if (typeof old !== 'object' || typeof fresh !== 'object' || old === null || fresh === null) return fresh;
  if (Array.isArray(fresh)) return Array.isArray(old) ? shareListStructure(old, fresh) : fresh;
  return Array.isArray(old) ? fresh : shareObjectStructure(old as SharableObject, fresh as SharableObject);
}

function shareListStructure(old: readonly unknown[], fresh: unknown[]): unknown {
  let same = old.length === fresh.length;
  const common = Math.min(old.length, fresh.length);
  for (let i = 0; i < common; i++) {
    const value = shareStructure(old[i], fresh[i]);
    fresh[i] = value;
    if (value !== old[i]) same = false;
  }
  return same ? old : fresh;
}

function shareObjectStructure(old: SharableObject, fresh: SharableObject): unknown {
  let same = true;
  for (const name in fresh) {
    const before = old[name];
    const value = shareStructure(before, fresh[name]);
    if (value !== before || (value === undefined && !(name in old))) same = false;
    // Writing to a key called __proto__ would change the prototype, so such a value is not shared.
    if (typeof value === 'object' && name !== '__proto__') fresh[name] = value;
  }
  if (same) for (const name in old) if (!(name in fresh)) same = false;
  return same ? old : fresh;
}

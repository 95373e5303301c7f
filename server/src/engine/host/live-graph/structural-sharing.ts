// Objects on their way into the engine: what did not change keeps its identity, and nobody can change what is in.

type SharableObject = Record<string, unknown>;

/** The same write again: Kubernetes gives every write of an object its own resourceVersion. */
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
 * `fresh`, with every part that equals the one in `old` replaced by it; `old` itself when nothing differs.
 * Writes into `fresh`, which must be the caller's own.
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
    // Writing to a key called __proto__ would change the prototype; such a value is merely not shared.
    if (typeof value === 'object' && name !== '__proto__') fresh[name] = value;
  }
  if (same) for (const name in old) if (!(name in fresh)) same = false;
  return same ? old : fresh;
}

// What differs between two versions of an object, as text that is much shorter than the object. Applying it gives the
// new version with the same order of fields, because formulas and pages see the order.

/** `[0, value]` replaces, `[1, fields]` changes fields that stay in place, `[2, elements]` those of a list. */
export type ObjectPatch =
  | readonly [0, unknown]
  | readonly [1, Readonly<Record<string, ObjectPatch>>]
  | readonly [2, readonly (readonly [number, ObjectPatch])[]];

type PatchableObject = Record<string, unknown>;

/**
 * The patch from `old` to `fresh` as JSON; undefined if it would replace everything. Fast where both share their equal
 * parts (share-structure.ts).
 */
export function writePatch(old: unknown, fresh: unknown): string | undefined {
  if (typeof old !== 'object' || old === null || typeof fresh !== 'object' || fresh === null)
    return undefined;
  return old === fresh ? '[1,{}]' : writeParts(old, fresh);
}

/** Undefined if the fields or the length differ, so that the value is replaced. */
function writeParts(old: object, fresh: object): string | undefined {
  if (Array.isArray(fresh)) return Array.isArray(old) ? writeElements(old, fresh) : undefined;
  return Array.isArray(old) ? undefined : writeFields(old as PatchableObject, fresh as PatchableObject);
}

function writeFields(old: PatchableObject, fresh: PatchableObject): string | undefined {
  const names = Object.keys(fresh);
  const before = Object.keys(old);
  if (names.length !== before.length) return undefined;
  let text = '';
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (name !== before[i]) return undefined;
    if (old[name] === fresh[name]) continue;
    // Assigning such a field would change the prototype.
    if (name === '__proto__') return undefined;
    const patch = writeValue(old[name], fresh[name]);
    if (patch === undefined) return undefined;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${patch}`;
  }
  return `[1,{${text}}]`;
}

function writeElements(old: readonly unknown[], fresh: readonly unknown[]): string | undefined {
  if (old.length !== fresh.length) return undefined;
  let text = '';
  for (let i = 0; i < fresh.length; i++) {
    if (old[i] === fresh[i]) continue;
    const patch = writeValue(old[i], fresh[i]);
    if (patch === undefined) return undefined;
    text += `${text === '' ? '' : ','}[${i},${patch}]`;
  }
  return `[2,[${text}]]`;
}

/** Undefined for what JSON leaves out. */
function writeValue(old: unknown, fresh: unknown): string | undefined {
  if (typeof old === 'object' && old !== null && typeof fresh === 'object' && fresh !== null) {
    const parts = writeParts(old, fresh);
    if (parts !== undefined) return parts;
  }
  const text = JSON.stringify(fresh);
  return text === undefined ? undefined : `[0,${text}]`;
}

/** The new version. It shares unchanged parts with `old`, which stays as it is. */
export function applyPatch(old: unknown, patch: ObjectPatch): unknown {
  switch (patch[0]) {
    case 0:
      return patch[1];
    case 1: {
      const fresh: PatchableObject = {...(old as PatchableObject)};
      const parts = patch[1];
      for (const name of Object.keys(parts))
        fresh[name] = applyPatch(fresh[name], parts[name] as ObjectPatch);
      return fresh;
    }
    case 2: {
      const fresh = (old as readonly unknown[]).slice();
      for (const [i, part] of patch[1]) fresh[i] = applyPatch(fresh[i], part);
      return fresh;
    }
  }
}

// A view of an object that notices writes and drops them. Objects given to the engine are never frozen, so
// this is how a repeat finds out that a formula changes what it was only lent.

export interface Writes {
  input: string | null;
  fetched: string | null;
}

/** Plain objects and lists are watched, at any depth; class instances, which may need their own `this`, are not. */
export function guard(item: unknown, onWrite: (path: string) => void): unknown {
  return watched(item, '', onWrite, new WeakMap());
}

type OnWrite = (path: string) => void;

function watched(item: unknown, path: string, onWrite: OnWrite, seen: WeakMap<object, object>): unknown {
  if (typeof item !== 'object' || item === null || !isPlain(item)) return item;
  const known = seen.get(item);
  if (known !== undefined) return known;
  const at = (name: string | symbol) => (path === '' ? String(name) : `${path}.${String(name)}`);
  const noted = (name: string | symbol) => {
    onWrite(at(name));
    return true;
  };
  const view = new Proxy(item, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof name === 'symbol' || typeof value !== 'object' || value === null) return value;
      const own = Reflect.getOwnPropertyDescriptor(target, name);
      // A proxy must show a property that can never change as it is.
      if (own !== undefined && !own.configurable && !own.writable) return value;
      return watched(value, at(name), onWrite, seen);
    },
    set: (_, name) => noted(name),
    defineProperty: (_, name) => noted(name),
    // A list's own methods delete what they have moved; telling them no would throw.
    deleteProperty: (_, name) => noted(name),
    setPrototypeOf: () => noted('prototype'),
  });
  seen.set(item, view);
  return view;
}

function isPlain(item: object): boolean {
  const proto = Object.getPrototypeOf(item);
  return proto === Object.prototype || proto === Array.prototype || proto === null;
}

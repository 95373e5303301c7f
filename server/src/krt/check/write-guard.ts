// A view of an object that notices writes and drops them. Objects given to the engine are never frozen, so
// this is how a repeat finds out that a formula changes what it was only lent.
//
// Objects are seen through accessors, not through a proxy: the machine's compiler would make every later
// access in the formula slower once it has met a proxy there. Lists, whose methods write by themselves, have one.

export interface ObservedWrites {
  input: string | null;
  fetched: string | null;
}

type OnWrite = (path: string) => void;

/** What one watched item is seen through. */
interface GuardSession {
  readonly views: WeakMap<object, object>;
  readonly shown: GuardedObject[];
  readonly onWrite: OnWrite;
}

/** An object that was shown, and the view that it was shown as. */
interface GuardedObject {
  readonly target: GuardedFields;
  readonly path: string;
  readonly watch: GuardSession;
  view: object;
}

type GuardedFields = Record<string, unknown>;

const GUARDED_OBJECT = Symbol('seen');

/**
 * Plain objects and lists are watched, at any depth; class instances, which may need their own `this`, are not.
 * After the run `done` tells of what came or went without a setter's knowing.
 */
export function guardWrites(item: unknown, onWrite: OnWrite): {view: unknown; done: () => void} {
  const watch: GuardSession = {views: new WeakMap(), shown: [], onWrite};
  return {view: guardedView(item, '', watch), done: () => watch.shown.forEach(checkNames)};
}

function guardedView(item: unknown, path: string, watch: GuardSession): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const proto = Object.getPrototypeOf(item);
  const isList = proto === Array.prototype;
  if (!isList && proto !== Object.prototype && proto !== null) return item;
  const known = watch.views.get(item);
  if (known !== undefined) return known;
  const view = isList ? listView(item, path, watch) : objectView(item as GuardedFields, proto, path, watch);
  watch.views.set(item, view);
  return view;
}

function objectView(target: GuardedFields, proto: object | null, path: string, watch: GuardSession): object {
  const seen: GuardedObject = {target, path, watch, view: target};
  const view: object = Object.create(proto);
  Object.defineProperty(view, GUARDED_OBJECT, {value: seen});
  for (const name of Object.keys(target)) Object.defineProperty(view, name, accessorOf(name));
  seen.view = view;
  watch.shown.push(seen);
  return view;
}

/** One accessor for a name in all views: views of like objects stay alike for the compiler. */
const accessors = new Map<string, PropertyDescriptor>();

function accessorOf(name: string): PropertyDescriptor {
  let accessor = accessors.get(name);
  if (accessor === undefined) {
    accessor = {
      get(this: {[GUARDED_OBJECT]: GuardedObject}) {
        const {target, path, watch} = this[GUARDED_OBJECT];
        return guardedView(target[name], pathOf(path, name), watch);
      },
      set(this: {[GUARDED_OBJECT]: GuardedObject}) {
        const {path, watch} = this[GUARDED_OBJECT];
        watch.onWrite(pathOf(path, name));
      },
      enumerable: true,
      configurable: true,
    };
    // Names that are data, such as map keys, may be without end.
    if (accessors.size >= 10_000) accessors.clear();
    accessors.set(name, accessor);
  }
  return accessor;
}

function checkNames({target, path, watch, view}: GuardedObject): void {
  for (const name of Object.keys(view)) if (!Object.hasOwn(target, name)) watch.onWrite(pathOf(path, name));
  for (const name of Object.keys(target)) if (!Object.hasOwn(view, name)) watch.onWrite(pathOf(path, name));
}

function listView(target: object, path: string, watch: GuardSession): object {
  const noted = (name: string | symbol) => {
    watch.onWrite(pathOf(path, String(name)));
    return true;
  };
  return new Proxy(target, {
    get(list, name) {
      const value = Reflect.get(list, name) as unknown;
      if (typeof name === 'symbol' || typeof value !== 'object' || value === null) return value;
      const own = Reflect.getOwnPropertyDescriptor(list, name);
      // A proxy must show a property that can never change as it is.
      if (own !== undefined && !own.configurable && !own.writable) return value;
      return guardedView(value, pathOf(path, name), watch);
    },
    set: (_, name) => noted(name),
    defineProperty: (_, name) => noted(name),
    // A list's own methods delete what they have moved; telling them no would throw.
    deleteProperty: (_, name) => noted(name),
    setPrototypeOf: () => noted('prototype'),
  });
}

function pathOf(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

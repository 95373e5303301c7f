// A view of an object that reports writes and ignores them. Items are never frozen, so this is how a repeat
// finds a formula that changes its input. Objects use accessors instead of a proxy: after a proxy, compiled
// code of the formula stays slow. Lists need a proxy, because their methods write.

export interface ObservedWrites {
  input: string | null;
  fetched: string | null;
}

type OnWrite = (path: string) => void;

/** The state of one guarded item. */
interface GuardSession {
  readonly views: WeakMap<object, object>;
  readonly shown: GuardedObject[];
  readonly onWrite: OnWrite;
}

/** A guarded object and its view. */
interface GuardedObject {
  readonly target: GuardedFields;
  readonly path: string;
  readonly watch: GuardSession;
  view: object;
}

type GuardedFields = Record<string, unknown>;

const GUARDED_OBJECT = Symbol('seen');

/**
 * Guards plain objects and lists at any depth. Class instances may need their own `this` and are not guarded.
 * After the run, `done` reports fields that were added or deleted.
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

/** One accessor per name for all views, so that they keep one hidden class. */
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
    // Names may be data, without end.
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
      // A proxy must show a constant property as it is.
      if (own !== undefined && !own.configurable && !own.writable) return value;
      return guardedView(value, pathOf(path, name), watch);
    },
    set: (_, name) => noted(name),
    defineProperty: (_, name) => noted(name),
    // List methods delete what they moved, and a refusal would throw.
    deleteProperty: (_, name) => noted(name),
    setPrototypeOf: () => noted('prototype'),
  });
}

function pathOf(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

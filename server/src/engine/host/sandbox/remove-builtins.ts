// Removes every builtin module and all globals that are not listed, after the whole host is loaded. Node's permission
// model has gaps (node:sqlite writes files, v8 sets flags, os changes the parent's priority). Code that cannot be
// reached needs no permission.
import Module, {isBuiltin, registerHooks} from 'node:module';
import {allowedGlobals, allowedProcessProperties, languageGlobals} from './allowed-globals.ts';

/** Thrown to code that asks for a builtin. */
class BlockedBuiltinError extends Error {
  readonly code = 'ERR_ACCESS_DENIED';
  constructor(name: string) {
    super(`${name} is closed to a process that runs formulas`);
  }
}

type UntypedModule = Record<PropertyKey, unknown>;

/** Call it after all imports of the host. It cannot be undone. */
export function removeBuiltins(): void {
  blockBuiltinModules();
  // Node would write warnings to a closed stderr socket, which would raise an error without a culprit.
  process.removeAllListeners('warning');
  stripProperties(globalThis, name => allowedGlobals.has(name) || languageGlobals.has(name));
  for (const holder of [process, Object.getPrototypeOf(process) as object]) {
    stripProperties(holder, name => name === 'constructor' || allowedProcessProperties.has(name));
  }
}

function blockBuiltinModules(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (isBuiltin(specifier)) throw new BlockedBuiltinError(specifier);
      const found = next(specifier, context);
      // A file must not lead to a builtin either, through its package's imports or exports.
      if (isBuiltin(found.url)) throw new BlockedBuiltinError(found.url);
      return found;
    },
  });
  const loader = Module as unknown as UntypedModule & {_load(name: string, ...rest: unknown[]): unknown};
  const load = loader._load;
  loader._load = function closed(name: string, ...rest: unknown[]) {
    if (isBuiltin(name)) throw new BlockedBuiltinError(name);
    return load.call(this, name, ...rest);
  };
}

// Set to undefined before deleting: a property that cannot be deleted is at least empty.
function stripProperties(holder: object, keep: (name: string) => boolean): void {
  for (const name of Object.getOwnPropertyNames(holder)) {
    if (keep(name)) continue;
    if (Reflect.deleteProperty(holder, name)) continue;
    Reflect.defineProperty(holder, name, {value: undefined, writable: false});
  }
}

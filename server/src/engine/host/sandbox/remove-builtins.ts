// The second thing a process that runs formulas gives up, once all of the host is loaded: every builtin module, by
// whatever way one loads them, and what is not listed of globalThis and process. Node's permission model has holes
// (node:sqlite writes files, v8 flags do, os renices the parent); what cannot be reached needs no permission.
import Module, {isBuiltin, registerHooks} from 'node:module';
import {allowedGlobals, allowedProcessProperties, languageGlobals} from './allowed-globals.ts';

/** What anybody gets who asks for a builtin from now on. */
class BlockedBuiltinError extends Error {
  readonly code = 'ERR_ACCESS_DENIED';
  constructor(name: string) {
    super(`${name} is closed to a process that runs formulas`);
  }
}

type UntypedModule = Record<PropertyKey, unknown>;

/** Call it when everything that the host itself needs has been imported. Cannot be undone. */
export function removeBuiltins(): void {
  blockBuiltinModules();
  // Node writes warnings to stderr, whose socket is closed to us: a warning would be an error that nobody threw.
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
      // A file may not lead to one either, by its package's imports or exports.
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

// Defined as undefined before it is deleted: what cannot be deleted is at least empty.
function stripProperties(holder: object, keep: (name: string) => boolean): void {
  for (const name of Object.getOwnPropertyNames(holder)) {
    if (keep(name)) continue;
    if (Reflect.deleteProperty(holder, name)) continue;
    Reflect.defineProperty(holder, name, {value: undefined, writable: false});
  }
}

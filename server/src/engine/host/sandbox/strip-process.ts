// Removes dangerous functions before any formula exists. Node's permission model stops network, files, children,
// workers and the inspector, but not signals.

// Load this while it is possible. It replaces chdir, which is removed below. The lockdown also touches a global that
// loads it.
import 'node:worker_threads';

type MutableProcess = typeof process & Record<string, unknown>;

/** Functions that signal or end a process, and objects that hold copies of them. */
const removedProperties = [
  'kill',
  'abort',
  'reallyExit',
  // Without reallyExit, exit would only half end the process: it would hang without an answer.
  'exit',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  '_debugPause',
  '_startProfilerIdleNotifier',
  '_stopProfilerIdleNotifier',
  'binding',
  '_linkedBinding',
  'dlopen',
  'execve',
  'setuid',
  'setgid',
  'seteuid',
  'setegid',
  'setgroups',
  'initgroups',
  'chdir',
  'umask',
] as const;

/** Call it first. Returns the only way to exit, for the host itself. */
export function stripProcess(): (code: number) => never {
  const own = process as MutableProcess;
  const reallyExit = own.reallyExit as (code: number) => never;
  const exit = reallyExit.bind(process) as (code: number) => never;
  for (const name of removedProperties) {
    Reflect.deleteProperty(own, name);
    Reflect.deleteProperty(Object.getPrototypeOf(own) as object, name);
    Object.defineProperty(own, name, {value: undefined, configurable: false, writable: false});
  }
  // `env` is already empty, except for fork's own variable, which names the channel.
  for (const name of Object.keys(process.env)) delete process.env[name];
  return exit;
}

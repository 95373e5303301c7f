// What the engine process takes away from itself before any formula exists: Node's permission model stops network,
// files, children, workers and the inspector, but not signals.

// Loaded while it still can be: it puts its own chdir in the place of the one that is about to go, and locking the
// language down touches a global that loads it.
import 'node:worker_threads';

type MutableProcess = typeof process & Record<string, unknown>;

/** Ways to signal or end a process, and the doors behind which copies of them lie. */
const removedProperties = [
  'kill',
  'abort',
  'reallyExit',
  // Without reallyExit it would only half end: ticks stop and nothing is answered any more.
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

/** Call it first. Returns the one way out, which the host keeps for itself. */
export function stripProcess(): (code: number) => never {
  const own = process as MutableProcess;
  const reallyExit = own.reallyExit as (code: number) => never;
  const exit = reallyExit.bind(process) as (code: number) => never;
  for (const name of removedProperties) {
    Reflect.deleteProperty(own, name);
    Reflect.deleteProperty(Object.getPrototypeOf(own) as object, name);
    Object.defineProperty(own, name, {value: undefined, configurable: false, writable: false});
  }
  // `env` is empty already; fork's own variable would name the channel.
  for (const name of Object.keys(process.env)) delete process.env[name];
  return exit;
}

// Starts the engine process inside its walls: Node's permission model, an empty environment, a heap limit and
// one channel. What the host takes away from itself is host/confine.ts.
import {type ChildProcess, fork} from 'node:child_process';
import {existsSync, realpathSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const ownFile = fileURLToPath(import.meta.url);
const ownFolder = dirname(ownFile);
const serverFolder = join(ownFolder, '..', '..', '..');
const rootFolder = join(serverFolder, '..');
const hostEntry = join(ownFolder, '..', 'host', `main${extname(ownFile)}`);
export const labEntry = join(ownFolder, '..', 'lab', `main${extname(ownFile)}`);

/** Modules the engine process loads from node_modules; everything else there is closed to it. */
const readableModules = ['zod', 're2js', 'ses', '@endo', '@krtscope'];

/** Where a module is, from the nearest folder on. */
function installedPaths(name: string): string[] {
  const bases = createRequire(ownFile).resolve.paths(name) ?? [];
  return bases
    .map(base => join(base, name))
    .filter(path => existsSync(path))
    .slice(0, 1);
}

/** Only code: a formula that reads a path from here learns nothing that the repository does not say. */
export function readablePaths(): string[] {
  const paths = [
    join(serverFolder, 'src'),
    join(serverFolder, 'package.json'),
    join(rootFolder, 'package.json'),
  ];
  const shared = join(rootFolder, 'shared');
  paths.push(join(shared, 'src'), join(shared, 'package.json'));
  // The package has its libraries in itself; a clone has them where Node looks for them, in whatever folder above.
  const libraries = join(rootFolder, 'libraries');
  if (existsSync(libraries)) paths.push(libraries);
  else paths.push(...readableModules.flatMap(installedPaths));
  return [...new Set(paths.map(path => (existsSync(path) ? realpathSync(path) : path)).concat(paths))];
}

export interface ForkOptions {
  memoryMb: number;
  /** Megabytes that it will hold at once, if that is known: until then a full collection would find no garbage. */
  heldMb?: number;
  /** Another program in the same walls; the escape test uses it. */
  entry?: string;
}

export function forkHost({memoryMb, heldMb = 0, entry = hostEntry}: ForkOptions): ChildProcess {
  const child = fork(entry, [], {
    execArgv: [
      '--permission',
      ...readablePaths().map(path => `--allow-fs-read=${path}`),
      `--max-old-space-size=${memoryMb}`,
      ...(heldMb > 0 ? [`--initial-old-space-size=${Math.min(heldMb, memoryMb)}`] : []),
      '--disable-warning=ExperimentalWarning',
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return child;
}

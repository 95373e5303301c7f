// Starts the engine process in its sandbox: Node's permission model, an empty environment, a heap limit and one
// channel. host/sandbox removes more from inside.
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
export const slowEntry = join(ownFolder, '..', 'slow', `main${extname(ownFile)}`);

/** Modules that the engine process may load from node_modules. */
const readableModules = ['zod', 're2js', 'ses', '@endo', '@krtscope'];

/** The paths of a module, from the nearest folder on. */
function installedPaths(name: string): string[] {
  const bases = createRequire(ownFile).resolve.paths(name) ?? [];
  return bases
    .map(base => join(base, name))
    .filter(path => existsSync(path))
    .slice(0, 1);
}

/** Contains only code: a formula that reads a file here learns nothing beyond the repository. */
function readablePaths(): string[] {
  const paths = [
    join(serverFolder, 'src'),
    join(serverFolder, 'package.json'),
    join(rootFolder, 'package.json'),
  ];
  const shared = join(rootFolder, 'shared');
  paths.push(join(shared, 'src'), join(shared, 'package.json'));
  // The package contains its libraries. A clone has them in node_modules, in this or a higher folder.
  const libraries = join(rootFolder, 'libraries');
  if (existsSync(libraries)) paths.push(libraries);
  else paths.push(...readableModules.flatMap(installedPaths));
  return [...new Set(paths.map(path => (existsSync(path) ? realpathSync(path) : path)).concat(paths))];
}

export interface ForkOptions {
  memoryMb: number;
  /** The expected size of live data in megabytes, if known. Below it a full garbage collection would find nothing. */
  heldMb?: number;
  /** Another entry point in the same sandbox, for the escape test. */
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

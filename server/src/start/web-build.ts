// Builds the web app when web/dist is missing or was built from other sources.
import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const webFolder = join(root, 'web', 'dist');
const stampFile = join(webFolder, '.stamp');

/** A hash over the contents of the page's sources. A fresh clone has new times and old contents. */
function computeStamp(): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    if (/\.test\.tsx?$/.test(path)) return;
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
    } else {
      hash.update(relative(root, path)).update('\0').update(readFileSync(path)).update('\0');
    }
  };
  for (const path of [
    'shared/src',
    'web/src',
    'web/public',
    'web/index.html',
    'web/vite.config.ts',
    'package-lock.json',
  ]) {
    if (existsSync(join(root, path))) add(join(root, path));
  }
  return hash.digest('hex');
}

/**
 * Resolves when web/dist is the build of the present sources. Builds in another folder and then moves it,
 * because another krtscope may serve the old one.
 */
export async function ensureWebBuild(say: (text: string) => void): Promise<void> {
  // The package contains the page without its sources.
  if (!existsSync(join(root, 'web', 'src'))) return;
  const stamp = computeStamp();
  const built = existsSync(join(webFolder, 'index.html'));
  const isCurrent = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (built && isCurrent()) return;
  say('building the web app (once; about 10 seconds)');
  const buildFolder = `${webFolder}-${process.pid}`;
  const removeBuildFolder = () => rmSync(buildFolder, {recursive: true, force: true});
  removeAbandonedBuilds();
  const {code, output} = await build(buildFolder);
  if (code !== 0) {
    removeBuildFolder();
    if (!built) throw new Error(`the web app could not be built:\n${output}`);
    say(`the web app could not be built; the page is from the last successful build:\n${output}`);
    return;
  }
  writeFileSync(join(buildFolder, '.stamp'), stamp);
  moveBuild(buildFolder, isCurrent);
  removeBuildFolder();
}

// Two instances that start together build the same files. A second move would remove files that the first one serves.
// The other instance may move its build between these two moves, so try again.
function moveBuild(buildFolder: string, isCurrent: () => boolean): void {
  const oldFolder = `${buildFolder}-old`;
  try {
    for (let tries = 20; !isCurrent(); tries--) {
      try {
        if (existsSync(webFolder)) renameSync(webFolder, oldFolder);
        return renameSync(buildFolder, webFolder);
      } catch (error) {
        if (tries === 0) throw error;
        rmSync(oldFolder, {recursive: true, force: true});
      }
    }
  } finally {
    rmSync(oldFolder, {recursive: true, force: true});
  }
}

/** Removes builds of processes that were killed before they finished. */
function removeAbandonedBuilds(): void {
  const folder = dirname(webFolder);
  for (const name of readdirSync(folder)) {
    const pid = Number(/^dist-(\d+)(?:-old)?$/.exec(name)?.[1]);
    if (Number.isNaN(pid)) continue;
    try {
      process.kill(pid, 0);
    } catch {
      rmSync(join(folder, name), {recursive: true, force: true});
    }
  }
}

function build(folder: string): Promise<{code: number; output: string}> {
  const require = createRequire(join(root, 'web', 'package.json'));
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin', 'vite.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn', '--outDir', folder], {
      cwd: join(root, 'web'),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // End the build with this process, or it would be left behind.
    process.once('exit', () => {
      child.kill('SIGKILL');
      rmSync(folder, {recursive: true, force: true});
    });
    let output = '';
    child.stdout.on('data', chunk => {
      output += chunk;
    });
    child.stderr.on('data', chunk => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('exit', code => resolve({code: code ?? 1, output}));
  });
}

// Builds the web app when there is no build, or one of other sources. Knows which files make a build, not what is in them.
import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const webFolder = join(root, 'web', 'dist');
const stampFile = join(webFolder, '.stamp');

/** Changes when a source of the page changes, by content: a fresh clone has new times and old contents. */
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
 * Resolves when web/dist is the build of the sources that are there. Built aside and then moved: another krtscope
 * may be serving the old one this moment.
 */
export async function ensureWebBuild(say: (text: string) => void): Promise<void> {
  // The package has the page and not its sources.
  if (!existsSync(join(root, 'web', 'src'))) return;
  const wanted = computeStamp();
  const built = existsSync(join(webFolder, 'index.html'));
  const isThere = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted;
  if (built && isThere()) return;
  say('building the web app (once; about 10 seconds)');
  const aside = `${webFolder}-${process.pid}`;
  const forget = () => rmSync(aside, {recursive: true, force: true});
  removeAbandonedBuilds();
  const {code, output} = await build(aside);
  if (code !== 0) {
    forget();
    if (!built) throw new Error(`the web app could not be built:\n${output}`);
    say(`the web app could not be built, the page is the last build that worked:\n${output}`);
    return;
  }
  writeFileSync(join(aside, '.stamp'), wanted);
  moveBuild(aside, isThere);
  forget();
}

// Two that started together built the same: moving the second over the first would cut off the pages it serves,
// and between the removal and the move of one the other may have moved its own.
function moveBuild(aside: string, isThere: () => boolean): void {
  for (let tries = 3; !isThere(); tries--) {
    rmSync(webFolder, {recursive: true, force: true});
    try {
      return renameSync(aside, webFolder);
    } catch (error) {
      if (tries === 0) throw error;
    }
  }
}

/** Builds of processes that were killed before they could move or remove them. */
function removeAbandonedBuilds(): void {
  const folder = dirname(webFolder);
  for (const name of readdirSync(folder)) {
    const pid = Number(/^dist-(\d+)$/.exec(name)?.[1]);
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
    // Told to stop in the middle: a build that goes on alone would be a process left behind.
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

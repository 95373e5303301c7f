// Builds the web app when there is no build, or one of other sources. Knows which files make a build, not what is in them.
import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const webFolder = join(root, 'web', 'dist');
const stampFile = join(webFolder, '.stamp');

/** Changes when a source of the page changes, by content: a fresh clone has new times and old contents. */
function stamp(): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
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

/** Resolves when web/dist is the build of the sources that are there. */
export async function ensureWebBuild(say: (text: string) => void): Promise<void> {
  const wanted = stamp();
  if (
    existsSync(join(webFolder, 'index.html')) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === wanted
  )
    return;
  say('building the web app (once; about 10 seconds)');
  const vite = join(
    dirname(createRequire(join(root, 'web', 'package.json')).resolve('vite/package.json')),
    'bin',
    'vite.js',
  );
  const output: Buffer[] = [];
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: join(root, 'web'),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', chunk => output.push(chunk));
    child.stderr.on('data', chunk => output.push(chunk));
    child.on('error', reject);
    child.on('exit', number => resolve(number ?? 1));
  });
  if (code !== 0) throw new Error(`the web app could not be built:\n${Buffer.concat(output)}`);
  writeFileSync(stampFile, wanted);
}

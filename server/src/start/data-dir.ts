// What krtscope keeps on disk: the access token and a note about each running instance. All readable by its owner only.
import {randomBytes} from 'node:crypto';
import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {type Instance, newestInstance, readInstance} from '../runtime/report/instances.ts';
import {UsageError} from '../usage-error.ts';

function makeFolder(folder: string): void {
  try {
    // Level by level: Node's own way of making them all never ends where a file system takes no folders (/proc).
    const missing: string[] = [];
    for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
    for (const one of missing) {
      // Another krtscope that starts this moment may have been faster.
      if (!existsSync(one)) mkdirSync(one, {mode: 0o700});
    }
  } catch (error) {
    throw new UsageError(
      `the data directory ${folder} cannot be made: ${(error as Error).message}; give --data-dir`,
    );
  }
}

function writePrivate(file: string, text: string): void {
  try {
    writeFileSync(file, text, {mode: 0o600});
    // An existing file keeps its old mode when it is written again.
    chmodSync(file, 0o600);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}; give --data-dir`);
  }
}

/** The token given, else the one kept, else a new one that is kept: open tabs survive a restart. */
export function loadAccessToken(dataDir: string, given: string | undefined): string {
  makeFolder(dataDir);
  if (given !== undefined) return given;
  const file = join(dataDir, 'token');
  try {
    const kept = readFileSync(file, 'utf8').trim();
    // A copy or a restored backup may have left it open to others.
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    if (kept.length >= 16) return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new UsageError(`${file} cannot be read: ${(error as Error).message}; give --data-dir or --token`);
    }
  }
  const token = randomBytes(24).toString('base64url');
  writePrivate(file, `${token}\n`);
  return token;
}

/** Notes a running instance for the command line; the answer removes the note. */
export function registerInstance(dataDir: string, port: number, instance: Instance): () => void {
  const folder = join(dataDir, 'instances');
  makeFolder(folder);
  const file = join(folder, `${port}.json`);
  writePrivate(file, `${JSON.stringify(instance)}\n`);
  return () => {
    // A later instance on the same port has written its own note over ours.
    if (readInstance(file)?.pid === instance.pid) rmSync(file, {force: true});
  };
}

export function findRunningInstance(dataDir: string): Instance | undefined {
  return newestInstance(join(dataDir, 'instances'));
}

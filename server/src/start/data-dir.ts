// The data directory: the access token and a note for each running instance, readable only by their owner.
import {randomBytes} from 'node:crypto';
import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {type Instance, newestInstance, readInstance} from '../runtime/report/instances.ts';
import {UsageError} from '../usage-error.ts';

function makeFolder(folder: string): void {
  try {
    // Create folder by folder: recursive mkdir never ends on file systems without folders, such as /proc.
    const missing: string[] = [];
    for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at);
    for (const one of missing) {
      // Another krtscope may have created it at the same moment.
      if (!existsSync(one)) mkdirSync(one, {mode: 0o700});
    }
  } catch (error) {
    throw new UsageError(
      `the data directory ${folder} cannot be created: ${(error as Error).message}; give --data-dir`,
    );
  }
}

function writePrivate(file: string, text: string): void {
  try {
    writeFileSync(file, text, {mode: 0o600});
    // An existing file keeps its old mode when it is overwritten.
    chmodSync(file, 0o600);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}; give --data-dir`);
  }
}

/** The given token, else the stored one, else a new one that is stored so that open tabs survive a restart. */
export function loadAccessToken(dataDir: string, given: string | undefined): string {
  makeFolder(dataDir);
  if (given !== undefined) return given;
  const file = join(dataDir, 'token');
  try {
    const stored = readFileSync(file, 'utf8').trim();
    // A copy or a restored backup may be readable by others.
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    if (stored.length >= 16) return stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new UsageError(`${file} cannot be read: ${(error as Error).message}; give --data-dir or --token`);
    }
  }
  const token = randomBytes(24).toString('base64url');
  writePrivate(file, `${token}\n`);
  return token;
}

/** Writes a note about a running instance for the command line. The returned function removes it. */
export function registerInstance(dataDir: string, port: number, instance: Instance): () => void {
  const folder = join(dataDir, 'instances');
  makeFolder(folder);
  const file = join(folder, `${port}.json`);
  writePrivate(file, `${JSON.stringify(instance)}\n`);
  return () => {
    // A later instance on the same port may have overwritten the note.
    if (readInstance(file)?.pid === instance.pid) rmSync(file, {force: true});
  };
}

export function findRunningInstance(dataDir: string): Instance | undefined {
  return newestInstance(join(dataDir, 'instances'));
}

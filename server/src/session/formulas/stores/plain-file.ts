// Reads files in the folder of formulas. Only regular files: reading a pipe never ends.
import {readFile, stat} from 'node:fs/promises';

/** Undefined if there is no such file. Rejects if it cannot be read. */
export async function readPlainFile(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isFile() ? await readFile(path, 'utf8') : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Detects a change of a file without reading it. */
export async function fileSignature(path: string): Promise<string> {
  try {
    const {mtimeMs, size, ino} = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'gone';
  }
}

// A text in the folder of formulas. Only plain files are read: to read a pipe never ends, and every other would wait for it.
import {readFile, stat} from 'node:fs/promises';

/** Undefined: there is no such file. Rejects for one that cannot be read. */
export async function readPlainFile(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isFile() ? await readFile(path, 'utf8') : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What tells one state of a file from another without reading it. */
export async function fileSignature(path: string): Promise<string> {
  try {
    const {mtimeMs, size, ino} = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'gone';
  }
}

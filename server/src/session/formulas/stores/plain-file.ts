// Reads files in the folder of formulas. Only regular files: reading a pipe never ends.

import {isUtf8} from 'node:buffer';
import {lstat, readFile, stat} from 'node:fs/promises';

/** Larger files are there by mistake. */
const MAX_BYTES = 1024 * 1024;

/** Undefined if there is no such file. Rejects if it cannot be read. */
export async function readPlainFile(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isFile() ? await readFile(path, 'utf8') : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export interface InspectedFile {
  readonly text?: string;
  /** Why the file cannot be a formula. */
  readonly problem?: string;
  /** The file may have nothing to do with formulas. */
  readonly unrelated?: boolean;
}

/** Never rejects. Undefined if there is no such file. `isFormula`: the file must export a formula. */
export async function inspectFile(path: string, isFormula = true): Promise<InspectedFile | undefined> {
  try {
    await lstat(path);
  } catch {
    return undefined;
  }
  try {
    const found = await stat(path);
    if (!found.isFile()) return {problem: 'it is not a regular file', unrelated: true};
    if (found.size > MAX_BYTES)
      return {problem: `the file has ${(found.size / MAX_BYTES).toFixed(1)} MB, more than 1 MB`};
    const bytes = await readFile(path);
    const text = bytes.toString('utf8');
    if (!isUtf8(bytes) || bytes.includes(0)) return {text, problem: 'the file is binary'};
    if (text.trim() === '') return {text, problem: 'the file is empty', unrelated: true};
    if (isFormula && !/\bexport\s+default\b/.test(text))
      return {text, problem: 'the file has no "export default formula(…)"', unrelated: true};
    return {text};
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException;
    return {problem: code === 'ENOENT' ? 'the link points to a missing file' : message};
  }
}

/** Detects a change of a file without reading it. The ctime also tells a change of its mode. */
export async function fileSignature(path: string): Promise<string> {
  try {
    const {mtimeMs, ctimeMs, size, ino} = await stat(path);
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch (error) {
    return `gone: ${(error as NodeJS.ErrnoException).code}`;
  }
}

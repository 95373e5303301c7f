// Replaces a file as a whole: readers see the old text or the new one, never a half. A failed write leaves nothing.
import {renameSync, rmSync, writeFileSync} from 'node:fs';
import {rename, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';

/** Starts with a dot, so that watchers of the folder ignore it. */
function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}

export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
}

export function replaceFileSync(path: string, text: string | Uint8Array): void {
  const temporary = temporaryName(path);
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, {force: true});
    throw error;
  }
}

// Reads the Kubernetes objects of manifest files, of a folder's files, or of stdin.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {
  ManifestError,
  type ManifestObject,
  parseManifestObjects,
} from '@krtscope/shared/yaml/manifest-objects.ts';
import {UsageError} from '../usage-error.ts';

/** All objects in order. Throws UsageError that names the flag, the file and the line. */
export function readManifests(paths: readonly string[], flag = '-f'): ManifestObject[] {
  return paths
    .flatMap(path => filesOf(path, flag))
    .flatMap(file => parseManifest(readText(file, flag), file === '-' ? 'stdin' : file));
}

function filesOf(path: string, flag: string): string[] {
  if (path === '-') return [path];
  try {
    if (!statSync(path).isDirectory()) return [path];
    const files = readdirSync(path)
      .filter(name => /\.(ya?ml|json)$/.test(name))
      .sort()
      .map(name => join(path, name));
    if (files.length > 0) return files;
  } catch (error) {
    throw new UsageError(`${flag} ${path}: ${fileProblem(error)}`);
  }
  throw new UsageError(`${flag} ${path}: the folder has no .yaml, .yml or .json file`);
}

function readText(file: string, flag: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${flag} ${file}: ${fileProblem(error)}`);
  }
}

/** The objects of a text, those of a List one by one. */
export function parseManifest(text: string, name: string): ManifestObject[] {
  try {
    return parseManifestObjects(text).flatMap(itemsOfList);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw new UsageError(`${name}:${error.line}: ${error.message}`);
  }
}

function itemsOfList(object: ManifestObject): ManifestObject[] {
  const {apiVersion, kind, items} = object;
  const isList = apiVersion === 'v1' && kind === 'List' && Array.isArray(items);
  return isList ? items.flatMap(item => itemsOfList(item as ManifestObject)) : [object];
}

/** Why a file cannot be read. */
export function fileProblem(error: unknown): string {
  const {code, message} = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file or folder';
  if (code === 'EACCES') return 'it cannot be read: permission denied';
  return message;
}

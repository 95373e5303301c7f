// Reads the Kubernetes objects of manifest files, of a folder's files, or of stdin.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {parseAllDocuments} from 'yaml';
import {UsageError} from '../usage-error.ts';

export type ManifestObject = Record<string, unknown>;

/** Aliases in one document. A few lines of aliases of aliases would fill the memory. */
const MAX_ALIASES = 100;

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
    throw new UsageError(`${flag} ${path}: ${(error as Error).message}`);
  }
  throw new UsageError(`${flag} ${path}: the folder has no .yaml, .yml or .json file`);
}

function readText(file: string, flag: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${flag} ${file}: ${(error as Error).message}`);
  }
}

export function parseManifest(text: string, name: string): ManifestObject[] {
  const objects: ManifestObject[] = [];
  for (const document of parseAllDocuments(text, {version: '1.1', schema: 'core'})) {
    const [error] = document.errors;
    if (error !== undefined)
      throw new UsageError(`${name}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0]}`);
    let value: unknown;
    try {
      value = document.toJS({maxAliasCount: MAX_ALIASES});
    } catch (problem) {
      throw new UsageError(`${name}: ${(problem as Error).message}`);
    }
    if (value === null || value === undefined) continue;
    if (typeof value !== 'object' || Array.isArray(value))
      throw new UsageError(
        `${name}: a document is not an object; a manifest has apiVersion, kind and metadata`,
      );
    objects.push(value as ManifestObject);
  }
  return objects;
}

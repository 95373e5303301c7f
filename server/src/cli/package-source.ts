// Where a new project installs krtscope from: the registry or the tarball that this krtscope was installed from.
import {existsSync, readFileSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';

export interface PackageSource {
  /** The tarball to copy into the project. Without it, npm asks its registry. */
  tarball?: string;
  /** Whether krtscope runs from a package that npm installed, so that the source is certain. */
  installed: boolean;
}

interface HiddenLock {
  packages?: Record<string, {resolved?: string; link?: boolean}>;
}

/** The node_modules folder that holds this file, or undefined in a clone. */
function nodeModulesOf(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === 'node_modules') return folder;
  return undefined;
}

/** npm notes in node_modules/.package-lock.json where each package comes from. */
function installedTarball(modules: string): string | undefined {
  try {
    const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as HiddenLock;
    const resolved = lock.packages?.['node_modules/krtscope']?.resolved;
    if (resolved?.startsWith('file:') !== true) return undefined;
    return resolve(dirname(modules), decodeURI(resolved.slice('file:'.length)));
  } catch {
    // Other package managers have no such file.
    return undefined;
  }
}

/**
 * Finds the source for a project in `folder`. `self` is a file of this krtscope, and `beside` are folders where a
 * tarball of this version may lie.
 */
export function findPackageSource(
  self: string,
  folder: string,
  beside: readonly string[],
  version: string,
): PackageSource {
  const name = tarballName(version);
  const modules = nodeModulesOf(self);
  const installed = modules !== undefined;
  const candidates = [
    join(folder, name),
    modules === undefined ? undefined : installedTarball(modules),
    ...(installed ? [] : beside.map(one => join(one, name))),
  ];
  const tarball = candidates.find(file => file !== undefined && existsSync(file));
  return tarball === undefined ? {installed} : {tarball, installed};
}

/** The name that npm pack gives the tarball. */
export function tarballName(version: string): string {
  return `krtscope-${version}.tgz`;
}

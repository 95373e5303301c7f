// Builds dist/ for npm pack: the repository's folders as JavaScript, the page and the libraries.
import {cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {ensureWebBuild, webFolder} from '../../server/src/start/web-build.ts';
import {compile, type PackageLayout} from './compile-sources.ts';
import {writeDeclarations} from './declarations.ts';
import {bundleLibraries, libraryFile} from './libraries.ts';
import {licenceText} from './licences.ts';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** Programs whose file name is computed when they start (engine/supervisor/fork.ts), and the entry. */
const programs = ['main.ts', 'engine/host/main.ts', 'engine/lab/main.ts', 'engine/slow/main.ts'];

interface Manifest {
  name: string;
  version: string;
  exports: Record<string, string | {types: string; default?: string}>;
  optionalDependencies: Record<string, string>;
}

/** The sources of the subpaths that package.json exports, for programs or for the compiler. */
function publicEntries(manifest: Manifest, condition: 'default' | 'types'): string[] {
  return Object.values(manifest.exports).flatMap(place => {
    const target = typeof place === 'string' ? undefined : place[condition];
    return target === undefined
      ? []
      : [join(root, target.replace(/^\.\/dist\//, '').replace(/(\.js|\.d\.ts)$/, '.ts'))];
  });
}

/** A locked project that contains only Node. The command installs Node from it if npm did not. */
function writeNodeProject(folder: string, {optionalDependencies}: Manifest): void {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages: Record<string, unknown> = {'': {optionalDependencies}};
  for (const name of Object.keys(optionalDependencies)) {
    packages[`node_modules/${name}`] = lock.packages[`node_modules/${name}`];
  }
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'package.json'), JSON.stringify({private: true, optionalDependencies}));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({lockfileVersion: lock.lockfileVersion, requires: true, packages}),
  );
}

export async function buildPackage(say: (text: string) => void): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const image = join(root, `dist-${process.pid}`);
  rmSync(image, {recursive: true, force: true});
  const layout: PackageLayout = {root, image, library: name => join(image, 'libraries', libraryFile(name))};
  try {
    await ensureWebBuild(say);
    say('compiling the package');
    const source = join(root, 'server', 'src');
    const taken = compile(layout, [
      ...programs.map(file => join(source, file)),
      ...publicEntries(manifest, 'default'),
    ]);
    writeDeclarations(layout, publicEntries(manifest, 'types'));
    const packages = await bundleLibraries(root, join(image, 'libraries'), taken);
    writeFileSync(join(image, 'libraries', 'LICENCES.txt'), licenceText(packages));
    const templates = join('server', 'templates');
    cpSync(join(root, templates), join(image, templates), {recursive: true});
    const schemas = join('server', 'src', 'cluster', 'schemas');
    cpSync(join(root, schemas), join(image, schemas), {recursive: true});
    cpSync(webFolder, join(image, 'web', 'dist'), {
      recursive: true,
      filter: file => basename(file) !== '.stamp',
    });
    writeNodeProject(join(image, 'node'), manifest);
    const {name, version} = manifest;
    writeFileSync(
      join(image, 'package.json'),
      JSON.stringify({name, version, type: 'module', private: true}),
    );
    rmSync(join(root, 'dist'), {recursive: true, force: true});
    renameSync(image, join(root, 'dist'));
  } finally {
    rmSync(image, {recursive: true, force: true});
  }
}

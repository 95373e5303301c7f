// Bundles each library into one file of the image. An installation then fetches only Node, and the engine
// process reads one folder.
import {createRequire} from 'node:module';
import {basename, dirname, join} from 'node:path';
import {type InputOptions, type RolldownOutput, rolldown} from 'rolldown';
import type {LibraryImports} from './compile-sources.ts';

/** Names of libraries that are loaded with import(), where the import has no names. */
const loadedLater: Record<string, string[]> = {
  '@kubernetes/client-node': ['KubeConfig'],
  selfsigned: ['generate'],
};

/**
 * Libraries of the engine process, bundled alone. A chunk shared with others would import builtins that the
 * process may not use.
 */
const alone = ['zod', 're2js', 'ses'];

export const libraryFile = (specifier: string): string =>
  `${specifier.replace('@', '').replaceAll('/', '-')}.js`;

function entryText(specifier: string, names: Set<string>): string {
  const wanted = [...names, ...(loadedLater[specifier] ?? [])];
  if (wanted.length === 0) return `import '${specifier}';\n`;
  const named = wanted.filter(name => name !== '*');
  return [
    wanted.includes('*') ? `export * from '${specifier}';\n` : '',
    named.length === 0 ? '' : `export {${named.join(', ')}} from '${specifier}';\n`,
  ].join('');
}

async function bundle(
  root: string,
  folder: string,
  taken: LibraryImports,
  wanted: string[],
): Promise<RolldownOutput> {
  const prefix = '\0library:';
  const input: Record<string, string> = {};
  for (const specifier of wanted) input[basename(libraryFile(specifier), '.js')] = prefix + specifier;
  const options: InputOptions = {
    input,
    cwd: root,
    platform: 'node',
    treeshake: true,
    // Silences warnings about optional parts that are not installed.
    logLevel: 'silent',
    plugins: [
      {
        name: 'libraries',
        resolveId(source, importer) {
          if (source.startsWith(prefix)) return source;
          // Resolves imports of the virtual entries from the server's folder.
          if (importer?.startsWith(prefix)) return this.resolve(source, join(root, 'server', 'package.json'));
          return null;
        },
        load(id) {
          if (!id.startsWith(prefix)) return null;
          const specifier = id.slice(prefix.length);
          return {code: entryText(specifier, taken.get(specifier) ?? new Set()), moduleType: 'js'};
        },
      },
    ],
  };
  const build = await rolldown(options);
  const output = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[name]-[hash].js',
    minify: true,
    legalComments: 'none',
  });
  await build.close();
  return output;
}

/** Writes the libraries and returns the folders of the packages in them. */
export async function bundleLibraries(
  root: string,
  folder: string,
  taken: LibraryImports,
): Promise<string[]> {
  const together = [...taken.keys()].filter(specifier => !alone.includes(specifier));
  const groups = [together, ...alone.filter(specifier => taken.has(specifier)).map(name => [name])];
  const packages = new Set<string>();
  for (const wanted of groups) {
    const {output} = await bundle(root, folder, taken, wanted);
    for (const part of output) {
      if (part.type !== 'chunk') continue;
      for (const id of part.moduleIds) {
        const owner = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1];
        if (owner !== undefined) packages.add(owner);
      }
    }
  }
  return [...packages].sort();
}

/** The folder of an installed library. */
export function libraryFolder(root: string, name: string): string {
  const require = createRequire(join(root, 'server', 'package.json'));
  return dirname(require.resolve(`${name}/package.json`));
}

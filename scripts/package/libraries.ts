// The libraries that our code takes, each as one file of the image with what it needs inside: installing the package
// fetches nothing but a Node, and the engine process has one folder to read.
import {createRequire} from 'node:module';
import {basename, dirname, join} from 'node:path';
import {type InputOptions, type RolldownOutput, rolldown} from 'rolldown';
import type {LibraryImports} from './compile-sources.ts';

/** Loaded by import() only, where no name stands in the import. */
const loadedLater: Record<string, string[]> = {'@kubernetes/client-node': ['KubeConfig']};

/** What the engine process loads. Built alone: a piece shared with the others would ask for builtins it may not have. */
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
    // Two of them look for parts that are not installed and do without.
    logLevel: 'silent',
    plugins: [
      {
        name: 'libraries',
        resolveId(source, importer) {
          if (source.startsWith(prefix)) return source;
          // The entries have no place of their own: what they name is looked for from the server.
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

/** Writes them, and says which packages they are made of, by folder. */
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

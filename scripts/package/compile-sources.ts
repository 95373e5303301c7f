// Our TypeScript as JavaScript: every file that the package's programs and faces reach, where it lies in the repository,
// and which names of which libraries it takes.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import ts from 'typescript';
import {findModuleImports} from './module-imports.ts';

/** Library to the names that are imported from it; `default` is one, `*` is all of them. */
export type LibraryImports = Map<string, Set<string>>;

/** The address of `target` as a file at `from` imports it. */
export function importPath(from: string, target: string): string {
  const path = relative(dirname(from), target).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

export interface PackageLayout {
  root: string;
  /** A copy of the repository's folders, compiled. */
  image: string;
  /** The file of a library in the image. */
  library(specifier: string): string;
}

/** Where a file of ours is in the image; `suffix` is .js or .d.ts. */
export function imagePath({root, image}: PackageLayout, file: string, suffix: string): string {
  return join(image, relative(root, file)).replace(/\.ts$/, suffix);
}

/** Ours that `specifier` names in `file`; undefined for what is not ours. */
export function ownModulePath({root}: PackageLayout, file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return resolve(dirname(file), specifier);
  if (specifier.startsWith('@krtscope/shared/')) return join(root, 'shared', 'src', specifier.slice(17));
  return undefined;
}

/** Compiles what the entries reach. */
export function compile(layout: PackageLayout, entries: string[]): LibraryImports {
  const taken: LibraryImports = new Map();
  const seen = new Set(entries);
  // A set that grows is walked to its end.
  for (const file of seen) {
    const {outputText} = ts.transpileModule(readFileSync(file, 'utf8'), {
      fileName: file,
      compilerOptions: {
        target: ts.ScriptTarget.ES2024,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        removeComments: true,
      },
    });
    const place = imagePath(layout, file, '.js');
    let text = outputText;
    for (const {specifier, start, end, names} of findModuleImports(outputText).reverse()) {
      if (specifier.startsWith('node:')) continue;
      const own = ownModulePath(layout, file, specifier);
      if (own !== undefined) seen.add(own);
      else {
        if (!taken.has(specifier)) taken.set(specifier, new Set());
        for (const name of names) taken.get(specifier)?.add(name);
      }
      const target = own === undefined ? layout.library(specifier) : imagePath(layout, own, '.js');
      text = `${text.slice(0, start)}'${importPath(place, target)}'${text.slice(end)}`;
    }
    mkdirSync(dirname(place), {recursive: true});
    writeFileSync(place, text);
  }
  return taken;
}

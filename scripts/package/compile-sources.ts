// Compiles every TypeScript file that the package's entry points reach, and collects the names that they
// import from libraries.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import ts from 'typescript';
import {findModuleImports, findStartedFiles} from './module-imports.ts';

/** Library to the names imported from it. `default` is one name, `*` means all. */
export type LibraryImports = Map<string, Set<string>>;

/** The relative import path from `from` to `target`. */
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

/** The place of a source file in the image. `suffix` is .js or .d.ts. */
export function imagePath({root, image}: PackageLayout, file: string, suffix: string): string {
  return join(image, relative(root, file)).replace(/\.ts$/, suffix);
}

/** The own file that `specifier` names in `file`; undefined for a library. */
export function ownModulePath({root}: PackageLayout, file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return resolve(dirname(file), specifier);
  if (specifier.startsWith('@krtscope/shared/')) return join(root, 'shared', 'src', specifier.slice(17));
  return undefined;
}

/** Compiles the files that the entries import or start. */
export function compile(layout: PackageLayout, entries: string[]): LibraryImports {
  const taken: LibraryImports = new Map();
  const seen = new Set(entries);
  // Files that are added during the loop are compiled, too.
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
    for (const started of findStartedFiles(outputText)) seen.add(resolve(dirname(file), started));
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

// Writes the types of the public entry points. Copies the declarations of libraries that they mention,
// because bundled libraries are not installed.
import {cpSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import ts from 'typescript';
import {imagePath, importPath, ownModulePath, type PackageLayout} from './compile-sources.ts';
import {libraryFolder} from './libraries.ts';
import {findModuleImports} from './module-imports.ts';

/** Rewrites the module specifiers of a declaration file. */
function rewriteSpecifiers(text: string, place: (specifier: string) => string): string {
  for (const {specifier, start, end} of findModuleImports(text).reverse()) {
    text = `${text.slice(0, start)}'${place(specifier)}'${text.slice(end)}`;
  }
  return text;
}

/** The declaration file that a relative specifier names. */
function declarationFile(from: string, specifier: string): string {
  const path = resolve(dirname(from), specifier);
  const stem = path.replace(/\.(d\.)?[cm]?[jt]s$/, '');
  const found = [
    path.replace(/\.js$/, '.d.ts'),
    path.replace(/\.(c|m)js$/, '.d.$1ts'),
    path,
    `${stem}.d.ts`,
    `${stem}.d.cts`,
    `${stem}/index.d.ts`,
  ].find(candidate => /\.d\.[cm]?ts$/.test(candidate) && existsSync(candidate));
  if (found === undefined) throw new Error(`${from} names ${specifier}, which is not there`);
  return found;
}

/** Copies the declarations of a library and returns the place of its entry. */
function copyTypes(layout: PackageLayout, name: string): string {
  const folder = libraryFolder(layout.root, name);
  const {types, typings, exports} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entry = join(folder, exports?.['.']?.import?.types ?? types ?? typings ?? 'index.d.ts');
  const start = existsSync(entry.replace(/\.d\.cts$/, '.d.ts')) ? entry.replace(/\.d\.cts$/, '.d.ts') : entry;
  const seen = new Set([start]);
  const target = (file: string) => join(layout.image, 'libraries', 'types', name, relative(folder, file));
  for (const file of seen) {
    for (const {specifier} of findModuleImports(readFileSync(file, 'utf8'))) {
      if (specifier.startsWith('.')) seen.add(declarationFile(file, specifier));
    }
    mkdirSync(dirname(target(file)), {recursive: true});
    cpSync(file, target(file));
  }
  return target(start)
    .replace(/\.d\.ts$/, '.js')
    .replace(/\.d\.(c|m)ts$/, '.$1js');
}

/** Writes the declarations of the public entry points. Throws if they do not compile. */
export function writeDeclarations(layout: PackageLayout, faces: string[]): void {
  const {config} = ts.readConfigFile(join(layout.root, 'tsconfig.json'), path => readFileSync(path, 'utf8'));
  const {options} = ts.convertCompilerOptionsFromJson(config.compilerOptions, layout.root);
  const program = ts.createProgram(faces, {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    // Resolves shared by its path. Through node_modules it would count as a library without declarations.
    paths: {'@krtscope/shared/*': [join(layout.root, 'shared', 'src', '*')]},
    rootDir: layout.root,
    outDir: layout.image,
  });
  const texts = new Map<string, string>();
  const {diagnostics} = program.emit(undefined, (file, text) => texts.set(resolve(file), text));
  const problems = [...program.getSemanticDiagnostics(), ...diagnostics];
  if (problems.length > 0) {
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: file => file,
        getCurrentDirectory: () => layout.root,
        getNewLine: () => '\n',
      }),
    );
  }

  const libraries = new Map<string, string>();
  const library = (name: string) => {
    if (!libraries.has(name)) libraries.set(name, copyTypes(layout, name));
    return libraries.get(name) as string;
  };
  const wanted = new Set(faces);
  for (const file of wanted) {
    const place = imagePath(layout, file, '.d.ts');
    const text = texts.get(place);
    if (text === undefined) throw new Error(`no declarations came of ${file}`);
    const out = rewriteSpecifiers(text, specifier => {
      const own = ownModulePath(layout, file, specifier);
      if (own !== undefined) {
        wanted.add(own);
        return importPath(place, imagePath(layout, own, '.js'));
      }
      if (specifier.startsWith('node:')) return specifier;
      return importPath(place, library(specifier));
    });
    mkdirSync(dirname(place), {recursive: true});
    writeFileSync(place, out);
  }
}

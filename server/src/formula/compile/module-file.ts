// Compiles one file of a graph module: strips types, checks the syntax, resolves imports and inserts the fuel meter.
// Runs in the compile thread. Every line stays where it was. Evaluates nothing.
import {posix} from 'node:path';
import MagicString from 'magic-string';
import {type CodeProblem, FormulaError, placeOf} from './code-problem.ts';
import {findFreeNames} from './free-names.ts';
import {insertMeterInto} from './fuel.ts';
import type {CompiledFile} from './module-compiler.ts';
import {KRT_MODULE, languageNames, refusedNames} from './scope-names.ts';
import {stripModule} from './strip-types.ts';
import {parseModule} from './syntax.ts';
import {childNodesOf, type Tree} from './syntax-tree.ts';

export interface CompiledModuleFile {
  readonly compiled: CompiledFile;
  readonly imported: {from: string; place: {line: number; column: number}}[];
}

interface ModuleFileWork {
  readonly path: string;
  readonly code: string;
  readonly edit: MagicString;
  readonly imports: CompiledFile['imports'];
  readonly exports: CompiledFile['exports'];
  readonly imported: CompiledModuleFile['imported'];
  readonly problems: CodeProblem[];
}

/** Throws FormulaError. */
export function compileModuleFile(path: string, code: string): CompiledModuleFile {
  const stripped = stripModule(code);
  const tree = parseModule(stripped);
  const edit = new MagicString(stripped);
  const work: ModuleFileWork = {
    path,
    code: stripped,
    edit,
    imports: [],
    exports: [],
    imported: [],
    problems: [],
  };
  checkNames(tree, work);
  insertMeterInto(tree, stripped, edit);
  for (const statement of tree.body as Tree[]) rewrite(statement, work);
  if (work.problems.length > 0) throw new FormulaError(work.problems);
  const {imports, exports, imported} = work;
  return {compiled: {path, text: edit.toString(), imports, exports}, imported};
}

function checkNames(tree: Tree, {code, problems}: ModuleFileWork): void {
  for (const {name, node} of findFreeNames(tree)) {
    if (languageNames.has(name)) continue;
    const why =
      refusedNames.get(name) ??
      `is not available: import it from '${KRT_MODULE}' or from a file of the folder`;
    problems.push({...placeOf(code, node.start), message: `${name} ${why}`});
  }
}

function rewrite(statement: Tree, work: ModuleFileWork): void {
  const {code, edit, problems, exports} = work;
  const refuse = (message: string) => problems.push({...placeOf(code, statement.start), message});
  switch (statement.type) {
    case 'ImportDeclaration':
      rewriteImport(statement, work, refuse);
      return;
    case 'ExportAllDeclaration':
      refuse('export * is refused: export each name');
      return;
    case 'ExportDefaultDeclaration':
      refuse('export default is refused in a graph module: give it a name');
      return;
    case 'ExportNamedDeclaration': {
      if (statement.source !== null && statement.source !== undefined) {
        refuse('export from is refused: import it first');
        return;
      }
      const declaration = statement.declaration as Tree | null;
      if (declaration !== null) {
        blank(edit, code, statement.start, declaration.start);
        for (const name of declaredNames(declaration)) exports.push({name, local: name});
        return;
      }
      for (const {local, exported} of statement.specifiers as {local: Tree; exported: Tree}[])
        exports.push({name: String(exported.name ?? exported.value), local: String(local.name)});
      blank(edit, code, statement.start, statement.end);
    }
  }
}

function rewriteImport(statement: Tree, work: ModuleFileWork, refuse: (message: string) => void): void {
  const source = String((statement.source as Tree).value);
  const from = resolveImport(work.path, source);
  if (from === undefined) {
    refuse(
      `"${source}" is refused: a graph module imports files of its folder ("./name.ts") and "${KRT_MODULE}"`,
    );
    return;
  }
  work.imported.push({from, place: placeOf(work.code, statement.start)});
  for (const specifier of statement.specifiers as Tree[]) {
    const local = String((specifier.local as Tree).name);
    const imported = specifier.imported as Tree | undefined;
    if (specifier.type === 'ImportDefaultSpecifier')
      refuse('there are no default exports here: import {name}');
    const name =
      specifier.type === 'ImportNamespaceSpecifier' ? '*' : String(imported?.name ?? imported?.value);
    work.imports.push({from, name, local});
  }
  blank(work.edit, work.code, statement.start, statement.end);
}

/** A path within the folder, else undefined. */
function resolveImport(path: string, source: string): string | undefined {
  if (source === KRT_MODULE) return KRT_MODULE;
  if (!/^\.\.?\//.test(source)) return undefined;
  const found = posix.normalize(posix.join(posix.dirname(path), source));
  if (found.startsWith('..') || found.startsWith('/')) return undefined;
  return found.endsWith('.ts') ? found : `${found}.ts`;
}

/** Replaces text with blanks, so that lines stay where they were. */
function blank(edit: MagicString, code: string, start: number, end: number): void {
  const text = code.slice(start, end).replace(/[^\n]/g, '');
  if (text === '') edit.remove(start, end);
  else edit.overwrite(start, end, text);
}

function declaredNames(declaration: Tree): string[] {
  if (declaration.type !== 'VariableDeclaration') return [String((declaration.id as Tree).name)];
  return (declaration.declarations as {id: Tree}[]).flatMap(({id}) => namesIn(id));
}

function namesIn(pattern: Tree): string[] {
  if (pattern.type === 'Identifier') return [String(pattern.name)];
  if (pattern.type === 'Property') return namesIn(pattern.value as Tree);
  if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left as Tree);
  return [...childNodesOf(pattern)].flatMap(namesIn);
}

// Compiles a graph module for the engine process: strips types, checks the syntax, resolves imports and inserts the
// fuel meter. Every line stays where it was. Evaluates nothing.
import {createHash} from 'node:crypto';
import {posix} from 'node:path';
import MagicString from 'magic-string';
import {type CodeProblem, FormulaError, placeOf} from './code-problem.ts';
import {findFreeNames} from './free-names.ts';
import {insertMeterInto} from './fuel.ts';
import {KRT_MODULE, languageNames, refusedNames} from './scope-names.ts';
import {parseModule} from './syntax.ts';
import {childNodesOf, type Tree} from './syntax-tree.ts';
import {stripModuleTypes} from './type-stripper.ts';

const MAX_FILES = 100;
const MAX_CODE = 256 * 1024;

/** One file as the body of a function that returns its exports. Plain data. */
export interface CompiledFile {
  path: string;
  text: string;
  /** `local` is the export `name` of `from`; `*` means the whole module. */
  imports: {from: string; name: string; local: string}[];
  exports: {name: string; local: string}[];
}

export interface CompiledModule {
  /** Hash of every file. A quarantine refers to it. */
  hash: string;
  /** Each file follows its imports. The last file is the module itself. */
  files: CompiledFile[];
}

/** A problem in one of the files. */
export class ModuleError extends FormulaError {
  readonly path: string;

  constructor(path: string, problems: readonly CodeProblem[]) {
    super(problems);
    this.path = path;
    const [first] = problems;
    if (first !== undefined) this.message = `${path}:${first.line}: ${first.message}`;
  }
}

/** `text` reads a file of the folder and returns undefined if it does not exist. Rejects with ModuleError. */
export async function compileModule(
  entry: string,
  text: (path: string) => Promise<string | undefined>,
): Promise<CompiledModule> {
  const compiled = new Map<string, CompiledFile>();
  const hash = createHash('sha256');
  const visit = async (path: string, above: readonly string[], refuse: (message: string) => Error) => {
    if (compiled.has(path)) return;
    if (above.includes(path)) throw refuse(`circular imports: ${[...above, path].join(' → ')}`);
    if (compiled.size + above.length >= MAX_FILES) throw refuse(`a module has at most ${MAX_FILES} files`);
    const code = await text(path);
    if (code === undefined) throw refuse(`there is no file ${path}`);
    const file = await compileFile(path, code);
    hash.update(JSON.stringify([path, code]));
    for (const {from, node} of file.imported) {
      if (from !== KRT_MODULE)
        await visit(
          from,
          [...above, path],
          message => new ModuleError(path, [{...placeOf(code, node.start), message}]),
        );
    }
    compiled.set(path, file.compiled);
  };
  await visit(entry, [], message => new ModuleError(entry, [{line: 1, column: 1, message}]));
  const last = compiled.get(entry);
  if (last?.exports.some(({name}) => name === 'build') !== true)
    throw new ModuleError(entry, [
      {line: 1, column: 1, message: 'a graph module exports build({engine, collection, source})'},
    ]);
  return {hash: hash.digest('hex').slice(0, 16), files: [...compiled.values()]};
}

interface ModuleFileWork {
  readonly path: string;
  readonly code: string;
  readonly edit: MagicString;
  readonly imports: CompiledFile['imports'];
  readonly exports: CompiledFile['exports'];
  readonly imported: {from: string; node: Tree}[];
  readonly problems: CodeProblem[];
}

async function compileFile(
  path: string,
  code: string,
): Promise<{compiled: CompiledFile; imported: ModuleFileWork['imported']}> {
  try {
    if (code.length > MAX_CODE)
      throw new FormulaError([{line: 1, column: 1, message: 'a file has at most 256 KB of text; split it'}]);
    const stripped = await stripModuleTypes(code);
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
  } catch (error) {
    if (error instanceof FormulaError) throw new ModuleError(path, error.problems);
    throw error;
  }
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
  work.imported.push({from, node: statement});
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

// Compiles a graph module with the files that it imports, in a thread of its own.
import {createHash} from 'node:crypto';
import {type CodeProblem, FormulaError} from './code-problem.ts';
import {runInCompileThread} from './compile-thread.ts';
import type {CompiledModuleFile} from './module-file.ts';
import {KRT_MODULE} from './scope-names.ts';

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
    for (const {from, place} of file.imported) {
      if (from !== KRT_MODULE)
        await visit(from, [...above, path], message => new ModuleError(path, [{...place, message}]));
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

async function compileFile(path: string, code: string): Promise<CompiledModuleFile> {
  try {
    if (code.length > MAX_CODE)
      throw new FormulaError([{line: 1, column: 1, message: 'a file has at most 256 KB of text; split it'}]);
    return await runInCompileThread({job: 'module-file', path, code});
  } catch (error) {
    if (error instanceof FormulaError) throw new ModuleError(path, error.problems);
    throw error;
  }
}

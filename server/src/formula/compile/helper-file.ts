// The helpers of a folder: functions and constants in helpers.ts, which its formulas use by name. Runs in the compile
// thread. A formula gets only the declarations that it uses, so that others do not run again when one changes.
import MagicString from 'magic-string';
import {type CodeProblem, FormulaError, placeOf} from './code-problem.ts';
import {findFreeNames} from './free-names.ts';
import {insertMeterInto} from './fuel.ts';
import {HELPER_FILE} from './helper-name.ts';
import {languageNames, refusedNames, scopeWords} from './scope-names.ts';
import {stripModule} from './strip-types.ts';
import {parseModule} from './syntax.ts';
import {childNodesOf, functions, type Tree} from './syntax-tree.ts';

interface HelperDeclaration {
  /** The statement, with `export` before it. */
  readonly start: number;
  readonly end: number;
  /** Where the declaration begins, behind `export`. */
  readonly declarationStart: number;
  readonly names: readonly string[];
  /** Other names that it uses. */
  readonly needs: ReadonlySet<string>;
  readonly isExported: boolean;
}

/** The declarations that one formula uses. */
export interface UsedHelpers {
  /** The statements as metered JavaScript. Every line stays where it was in the file. */
  readonly text: string;
  /** The constants and functions that it declares. */
  readonly names: readonly string[];
  /** The used part of the file, with its types. */
  readonly source: string;
  /** The tree of the used declarations, and the code of its positions. */
  readonly tree: Tree;
  readonly code: string;
}

export class HelperFile {
  readonly #source: string;
  readonly #stripped: string;
  readonly #declarations: HelperDeclaration[] = [];

  /** Throws FormulaError. */
  constructor(source: string) {
    this.#source = source.replace(/^\uFEFF/, ' ');
    this.#stripped = stripModule(this.#source);
    const problems: CodeProblem[] = [];
    const tree = parseModule(this.#stripped);
    for (const statement of tree.body as Tree[]) {
      const problem = this.#read(statement);
      if (problem !== undefined) problems.push({...placeOf(source, statement.start), message: problem});
    }
    if (problems.length > 0) throw new FormulaError(problems);
  }

  /** The names that formulas can use. */
  get exports(): string[] {
    return this.#declarations.flatMap(({names, isExported}) => (isExported ? names : []));
  }

  /** The declarations that these names need, with all that those need. Undefined if they need none. */
  use(names: Iterable<string>): UsedHelpers | undefined {
    const exported = new Set(this.exports);
    const used = new Set<HelperDeclaration>();
    const pending = [...names].filter(name => exported.has(name));
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const found = this.#declarations.find(one => one.names.includes(name as string));
      if (found === undefined || used.has(found)) continue;
      used.add(found);
      pending.push(...found.needs);
    }
    if (used.size === 0) return undefined;
    const unused = this.#declarations.filter(one => !used.has(one));
    let code = this.#stripped;
    let source = this.#source;
    for (const {start, end} of unused) source = blank(source, start, end);
    for (const {start, end} of unused) code = blank(code, start, end);
    for (const {start, declarationStart} of used) code = blank(code, start, declarationStart);
    const tree = parseModule(code);
    const edit = new MagicString(code);
    insertMeterInto(tree, code, edit, {recordsFetches: false});
    return {
      text: edit.toString().trimEnd(),
      names: [...used].flatMap(one => one.names),
      source: source.trimEnd(),
      tree,
      code,
    };
  }

  /** Returns what is wrong with the statement. */
  #read(statement: Tree): string | undefined {
    if (statement.type === 'EmptyStatement') return undefined;
    const isExported = statement.type === 'ExportNamedDeclaration';
    const declaration = (isExported ? statement.declaration : statement) as Tree | null;
    const names = declaration === null ? undefined : declaredNames(declaration);
    if (declaration === null || names === undefined)
      return `${HELPER_FILE} contains functions and constants only: export function name(…) {…}, export const name = …`;
    const problem = names.map(nameProblem).find(one => one !== undefined) ?? stateProblem(declaration);
    if (problem !== undefined) return problem;
    const needs = new Set(findFreeNames(declaration, names).map(({name}) => name));
    this.#declarations.push({
      start: statement.start,
      end: statement.end,
      declarationStart: declaration.start,
      names,
      needs,
      isExported,
    });
    return undefined;
  }
}

/** The used helpers again from their own source, as an order of the engine process carries it. */
export function readHelpers(source: string | undefined): HelperFile | undefined {
  return source === undefined || source.trim() === '' ? undefined : new HelperFile(source);
}

function declaredNames(declaration: Tree): string[] | undefined {
  if (declaration.type === 'FunctionDeclaration') return [String((declaration.id as Tree).name)];
  if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') return undefined;
  const ids = (declaration.declarations as {id: Tree}[]).map(({id}) => id);
  return ids.every(id => id.type === 'Identifier') ? ids.map(id => String(id.name)) : undefined;
}

function nameProblem(name: string): string | undefined {
  const taken =
    (scopeWords as readonly string[]).includes(name) || languageNames.has(name) || refusedNames.has(name);
  return taken ? `"${name}" has another meaning in a formula; choose another name` : undefined;
}

/** Code that runs before any formula does, or that keeps state, would escape the limits of a run. */
function stateProblem(declaration: Tree): string | undefined {
  if (declaration.type !== 'VariableDeclaration') return undefined;
  const values = (declaration.declarations as {init: Tree | null}[]).map(({init}) => init);
  return values.every(value => value !== null && isConstant(value))
    ? undefined
    : `a constant of ${HELPER_FILE} is a function or a literal; call other functions inside functions`;
}

function isConstant(node: Tree): boolean {
  if (functions.has(node.type) || node.type === 'Literal') return true;
  switch (node.type) {
    case 'TemplateLiteral':
      return (node.expressions as Tree[]).length === 0;
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'ArrayExpression':
      return [...childNodesOf(node)].every(isConstant);
    case 'ObjectExpression':
      return (node.properties as Tree[]).every(
        one =>
          one.type === 'Property' &&
          one.computed !== true &&
          one.kind === 'init' &&
          isConstant(one.value as Tree),
      );
    default:
      return false;
  }
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n\r]/g, ' ') + text.slice(end);
}

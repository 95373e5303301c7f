// Compiles a formula: strips types, checks the syntax, resolves names to collections and inserts the fuel meter.
// Runs in the compile thread. Evaluates nothing.

import type {ParamValues} from '@krtscope/shared/formulas.ts';
import {type CodeProblem, FormulaError, placeOf} from './code-problem.ts';
import type {CompiledFormula} from './formula-compiler.ts';
import {FormulaParams} from './formula-params.ts';
import {type FreeName, findFreeNames} from './free-names.ts';
import {insertMeter} from './fuel.ts';
import {readHelpers, type UsedHelpers} from './helper-file.ts';
import {HELPER_FILE} from './helper-name.ts';
import {CLOCK, impliedCollections, languageNames, refusedNames, scopeWords} from './scope-names.ts';
import {stripExpression} from './strip-types.ts';
import {parseFormula} from './syntax.ts';
import type {Tree} from './syntax-tree.ts';

interface CodePlace {
  readonly line: number;
  readonly column: number;
}

export type CompiledFormulaCode = Omit<CompiledFormula, 'hash'>;

/** `helpers`: the text of the folder's helpers. Throws FormulaError. */
export function compileFormulaCode(
  code: string,
  values?: ParamValues,
  helpers?: string,
): CompiledFormulaCode {
  const stripped = stripExpression(code);
  const tree = parseFormula(stripped);
  const free = findFreeNames(tree);
  const used = readHelpers(helpers)?.use(free.map(({name}) => name));
  const scope = new FormulaNames(values, used?.names ?? []);
  scope.add(stripped, tree, free);
  if (used !== undefined) {
    const first = free.find(({name}) => used.names.includes(name));
    scope.addHelpers(used, placeOf(stripped, first?.node.start ?? 0));
  }
  const found = scope.resolved();
  const {text, shifts} = insertMeter(stripped.slice(0, tree.end), tree, {fetching: new Set(used?.names)});
  return {
    text,
    shifts,
    ...found,
    ...(used === undefined ? {} : {helpers: {text: used.text, names: [...used.names], source: used.source}}),
  };
}

type ResolvedNames = Pick<CompiledFormula, 'names' | 'bare' | 'indexes' | 'places' | 'params'>;

/** Resolves the free names of a formula and of the helpers that it uses. */
class FormulaNames {
  readonly #problems: CodeProblem[] = [];
  readonly #places: ResolvedNames['places'] = Object.create(null);
  readonly #bare = new Set<string>();
  readonly #indexes: ResolvedNames['indexes'] = [];
  readonly #params: FormulaParams;
  readonly #helpers: ReadonlySet<string>;

  constructor(values: ParamValues | undefined, helpers: readonly string[]) {
    this.#params = new FormulaParams(values);
    this.#helpers = new Set(helpers);
  }

  /** Throws FormulaError. */
  resolved(): ResolvedNames {
    if (this.#problems.length > 0) throw new FormulaError(this.#problems);
    const places = this.#places;
    return {
      names: Object.keys(places),
      bare: [...this.#bare],
      indexes: this.#indexes,
      places,
      params: this.#params.list,
    };
  }

  add(code: string, tree: Tree, free: readonly FreeName[]): void {
    this.#addAll(tree, free, node => placeOf(code, node.start));
  }

  /** `place`: where the formula uses the first helper. */
  addHelpers({tree, code}: UsedHelpers, place: CodePlace): void {
    const before = this.#problems.length;
    this.#addAll(
      tree,
      findFreeNames(tree),
      () => place,
      node => {
        const {line} = placeOf(code, node.start);
        return `${HELPER_FILE}:${line}: `;
      },
    );
    // The same problem of a helper that is used twice.
    this.#problems.splice(before + 20);
  }

  #addAll(
    tree: Tree,
    free: readonly FreeName[],
    placeOfNode: (node: Tree) => CodePlace,
    prefix: (node: Tree) => string = () => '',
  ): void {
    const places = this.#places;
    const bare = this.#bare;
    const indexes = this.#indexes;
    const params = this.#params;
    const {calls, clockUse} = scanTree(tree);
    for (const {name, node} of free) {
      if (this.#helpers.has(name)) continue;
      const refuse = (message: string) =>
        this.#problems.push({...placeOfNode(node), message: `${prefix(node)}${message}`});
      const call = calls.get(node);
      if (name === 'collection') {
        const literal = literalOf(call, 0);
        if (literal === undefined) refuse("collection expects one string literal: collection('a/b')");
        else places[literal] ??= placeOfNode(node);
      } else if (name === 'index') {
        const path = literalOf(call, 1);
        const from = collectionOf(call);
        if (path === undefined || from === undefined)
          refuse(
            "index expects a collection, a path as a string literal, and a value: index(Pods, 'spec.nodeName', name)",
          );
        else if (!indexes.some(one => one.collection === from && one.path === path))
          indexes.push({collection: from, path});
      } else if (name === 'param') {
        const problem = params.add(call?.arguments as Tree[] | undefined);
        if (problem !== undefined) refuse(problem);
      } else if (Object.hasOwn(impliedCollections, name)) {
        places[impliedCollections[name] as string] ??= placeOfNode(node);
      } else if ((scopeWords as readonly string[]).includes(name) || languageNames.has(name)) continue;
      else if (refusedNames.has(name)) refuse(`${name} ${refusedNames.get(name)}`);
      else {
        places[name] ??= placeOfNode(node);
        bare.add(name);
      }
    }
    if (clockUse !== undefined) places[CLOCK] ??= placeOfNode(clockUse);
  }
}

/** Calls by the identifier that they call, and the first place that may read `ctx.minute`. */
function scanTree(tree: Tree): {calls: Map<Tree, Tree>; clockUse: Tree | undefined} {
  const calls = new Map<Tree, Tree>();
  let clockUse: Tree | undefined;
  const pending: unknown[] = [tree];
  while (pending.length > 0) {
    const node = pending.pop() as Tree;
    if (node.type === 'CallExpression') calls.set(node.callee as Tree, node);
    // Also in a pattern: ({minute}, item) => minute().
    const property =
      node.type === 'MemberExpression' ? node.property : node.type === 'Property' ? node.key : undefined;
    if ((property as Tree | undefined)?.name === 'minute' && node.computed !== true) clockUse ??= node;
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) {
        for (const one of value) if (typeof one === 'object' && one !== null) pending.push(one);
      } else if (typeof value === 'object' && value !== null && 'type' in value) pending.push(value);
    }
  }
  return {calls, clockUse};
}

function literalOf(call: Tree | undefined, at: number): string | undefined {
  const argument = (call?.arguments as Tree[] | undefined)?.[at];
  return argument?.type === 'Literal' && typeof argument.value === 'string' ? argument.value : undefined;
}

function collectionOf(call: Tree | undefined): string | undefined {
  const first = (call?.arguments as Tree[] | undefined)?.[0];
  if (first?.type === 'Identifier') return first.name as string;
  const called = first?.callee as Tree | undefined;
  return called?.type === 'Identifier' && called.name === 'collection' ? literalOf(first, 0) : undefined;
}

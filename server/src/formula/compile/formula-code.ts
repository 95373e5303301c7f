// Compiles a formula: strips types, checks the syntax, resolves names to collections and inserts the fuel meter.
// Runs in the compile thread. Evaluates nothing.

import type {ParamValues} from '@krtscope/shared/formulas.ts';
import {type CodeProblem, FormulaError, placeOf} from './code-problem.ts';
import type {CompiledFormula} from './formula-compiler.ts';
import {FormulaParams} from './formula-params.ts';
import {findFreeNames} from './free-names.ts';
import {insertMeter} from './fuel.ts';
import {CLOCK, impliedCollections, languageNames, refusedNames, scopeWords} from './scope-names.ts';
import {stripExpression} from './strip-types.ts';
import {parseFormula} from './syntax.ts';
import type {Tree} from './syntax-tree.ts';

export type CompiledFormulaCode = Omit<CompiledFormula, 'hash'>;

/** Throws FormulaError. */
export function compileFormulaCode(code: string, values?: ParamValues): CompiledFormulaCode {
  const stripped = stripExpression(code);
  const tree = parseFormula(stripped);
  const found = resolveNames(stripped, tree, values);
  const {text, shifts} = insertMeter(stripped.slice(0, tree.end), tree);
  return {text, shifts, ...found};
}

type ResolvedNames = Pick<CompiledFormula, 'names' | 'bare' | 'indexes' | 'places' | 'params'>;

function resolveNames(code: string, tree: Tree, values: ParamValues | undefined): ResolvedNames {
  const problems: CodeProblem[] = [];
  const places: ResolvedNames['places'] = Object.create(null);
  const bare = new Set<string>();
  const indexes: ResolvedNames['indexes'] = [];
  const params = new FormulaParams(values);
  const {calls, clockUse} = scanTree(tree);
  for (const {name, node} of findFreeNames(tree)) {
    const refuse = (message: string) => problems.push({...placeOf(code, node.start), message});
    const call = calls.get(node);
    if (name === 'collection') {
      const literal = literalOf(call, 0);
      if (literal === undefined) refuse("collection expects one string literal: collection('a/b')");
      else places[literal] ??= placeOf(code, node.start);
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
      places[impliedCollections[name] as string] ??= placeOf(code, node.start);
    } else if ((scopeWords as readonly string[]).includes(name) || languageNames.has(name)) continue;
    else if (refusedNames.has(name)) refuse(`${name} ${refusedNames.get(name)}`);
    else {
      places[name] ??= placeOf(code, node.start);
      bare.add(name);
    }
  }
  if (clockUse !== undefined) places[CLOCK] ??= placeOf(code, clockUse.start);
  if (problems.length > 0) throw new FormulaError(problems);
  return {names: Object.keys(places), bare: [...bare], indexes, places, params: params.list};
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

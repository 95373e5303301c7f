// Macros: has, the comprehensions over lists and maps, and those of optional values.
import {type Checked, type ExpressionChecker, mismatch, type VariableScope} from './checker.ts';
import {type Frame, fieldOf, logical} from './evaluation.ts';
import type {CelNode} from './syntax.ts';
import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  fits,
  hasOrder,
  INT,
  isDyn,
  listOf,
  mapOf,
  optionalOf,
  printType,
} from './types.ts';
import {CelError, CelOptional, compareValues, lookUp, NONE, noSuchOverload} from './values.ts';

type Call = CelNode & {op: 'call'};

/** The checked macro; undefined if the call is not one. */
export function expandMacro(
  checker: ExpressionChecker,
  node: Call,
  scope: VariableScope | undefined,
): Checked | undefined {
  if (node.name === 'has' && !node.receiver && node.args.length === 1) return checkHas(checker, node, scope);
  if (!node.receiver) return undefined;
  const macro = MACROS[`${node.name}/${node.args.length}`];
  return macro?.(checker, node, scope);
}

function checkHas(
  checker: ExpressionChecker,
  {args: [argument], at}: Call,
  scope: VariableScope | undefined,
): Checked {
  if (argument?.op !== 'select') return checker.fail(argument?.at ?? at, 'invalid argument to has() macro');
  const operand = checker.check(argument.operand, scope);
  const inner = operand.type.kind === 'optional' ? operand.type.of : operand.type;
  if (operand.type === ERROR || !checker.fieldType(inner, argument.field, at))
    return {type: BOOL, run: () => false};
  const {field} = argument;
  return {
    type: BOOL,
    run: frame => {
      const value = operand.run(frame);
      const target = value instanceof CelOptional ? value.value : value;
      return target !== undefined && fieldOf(target, field) !== undefined;
    },
  };
}

/** The variables of a comprehension: the item, or the key and the value. */
interface Range {
  operand: Checked;
  names: string[];
  scope: VariableScope | undefined;
  entries(frame: Frame | undefined): Iterable<Frame>;
}

function rangeOf(
  checker: ExpressionChecker,
  node: Call,
  scope: VariableScope | undefined,
  count: 1 | 2,
): Range | undefined {
  const names: string[] = [];
  for (const variable of node.args.slice(0, count)) {
    if (variable.op !== 'identifier') {
      checker.fail(variable.at, 'argument must be a simple name');
      return undefined;
    }
    names.push(variable.name);
  }
  const operand = checker.check(node.receiver!, scope);
  const types = itemTypes(operand.type, count);
  if (!types) {
    checker.fail(
      node.receiver!.at,
      `expression of type '${printType(operand.type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return undefined;
  }
  const inner = names.reduce<VariableScope | undefined>(
    (up, name, i) => ({name, type: types[i]!, up}),
    scope,
  );
  return {operand, names, scope: inner, entries: frame => framesOf(operand.run(frame), names, frame)};
}

function itemTypes(type: CelType, count: 1 | 2): CelType[] | undefined {
  if (isDyn(type) || type.kind === 'parameter') return [DYN, DYN];
  if (type.kind === 'list') return count === 1 ? [type.of] : [INT, type.of];
  if (type.kind === 'map') return count === 1 ? [type.key] : [type.key, type.value];
  return undefined;
}

function* framesOf(value: unknown, names: string[], up: Frame | undefined): Iterable<Frame> {
  const pairs: Iterable<[unknown, unknown]> = Array.isArray(value)
    ? value.map((item, i) => [BigInt(i), item] as [unknown, unknown])
    : value instanceof Map
      ? value
      : overloadError();
  const [first, second] = names as [string, string | undefined];
  for (const [key, item] of pairs) {
    if (second === undefined) yield {name: first, value: Array.isArray(value) ? item : key, up};
    else yield {name: second, value: item, up: {name: first, value: key, up}};
  }
}

function overloadError(): never {
  throw noSuchOverload();
}

/** A filter. Errors name the ternary operator that Kubernetes makes of it. */
function predicate(
  checker: ExpressionChecker,
  node: Call,
  condition: CelNode,
  scope: VariableScope | undefined,
  result: CelType,
): Checked {
  const checked = checker.check(condition, scope);
  if (!fits(BOOL, checked.type, new Map()))
    checker.fail(node.at, mismatch('_?_:_', [checked.type, result, result], false));
  return checked;
}

type Macro = (checker: ExpressionChecker, node: Call, scope: VariableScope | undefined) => Checked;

/** all and exists stop at the first decisive item, and forgive errors of others then. */
function quantifier(decisive: boolean, count: 1 | 2): Macro {
  return (checker, node, scope) => {
    const range = rangeOf(checker, node, scope, count);
    if (!range) return {type: BOOL, run: () => false};
    const test = checker.check(node.args[count]!, range.scope);
    checker.expectBool(test, node.args[count]!);
    return {
      type: BOOL,
      run: frame => {
        let result: () => unknown = () => !decisive;
        for (const inner of range.entries(frame)) {
          const [before, now] = [result, () => test.run(inner)];
          try {
            const value = logical(decisive, before, now);
            if (value === decisive) return decisive;
            result = () => value;
          } catch (error) {
            if (!(error instanceof CelError)) throw error;
            result = () => {
              throw error;
            };
          }
        }
        return result();
      },
    };
  };
}

function existsOne(count: 1 | 2): Macro {
  return (checker, node, scope) => {
    const range = rangeOf(checker, node, scope, count);
    if (!range) return {type: BOOL, run: () => false};
    const test = predicate(checker, node, node.args[count]!, range.scope, INT);
    return {
      type: BOOL,
      run: frame => {
        let found = 0;
        for (const inner of range.entries(frame)) if (holds(test, inner)) found++;
        return found === 1;
      },
    };
  };
}

function holds(test: Checked, frame: Frame): boolean {
  const value = test.run(frame);
  if (typeof value !== 'boolean') throw noSuchOverload();
  return value;
}

const filter: Macro = (checker, node, scope) => {
  const range = rangeOf(checker, node, scope, 1);
  if (!range) return {type: listOf(DYN), run: () => []};
  const of = range.scope!.type;
  const test = predicate(checker, node, node.args[1]!, range.scope, listOf(of));
  return {
    type: listOf(of),
    run: frame => {
      const out: unknown[] = [];
      for (const inner of range.entries(frame)) if (holds(test, inner)) out.push(inner.value);
      return out;
    },
  };
};

/** map and transformList, with an optional filter before the result. */
function mapper(count: 1 | 2, filtered: boolean): Macro {
  return (checker, node, scope) => {
    const range = rangeOf(checker, node, scope, count);
    if (!range) return {type: listOf(DYN), run: () => []};
    const made = checker.check(node.args.at(-1)!, range.scope);
    const type = listOf(made.type);
    const test = filtered ? predicate(checker, node, node.args[count]!, range.scope, type) : undefined;
    return {
      type,
      run: frame => {
        const out: unknown[] = [];
        for (const inner of range.entries(frame)) if (!test || holds(test, inner)) out.push(made.run(inner));
        return out;
      },
    };
  };
}

/** Sorts the items by a key. */
const sortBy: Macro = (checker, node, scope) => {
  const range = rangeOf(checker, node, scope, 1);
  if (!range) return {type: listOf(DYN), run: () => []};
  const key = checker.check(node.args[1]!, range.scope);
  if (!hasOrder(key.type))
    return checker.fail(
      node.at,
      mismatch('@sortByAssociatedKeys', [listOf(range.scope!.type), listOf(key.type)], true),
    );
  return {
    type: listOf(range.scope!.type),
    run: frame =>
      [...range.entries(frame)]
        .map(inner => ({value: inner.value, key: key.run(inner)}))
        .sort((a, b) => compareValues(a.key, b.key))
        .map(({value}) => value),
  };
};

function transformMap(filtered: boolean): Macro {
  return (checker, node, scope) => {
    const range = rangeOf(checker, node, scope, 2);
    if (!range) return {type: mapOf(DYN, DYN), run: () => new Map()};
    const made = checker.check(node.args.at(-1)!, range.scope);
    const type = mapOf(range.scope!.up!.type, made.type);
    const test = filtered ? predicate(checker, node, node.args[2]!, range.scope, type) : undefined;
    return {
      type,
      run: frame => {
        const out = new Map<unknown, unknown>();
        for (const inner of range.entries(frame))
          if (!test || holds(test, inner)) out.set(inner.up!.value, made.run(inner));
        return out;
      },
    };
  };
}

function transformMapEntry(filtered: boolean): Macro {
  return (checker, node, scope) => {
    const range = rangeOf(checker, node, scope, 2);
    if (!range) return {type: mapOf(DYN, DYN), run: () => new Map()};
    const made = checker.check(node.args.at(-1)!, range.scope);
    const test = filtered ? predicate(checker, node, node.args[2]!, range.scope, made.type) : undefined;
    return {
      type: made.type,
      run: frame => {
        const out = new Map<unknown, unknown>();
        for (const inner of range.entries(frame)) {
          if (test && !holds(test, inner)) continue;
          for (const [key, value] of made.run(inner) as Map<unknown, unknown>) {
            if (lookUp(out, key) !== undefined)
              throw new CelError(`insert failed: key ${String(key)} already exists`);
            out.set(key, value);
          }
        }
        return out;
      },
    };
  };
}

/** optMap wraps the result, optFlatMap expects an optional one. */
function optionalMap(flat: boolean): Macro {
  return (checker, node, scope) => {
    const variable = node.args[0]!;
    if (variable.op !== 'identifier') return checker.fail(variable.at, 'argument must be a simple name');
    const operand = checker.check(node.receiver!, scope);
    const of = operand.type.kind === 'optional' ? operand.type.of : DYN;
    const made = checker.check(node.args[1]!, {name: variable.name, type: of, up: scope});
    return {
      type: flat ? made.type : optionalOf(made.type),
      run: frame => {
        const value = operand.run(frame);
        if (!(value instanceof CelOptional)) throw noSuchOverload();
        if (!value.present) return NONE;
        const result = made.run({name: variable.name, value: value.value, up: frame});
        return flat ? result : new CelOptional(result);
      },
    };
  };
}

const MACROS: Record<string, Macro> = {
  'all/2': quantifier(false, 1),
  'exists/2': quantifier(true, 1),
  'exists_one/2': existsOne(1),
  'filter/2': filter,
  'sortBy/2': sortBy,
  'map/2': mapper(1, false),
  'map/3': mapper(1, true),
  'all/3': quantifier(false, 2),
  'exists/3': quantifier(true, 2),
  'existsOne/3': existsOne(2),
  'exists_one/3': existsOne(2),
  'transformList/3': mapper(2, false),
  'transformList/4': mapper(2, true),
  'transformMap/3': transformMap(false),
  'transformMap/4': transformMap(true),
  'transformMapEntry/3': transformMapEntry(false),
  'transformMapEntry/4': transformMapEntry(true),
  'optMap/2': optionalMap(false),
  'optFlatMap/2': optionalMap(true),
};

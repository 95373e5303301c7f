// Checks the types of an expression and turns it into a function. Errors have the words of Kubernetes.

import {RE2JS} from 're2js';
import {dispatch, type Frame, logical, orElse, readVariable, select, selectOptional} from './evaluation.ts';
import type {FunctionTable} from './functions.ts';
import {formatProblem} from './library/format-check.ts';
import {parseDuration, parseTimestamp} from './library/time.ts';
import {expandMacro} from './macros.ts';
import type {CelNode} from './syntax.ts';
import {
  type Bindings,
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  fits,
  INT,
  isDyn,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  printType,
  STRING,
  substitute,
  TYPE_NAMES,
  typeOf,
  UINT,
} from './types.ts';
import {CelError, CelTypeValue, CelUint, noSuchOverload, typeValueName} from './values.ts';

export interface VariableScope {
  readonly name: string;
  readonly type: CelType;
  readonly up: VariableScope | undefined;
}

export interface Checked {
  type: CelType;
  /** The types of the items of a list literal. */
  items?: CelType[];
  run(frame: Frame | undefined): unknown;
}

export interface CheckProblem {
  at: number;
  message: string;
}

/** An item type that nothing has decided yet, as in []. */
const OPEN: CelType = {kind: 'parameter', name: '?'};
const CONVERSIONS = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'string', 'timestamp', 'uint']);
const AUTHORIZER = new Set(['path', 'group', 'serviceAccount', 'check', 'allowed', 'reason']);
const FAILED: Checked = {type: ERROR, run: () => null};

export class ExpressionChecker {
  readonly problems: CheckProblem[] = [];
  /** Found after the types are right: bad constants and mixed literals. */
  readonly late: CheckProblem[] = [];
  readonly used = new Set<string>();
  /** Why the expression can never run, although its types are right. */
  unusable: string | undefined;
  readonly #functions: FunctionTable;
  /** Inside the arguments of format(), whose list may mix types. */
  #mixed = false;

  constructor(functions: FunctionTable) {
    this.#functions = functions;
  }

  fail(at: number, message: string): Checked {
    this.problems.push({at, message});
    return FAILED;
  }

  check(node: CelNode, scope: VariableScope | undefined): Checked {
    switch (node.op) {
      case 'value':
        return this.#constant(node.value, node.at);
      case 'identifier':
        return this.#identifier(node.name, node.at, scope);
      case 'select':
        return this.#select(node, scope);
      case 'list':
        return this.#list(node, scope);
      case 'map':
        return this.#map(node, scope);
      default:
        return expandMacro(this, node, scope) ?? this.#call(node, scope);
    }
  }

  #constant(value: unknown, at: number): Checked {
    if (value instanceof CelUint) return {type: UINT, run: () => value};
    const type =
      typeof value === 'bigint'
        ? INT
        : typeof value === 'number'
          ? DOUBLE
          : typeof value === 'string'
            ? STRING
            : typeof value === 'boolean'
              ? BOOL
              : value instanceof Uint8Array
                ? BYTES
                : NULL;
    if (typeof value === 'bigint' && (value > 9223372036854775807n || value < -9223372036854775808n))
      return this.fail(at, 'invalid int literal');
    return {type, run: () => value};
  }

  #identifier(name: string, at: number, scope: VariableScope | undefined): Checked {
    for (let here = scope; here; here = here.up) {
      if (here.name !== name) continue;
      this.used.add(name);
      return {type: here.type, run: frame => readVariable(frame, name)};
    }
    return this.#typeName(name) ?? this.fail(at, `undeclared reference to '${name}' (in container '')`);
  }

  #typeName(name: string): Checked | undefined {
    const type = Object.hasOwn(TYPE_NAMES, name) ? TYPE_NAMES[name] : undefined;
    if (!type) return undefined;
    const value = new CelTypeValue(typeValueName(type));
    return {type: typeOf(type), run: () => value};
  }

  #select(node: CelNode & {op: 'select'}, scope: VariableScope | undefined): Checked {
    const path = pathOf(node);
    if (path && !isVariable(path.split('.')[0]!, scope)) {
      const known = this.#typeName(path);
      if (known) return known;
    }
    const operand = this.check(node.operand, scope);
    const {field} = node;
    const inner = operand.type.kind === 'optional' ? operand.type.of : operand.type;
    const type = this.fieldType(inner, field, node.at);
    if (!type) return FAILED;
    const optional = node.optional || operand.type.kind === 'optional';
    if (optional) return {type: optionalOf(type), run: frame => selectOptional(operand.run(frame), field)};
    return {type, run: frame => select(operand.run(frame), field)};
  }

  /** The type of a field; undefined if the error is reported. */
  fieldType(type: CelType, field: string, at: number): CelType | undefined {
    if (type === ERROR) return undefined;
    if (isDyn(type) || type.kind === 'parameter') return DYN;
    if (type.kind === 'map') return type.value;
    if (type.kind === 'object') {
      const found = type.fields.get(field);
      if (!found) this.fail(at, `undefined field '${field}'`);
      return found;
    }
    this.fail(at, `type '${printType(type)}' does not support field selection`);
    return undefined;
  }

  #list(node: CelNode & {op: 'list'}, scope: VariableScope | undefined): Checked {
    const items = node.items.map(item => this.check(item, scope));
    const types = items.map(({type}) => type);
    const of = this.#joined(types, node.items, true);
    return {type: listOf(of), items: types, run: frame => items.map(item => item.run(frame))};
  }

  #map(node: CelNode & {op: 'map'}, scope: VariableScope | undefined): Checked {
    const entries = node.entries.map(
      ([key, value]) => [this.check(key, scope), this.check(value, scope)] as const,
    );
    const key = this.#joined(
      entries.map(([one]) => one.type),
      node.entries.map(([one]) => one),
    );
    const value = this.#joined(
      entries.map(([, one]) => one.type),
      node.entries.map(([, one]) => one),
    );
    return {
      type: mapOf(key, value),
      run: frame => {
        const out = new Map<unknown, unknown>();
        for (const [k, v] of entries) out.set(k.run(frame), v.run(frame));
        return out;
      },
    };
  }

  /** One type for all items. Literals that mix types are refused: a list once, a map at each of its entries. */
  #joined(types: CelType[], nodes: CelNode[], once = false): CelType {
    let joined: CelType = OPEN;
    let refused: CelType | undefined;
    types.forEach((type, i) => {
      if (refused) {
        if (!once && !fits(refused, type, new Map())) this.#refuseItem(nodes[i]!, refused, type);
        return;
      }
      const mixed = joined !== OPEN && isDyn(joined) !== isDyn(type) && joined !== ERROR && type !== ERROR;
      if (joined === OPEN || (!mixed && fits(type, joined, new Map()))) joined = type;
      else if (mixed || !fits(joined, type, new Map())) {
        this.#refuseItem(nodes[i]!, joined, type);
        refused = joined;
      }
    });
    return refused ? DYN : joined;
  }

  #refuseItem({at}: CelNode, wanted: CelType, found: CelType): void {
    if (this.#mixed) return;
    this.late.push({at, message: `expected type '${printType(wanted)}' but found '${printType(found)}'`});
  }

  #call(node: CelNode & {op: 'call'}, scope: VariableScope | undefined): Checked {
    const {name, receiver} = node;
    if (receiver) {
      const path = pathOf(receiver);
      const qualified = path && !isVariable(path.split('.')[0]!, scope) ? `${path}.${name}` : '';
      if (qualified !== '' && this.#functions.find(qualified))
        return this.apply(qualified, this.#arguments(node, scope), node, false);
    }
    const args = this.#arguments(node, scope);
    if (name === '_&&_' || name === '_||_') return this.#logical(name, args, node.args);
    const target = receiver ? this.check(receiver, scope) : undefined;
    if (name === '_?_:_') return this.#ternary(args, node);
    if (name === '_[_]' && args[0]?.type.kind === 'optional') return this.#optionalIndex(args, node);
    const applied = this.apply(name, target ? [target, ...args] : args, node, target !== undefined);
    if (name === 'format') this.#checkFormat(node, args[0]);
    const lazy = (name === 'or' || name === 'orValue') && target?.type.kind === 'optional';
    return lazy
      ? {...applied, run: frame => orElse(target.run(frame), name, () => args[0]!.run(frame))}
      : applied;
  }

  #checkFormat({receiver, args, at}: CelNode & {op: 'call'}, list: Checked | undefined): void {
    const literal = args[0];
    if (receiver?.op !== 'value' || typeof receiver.value !== 'string') return;
    if (literal?.op !== 'list' || !list?.items) return;
    const problem = formatProblem(receiver.value, list.items);
    if (!problem) return;
    const {argument, message} = problem;
    this.late.push({at: argument === undefined ? at : literal.items[argument]!.at, message});
  }

  #optionalIndex(args: Checked[], node: CelNode): Checked {
    return this.apply('_[?_]', args, node, false);
  }

  #arguments(node: CelNode & {op: 'call'}, scope: VariableScope | undefined): Checked[] {
    const was = this.#mixed;
    if (node.name === 'format') this.#mixed = true;
    const args = node.args.map(one => this.check(one, scope));
    this.#mixed = was;
    this.#checkConstant(node);
    return args;
  }

  /** Refuses constants that could never work. */
  #checkConstant({name, receiver, args}: CelNode & {op: 'call'}): void {
    const argument = name === 'matches' && !receiver ? args[1] : args[0];
    if (argument?.op !== 'value' || typeof argument.value !== 'string') return;
    const text = argument.value;
    const tests: Record<string, () => unknown> = {
      matches: () => RE2JS.compile(text),
      duration: () => parseDuration(text),
      timestamp: () => parseTimestamp(text),
    };
    if (!Object.hasOwn(tests, name)) return;
    try {
      tests[name]!();
    } catch {
      this.late.push({at: argument.at, message: `invalid ${name} argument`});
    }
  }

  /** A call of a function or operator with checked arguments, the receiver first. */
  apply(name: string, args: Checked[], node: CelNode, member: boolean): Checked {
    const overloads = this.#functions.find(name);
    if (!overloads) {
      // The functions of the authorizer exist, but nothing has their type here.
      if (args[0]?.type === ERROR && AUTHORIZER.has(name)) return FAILED;
      return this.fail(node.at, `undeclared reference to '${name}' (in container '')`);
    }
    const types = args.map(({type}) => type);
    const matching = overloads.flatMap(overload => {
      const bound: Bindings = new Map();
      const good =
        overload.member === member &&
        overload.parameters.length === types.length &&
        overload.parameters.every((parameter, i) => fits(parameter, types[i]!, bound));
      return good ? [{overload, result: substitute(overload.result, bound)}] : [];
    });
    if (matching.length === 0) return this.fail(node.at, mismatch(name, types, member));
    const results = new Set(matching.map(({result}) => printType(result)));
    const type = results.size === 1 ? matching[0]!.result : DYN;
    const candidates = matching.map(({overload}) => overload);
    const exact = candidates.length === 1 && !types.some(hasDyn);
    const made: Checked = {type, run: frame => dispatch(candidates, exact, args, frame)};
    if (CONVERSIONS.has(name)) this.#foldConversion(made, node);
    return made;
  }

  /** Kubernetes converts constants once, so a wrong one is an error of the rule. */
  #foldConversion(made: Checked, node: CelNode): void {
    if (node.op !== 'call' || node.args[0]?.op !== 'value') return;
    try {
      made.run(undefined);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      this.unusable ??= error.message;
    }
  }

  #logical(name: '_&&_' | '_||_', args: Checked[], nodes: CelNode[]): Checked {
    const [left, right] = args as [Checked, Checked];
    args.forEach((arg, i) => {
      this.expectBool(arg, nodes[i]!);
    });
    const decisive = name === '_||_';
    return {
      type: BOOL,
      run: frame =>
        logical(
          decisive,
          () => left.run(frame),
          () => right.run(frame),
        ),
    };
  }

  expectBool({type}: Checked, {at}: CelNode): void {
    if (!fits(BOOL, type, new Map())) this.fail(at, `expected type 'bool' but found '${printType(type)}'`);
  }

  #ternary(args: Checked[], node: CelNode): Checked {
    const [condition, yes, no] = args as [Checked, Checked, Checked];
    const bound: Bindings = new Map();
    const parameter: CelType = {kind: 'parameter', name: 'A'};
    const types = args.map(({type}) => type);
    if (
      !fits(BOOL, condition.type, bound) ||
      !fits(parameter, yes.type, bound) ||
      !fits(parameter, no.type, bound)
    )
      return this.fail(node.at, mismatch('_?_:_', types, false));
    return {
      type: substitute(parameter, bound),
      run: frame => {
        const chosen = condition.run(frame);
        if (typeof chosen !== 'boolean') throw noSuchOverload();
        return chosen ? yes.run(frame) : no.run(frame);
      },
    };
  }
}

export function mismatch(name: string, types: CelType[], member: boolean): string {
  const shown = types.map(printType);
  const applied = member ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
  return `found no matching overload for '${name}' applied to '${applied}'`;
}

function hasDyn(type: CelType): boolean {
  return isDyn(type) || type.kind === 'parameter';
}

/** "a.b" of identifiers and fields; undefined for other nodes. */
function pathOf(node: CelNode): string | undefined {
  if (node.op === 'identifier') return node.name;
  if (node.op !== 'select' || node.optional) return undefined;
  const path = pathOf(node.operand);
  return path === undefined ? undefined : `${path}.${node.field}`;
}

function isVariable(name: string, scope: VariableScope | undefined): boolean {
  for (let here = scope; here; here = here.up) if (here.name === name) return true;
  return false;
}

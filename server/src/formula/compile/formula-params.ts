// The parameters of a formula: param('price', 0.04) in its code, and the values that a user gave them.
import type {FormulaParam, ParamValue, ParamValues} from '@krtscope/shared/formulas.ts';
import type {Tree} from './syntax-tree.ts';

const MAX_PARAMS = 20;
const namePattern = /^\w[\w $.-]{0,62}$/;

export class FormulaParams {
  readonly list: FormulaParam[] = [];
  readonly #values: ParamValues;

  constructor(values: ParamValues = {}) {
    this.#values = values;
  }

  /** Adds the parameter of one call. Returns what is wrong with it. */
  add(args: readonly Tree[] | undefined): string | undefined {
    const [nameNode, defaultNode, ...rest] = args ?? [];
    const name = nameNode && literalValue(nameNode);
    const given = defaultNode && literalValue(defaultNode);
    if (typeof name !== 'string' || given === undefined || rest.length > 0)
      return "param expects a name and a default, both literals: param('price', 0.04)";
    if (!namePattern.test(name))
      return `"${name.slice(0, 63)}" is not a name for a parameter; use letters, digits and spaces`;
    const existing = this.list.find(one => one.name === name);
    if (existing !== undefined)
      return existing.default === given
        ? undefined
        : `the parameter ${name} has two defaults, ${JSON.stringify(existing.default)} and ${JSON.stringify(given)}`;
    if (this.list.length === MAX_PARAMS) return `a formula has at most ${MAX_PARAMS} parameters`;
    const value = Object.hasOwn(this.#values, name) ? (this.#values[name] as ParamValue) : given;
    if (typeof value !== typeof given)
      return `the parameter ${name} is a ${typeof given}, and ${JSON.stringify(value)} is a ${typeof value}`;
    this.list.push({name, default: given, value});
    return undefined;
  }
}

/** Why values do not fit the parameters of a formula; undefined if they do. */
export function unknownParamProblem(
  values: ParamValues = {},
  params: readonly FormulaParam[],
): string | undefined {
  const unknown = Object.keys(values).find(name => !params.some(one => one.name === name));
  if (unknown === undefined) return undefined;
  const names = params.map(one => one.name).join(', ') || 'none';
  return `the code has no parameter "${unknown.slice(0, 63)}"; it has ${names}`;
}

function literalValue(node: Tree): ParamValue | undefined {
  if (node.type === 'Literal') {
    const {value} = node;
    // 1e400 is infinite, which JSON has no text for.
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
    return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
  }
  if (node.type !== 'UnaryExpression' || node.operator !== '-') return undefined;
  const value = literalValue(node.argument as Tree);
  return typeof value === 'number' ? -value : undefined;
}

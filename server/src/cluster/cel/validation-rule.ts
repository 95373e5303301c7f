// One rule of x-kubernetes-validations, compiled for the type of its schema.
import {isObject, type JsonObject, stringAt} from '../object/stored-object.ts';
import type {FieldSchema} from '../schema/field-schema.ts';
import {type CelExpression, compileExpression} from './expression.ts';
import {type CelType, optionalOf} from './types.ts';
import {CelError, CelOptional, NONE} from './values.ts';

const MOST_MESSAGE = 5 * 1024;

export interface RuleResult {
  /** Why the rule does not hold, or the error of its evaluation. */
  message: string;
  /** The evaluation failed, so the value is not shown. */
  failed: boolean;
}

export class ValidationRule {
  readonly node: JsonObject;
  readonly reason: string;
  readonly fieldPath: string[];
  readonly usesOldSelf: boolean;
  readonly #expression: CelExpression;
  readonly #message: CelExpression | undefined;
  readonly #optionalOldSelf: boolean;

  /** Throws CelCompileError for the rule. A wrong messageExpression is left out. */
  constructor(node: JsonObject, type: CelType, schema: FieldSchema) {
    this.node = node;
    this.reason = stringAt(node, 'reason') || 'FieldValueInvalid';
    this.fieldPath = parseFieldPath(stringAt(node, 'fieldPath'), schema) ?? [];
    this.#optionalOldSelf = node.optionalOldSelf === true;
    const variables = ruleVariables(type, this.#optionalOldSelf);
    this.#expression = compileExpression(stringAt(node, 'rule'), variables);
    this.usesOldSelf = this.#expression.variables.has('oldSelf');
    const message = stringAt(node, 'messageExpression');
    this.#message = message === '' ? undefined : compileExpression(message, variables);
  }

  /** `oldSelf` is undefined for a new value. The result is undefined if the rule holds or does not apply. */
  evaluate(self: unknown, oldSelf: unknown): RuleResult | undefined {
    if (this.usesOldSelf && oldSelf === undefined && !this.#optionalOldSelf) return undefined;
    const values = {self, oldSelf: this.#optionalOldSelf ? optionalValue(oldSelf) : oldSelf};
    try {
      if (this.#expression.run(values) === true) return undefined;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      return {message: this.#failure(error.message), failed: true};
    }
    return {message: this.#evaluateMessage(values) ?? this.#defaultMessage(), failed: false};
  }

  #failure(why: string): string {
    const rule = stringAt(this.node, 'message').trim() || stringAt(this.node, 'rule').trim();
    if (why.startsWith('no such overload'))
      return `'${why}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
    return `${why} evaluating rule: ${rule}`;
  }

  #defaultMessage(): string {
    return stringAt(this.node, 'message').trim() || `failed rule: ${stringAt(this.node, 'rule').trim()}`;
  }

  /** Kubernetes ignores results that are no text, too long, empty or of several lines. */
  #evaluateMessage(values: Record<string, unknown>): string | undefined {
    if (!this.#message) return undefined;
    try {
      const text = this.#message.run(values);
      if (typeof text !== 'string' || text.trim() === '' || text.includes('\n')) return undefined;
      return Buffer.byteLength(text) > MOST_MESSAGE ? undefined : text.trim();
    } catch (error) {
      if (error instanceof CelError) return undefined;
      throw error;
    }
  }
}

const optionalValue = (value: unknown): CelOptional => (value === undefined ? NONE : new CelOptional(value));

export function ruleVariables(type: CelType, optionalOldSelf: boolean): Record<string, CelType> {
  return {self: type, oldSelf: optionalOldSelf ? optionalOf(type) : type};
}

/** The steps of a field path such as .spec['a-b'] as they print; undefined if the schema has no such field. */
export function parseFieldPath(path: string, schema: FieldSchema): string[] | undefined {
  if (path === '') return [];
  const steps = path.match(/\.[a-zA-Z_][a-zA-Z0-9_]*|\['(?:[^'\\]|\\['\\])+'\]/g);
  if (!steps || steps.join('') !== path) return undefined;
  const out: string[] = [];
  let here: FieldSchema | undefined = schema;
  for (const step of steps) {
    const name: string = step.startsWith('.') ? step.slice(1) : step.slice(2, -2).replace(/\\(.)/g, '$1');
    const field: FieldSchema | undefined = here?.field(name);
    out.push(field ? `.${name}` : `[${name}]`);
    here = field ?? here?.values;
    if (!here) return undefined;
  }
  return out;
}

export function rulesOf(schema: FieldSchema): JsonObject[] {
  const rules = schema.inner['x-kubernetes-validations'];
  return Array.isArray(rules) ? rules.filter(isObject) : [];
}

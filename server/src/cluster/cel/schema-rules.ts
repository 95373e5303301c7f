// All rules of a schema: compiled once, then run over objects, as Kubernetes does after the other checks.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {FieldError} from '../kinds/kind-rules.ts';
import {isObject} from '../object/stored-object.ts';
import type {FieldSchema} from '../schema/field-schema.ts';
import {goValue} from '../wire/responses/invalid-errors.ts';
import {CelCompileError} from './expression.ts';
import {typeOfSchema, valueOfSchema} from './schema-type.ts';
import type {CelType} from './types.ts';
import {rulesOf, ValidationRule} from './validation-rule.ts';
import {CelError} from './values.ts';

/** Problems that stop the evaluation of rules, because values may not have the types that rules expect. */
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const NOT_CHECKED: FieldError = {
  reason: 'FieldValueInvalid',
  field: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

interface RuleOutcome {
  errors: FieldError[];
  /** Broken rules of values that did not change. */
  warnings: string[];
}

export class SchemaRules {
  readonly #schema: FieldSchema;
  readonly #type: CelType | undefined;
  readonly #rules: ValidationRule[] = [];
  readonly #fields = new Map<string, SchemaRules>();
  readonly #items: SchemaRules | undefined;
  readonly #values: SchemaRules | undefined;

  private constructor(schema: FieldSchema, root: boolean) {
    this.#schema = schema;
    const rules = rulesOf(schema);
    const embedded = schema.inner['x-kubernetes-embedded-resource'] === true;
    if (rules.length > 0) this.#type = typeOfSchema(schema, root || embedded);
    for (const rule of rules) this.#add(rule);
    for (const name of schema.fieldNames()) {
      const child = SchemaRules.of(schema.field(name));
      if (child) this.#fields.set(name, child);
    }
    this.#items = SchemaRules.of(schema.items);
    this.#values = SchemaRules.of(schema.values);
  }

  /** undefined if neither the schema nor its parts have rules. */
  static of(schema: FieldSchema | undefined, root = false): SchemaRules | undefined {
    if (!schema) return undefined;
    const made = new SchemaRules(schema, root);
    const empty = made.#rules.length === 0 && made.#fields.size === 0 && !made.#items && !made.#values;
    return empty ? undefined : made;
  }

  /** Definition rules refuse wrong rules; what is left uses functions that are missing here. */
  #add(rule: Record<string, unknown>): void {
    if (!this.#type) return;
    try {
      this.#rules.push(new ValidationRule(rule, this.#type, this.#schema));
    } catch (error) {
      if (!(error instanceof CelCompileError)) throw error;
    }
  }

  /** The errors of an object, unless others must be corrected first. `old` is undefined for a new object. */
  check(object: unknown, old: unknown, others: readonly FieldError[]): RuleOutcome {
    if (others.some(error => BLOCKING.has(error.reason))) return {errors: [NOT_CHECKED], warnings: []};
    const outcome: RuleOutcome = {errors: [], warnings: []};
    this.#check(object, old, '', outcome);
    return outcome;
  }

  #check(value: unknown, old: unknown, path: string, outcome: RuleOutcome): void {
    if (value === null || value === undefined) return;
    this.#checkOwn(value, old, path, outcome);
    if (Array.isArray(value)) this.#checkItems(value, old, path, outcome);
    else if (isObject(value)) {
      const before = isObject(old) ? old : {};
      for (const [name, rules] of this.#fields)
        rules.#check(value[name], before[name], path === '' ? name : `${path}.${name}`, outcome);
      if (this.#values)
        for (const [key, item] of Object.entries(value))
          this.#values.#check(item, before[key], `${path}[${key}]`, outcome);
    }
  }

  #checkItems(value: unknown[], old: unknown, path: string, outcome: RuleOutcome): void {
    const rules = this.#items;
    if (!rules) return;
    const keys = this.#schema.listType === 'map' ? this.#schema.listKeys : undefined;
    const identity = (item: unknown) => (isObject(item) ? keys?.map(key => item[key] ?? null) : undefined);
    value.forEach((item, i) => {
      const before =
        keys && Array.isArray(old) ? old.find(one => deepEqual(identity(one), identity(item))) : undefined;
      rules.#check(item, before, `${path}[${i}]`, outcome);
    });
  }

  #checkOwn(value: unknown, old: unknown, path: string, outcome: RuleOutcome): void {
    if (this.#rules.length === 0 || !this.#type) return;
    const unchanged = old !== undefined && deepEqual(value, old);
    try {
      const self = valueOfSchema(value, this.#schema, this.#type);
      const oldSelf =
        old === undefined || old === null ? undefined : valueOfSchema(old, this.#schema, this.#type);
      for (const rule of this.#rules) {
        const result = rule.evaluate(self, oldSelf);
        if (!result) continue;
        const error = this.#fieldError(rule, result, value, path);
        if (unchanged && !rule.usesOldSelf) outcome.warnings.push(`${error.field}: ${error.message}`);
        else outcome.errors.push(error);
      }
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      outcome.errors.push({
        reason: 'FieldValueInvalid',
        field: path || '<nil>',
        message: `Invalid value: ${goValue(this.#schema.inner.type)}: ${error.message}`,
      });
    }
  }

  #fieldError(
    rule: ValidationRule,
    result: {message: string; failed: boolean},
    value: unknown,
    path: string,
  ): FieldError {
    const {type} = this.#schema.inner;
    if (result.failed)
      return {
        reason: 'FieldValueInvalid',
        field: path || '<nil>',
        message: `Invalid value: ${goValue(type ?? '')}: ${result.message}`,
      };
    const field = (path + rule.fieldPath.join('')).replace(/^\./, '') || '<nil>';
    // Objects and lists are not shown.
    const shown =
      typeof value === 'object'
        ? ''
        : ` ${goValue(value)}${rule.reason === 'FieldValueDuplicate' ? '' : ':'}`;
    switch (rule.reason) {
      case 'FieldValueForbidden':
        return {reason: rule.reason, field, message: `Forbidden: ${result.message}`};
      case 'FieldValueRequired':
        return {reason: rule.reason, field, message: `Required value: ${result.message}`};
      case 'FieldValueDuplicate':
        return {
          reason: rule.reason,
          field,
          message: shown === '' ? 'Duplicate value' : `Duplicate value:${shown}`,
        };
      default:
        return {reason: rule.reason, field, message: `Invalid value:${shown} ${result.message}`};
    }
  }
}

// Checks the x-kubernetes-validations of a CRD, with the errors of 1.36. Cost limits are not checked; rules that may
// exceed them have a Warning.
import type {FieldError} from '../kinds/kind-rules.ts';
import {isObject, type JsonObject, stringAt} from '../object/stored-object.ts';
import {FieldSchema} from '../schema/field-schema.ts';
import {
  forbiddenField,
  goValue,
  invalidValue,
  notSupported,
  required,
} from '../wire/responses/invalid-errors.ts';
import {CelCompileError, type CelExpression, compileExpression} from './expression.ts';
import {unlimitedLoops} from './rule-cost.ts';
import {SchemaRules} from './schema-rules.ts';
import {typeOfSchema} from './schema-type.ts';
import {type CelNode, parseExpression} from './syntax.ts';
import {BOOL, type CelType, isDyn, STRING} from './types.ts';
import {parseFieldPath, rulesOf, ruleVariables} from './validation-rule.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const FIELD = 'x-kubernetes-validations';

export interface DefinitionRuleProblems {
  errors: FieldError[];
  /** Rules that are stored and skipped. */
  warnings: string[];
}

/** Walks a whole schema. `path` is its field in the CRD. */
export function checkDefinitionRules(schema: JsonObject, path: string): DefinitionRuleProblems {
  const problems: DefinitionRuleProblems = {errors: [], warnings: []};
  walk(new FieldSchema(schema, ''), path, true, undefined, problems);
  return problems;
}

function walk(
  schema: FieldSchema,
  path: string,
  root: boolean,
  uncorrelated: string | undefined,
  problems: DefinitionRuleProblems,
): void {
  const before = problems.errors.length;
  checkRules(schema, path, root, uncorrelated, problems);
  for (const field of ['allOf', 'anyOf', 'oneOf'] as const)
    forbidRules(schema.inner[field], `${path}.${field}`, problems);
  for (const name of schema.fieldNames())
    walk(schema.field(name)!, `${path}.properties[${name}]`, false, uncorrelated, problems);
  if (schema.items) {
    const below = schema.listType === 'map' ? uncorrelated : (uncorrelated ?? path);
    walk(schema.items, `${path}.items`, false, below, problems);
  }
  if (schema.values) walk(schema.values, `${path}.additionalProperties`, false, uncorrelated, problems);
  if (problems.errors.length === before) checkDefault(schema, path, problems);
}

function forbidRules(list: unknown, path: string, {errors}: DefinitionRuleProblems): void {
  if (!Array.isArray(list)) return;
  list.forEach((item, i) => {
    if (isObject(item) && item[FIELD] !== undefined)
      errors.push(forbiddenField(`${path}[${i}].${FIELD}`, 'must be empty to be structural'));
  });
}

/** A default must hold against the rules, too. */
function checkDefault(schema: FieldSchema, path: string, {errors}: DefinitionRuleProblems): void {
  if (schema.default === undefined) return;
  const outcome = SchemaRules.of(schema)?.check(schema.default, undefined, []);
  for (const error of outcome?.errors ?? [])
    errors.push({...error, field: `${path}.default${error.field === '<nil>' ? '' : `.${error.field}`}`});
}

function checkRules(
  schema: FieldSchema,
  path: string,
  root: boolean,
  uncorrelated: string | undefined,
  problems: DefinitionRuleProblems,
): void {
  const rules = rulesOf(schema);
  if (rules.length === 0) return;
  const {errors} = problems;
  const before = errors.length;
  rules.forEach((rule, i) => {
    errors.push(...textErrors(rule, `${path}.${FIELD}[${i}]`, schema));
  });
  // Kubernetes compiles rules only after their texts are right.
  if (errors.length > before) return;
  const embedded = schema.inner['x-kubernetes-embedded-resource'] === true;
  const type = typeOfSchema(schema, root || embedded);
  if (!type) {
    errors.push({
      reason: 'InternalError',
      field: `${path}.${FIELD}`,
      message:
        'Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
    });
    return;
  }
  rules.forEach((rule, i) => {
    const before = errors.length;
    checkExpressions(rule, `${path}.${FIELD}[${i}]`, type, uncorrelated, problems);
    if (errors.length === before) warnOfCost(rule, `${path}.${FIELD}[${i}].rule`, schema, problems);
  });
}

function warnOfCost(
  rule: JsonObject,
  path: string,
  schema: FieldSchema,
  {warnings}: DefinitionRuleProblems,
): void {
  let parsed: CelNode;
  try {
    parsed = parseExpression(stringAt(rule, 'rule'));
  } catch {
    // It has a Warning already, because its syntax is missing here.
    return;
  }
  for (const loop of unlimitedLoops(parsed, schema))
    warnings.push(
      `${path}: 1.36 may refuse this rule as too expensive, which the embedded cluster does not estimate: it loops over ${loop}`,
    );
}

function textErrors(rule: JsonObject, path: string, schema: FieldSchema): FieldError[] {
  const errors: FieldError[] = [];
  const [text, message] = [stringAt(rule, 'rule'), stringAt(rule, 'message')];
  if (text.trim() === '') errors.push(required(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '')
    errors.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'));
  else if (message.trim().includes('\n'))
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'));
  else if (text.trim().includes('\n') && message === '')
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  const expression = stringAt(rule, 'messageExpression');
  if (expression !== '' && expression.trim() === '')
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  const reason = stringAt(rule, 'reason');
  if (reason !== '' && !REASONS.includes(reason))
    errors.push(notSupported(`${path}.reason`, reason, REASONS));
  const fieldPath = stringAt(rule, 'fieldPath');
  if (fieldPath !== '') {
    if (fieldPath.trim() === '')
      errors.push(invalidValue(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified'));
    else {
      if (fieldPath.includes('\n'))
        errors.push(invalidValue(`${path}.fieldPath`, fieldPath, 'must not contain line breaks'));
      if (!parseFieldPath(fieldPath, schema))
        errors.push(invalidValue(`${path}.fieldPath`, fieldPath, 'must be a valid path'));
    }
  }
  return errors;
}

function checkExpressions(
  rule: JsonObject,
  path: string,
  type: CelType,
  uncorrelated: string | undefined,
  problems: DefinitionRuleProblems,
): void {
  const {errors} = problems;
  const shown = goRule(rule);
  const variables = ruleVariables(type, rule.optionalOldSelf === true);
  const compile = (field: 'rule' | 'messageExpression'): CelExpression | undefined => {
    try {
      return compileExpression(stringAt(rule, field), variables);
    } catch (error) {
      if (!(error instanceof CelCompileError)) throw error;
      const missing = error.missing;
      if (missing) {
        problems.warnings.push(
          `${path}.${field}: ${missing} is missing in the embedded cluster, so this rule is not evaluated`,
        );
        return undefined;
      }
      const prefix = `${field === 'rule' ? '' : 'messageExpression '}${error.step} failed`;
      errors.push(invalidShown(`${path}.${field}`, shown, `${prefix}: ${error.message}`));
      return undefined;
    }
  };
  const expression = compile('rule');
  if (!expression) return;
  if (expression.type !== BOOL && !isDyn(expression.type)) {
    errors.push(invalidShown(`${path}.rule`, shown, 'cel expression must evaluate to a bool'));
    return;
  }
  const message = stringAt(rule, 'messageExpression') === '' ? undefined : compile('messageExpression');
  if (message && message.type !== STRING)
    errors.push(
      invalidShown(`${path}.messageExpression`, shown, 'messageExpression must evaluate to a string'),
    );
  const transition = expression.variables.has('oldSelf');
  if (transition && uncorrelated !== undefined)
    errors.push(
      invalidValue(
        `${path}.rule`,
        rule.rule,
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`,
      ),
    );
  if (!transition && typeof rule.optionalOldSelf === 'boolean')
    errors.push(
      invalidValue(
        `${path}.optionalOldSelf`,
        rule.optionalOldSelf,
        'may not be set if oldSelf is not used in rule',
      ),
    );
}

function invalidShown(field: string, shown: string, why: string): FieldError {
  return {reason: 'FieldValueInvalid', field, message: `Invalid value: ${shown}: ${why}`};
}

/** A rule as Go prints its struct as JSON. */
function goRule(rule: JsonObject): string {
  const text = goValue({
    Rule: rule.rule ?? '',
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  });
  return text.replace(/[<>&]/g, letter => `\\u00${letter.charCodeAt(0).toString(16)}`);
}

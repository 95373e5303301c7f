// matchConditions: CEL over the request, the object and the old one. A webhook is called if all of them hold.
import {CelCompileError, type CelExpression, compileExpression} from '../cel/expression.ts';
import {plainValue} from '../cel/schema-type.ts';
import {BOOL, type CelType, DYN, isDyn, mapOf, printType, STRING} from '../cel/types.ts';
import {CelError} from '../cel/values.ts';
import type {FieldError} from '../kinds/kind-rules.ts';
import {qualifiedNameProblems} from '../object/name-rules.ts';
import {type JsonObject, stringAt} from '../object/stored-object.ts';
import {duplicate, invalidValue, required} from '../wire/responses/invalid-errors.ts';

/** The values are JSON here; 1.36 knows the type of the request. */
const VARIABLES: Record<string, CelType> = {object: DYN, oldObject: DYN, request: mapOf(STRING, DYN)};

const compiled = new Map<string, CelExpression>();
const MOST_COMPILED = 500;

function compile(text: string): CelExpression {
  let found = compiled.get(text);
  if (!found) {
    found = compileExpression(text, VARIABLES);
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    compiled.set(text, found);
  }
  return found;
}

export type ConditionResult = {matches: boolean} | {error: string};

/** An unset condition holds. A false one decides, even if others fail. */
export function evaluateConditions(conditions: readonly JsonObject[], request: JsonObject): ConditionResult {
  const values = {
    object: plainValue(request.object),
    oldObject: plainValue(request.oldObject),
    request: plainValue(request),
  };
  const errors: string[] = [];
  for (const condition of conditions) {
    const expression = stringAt(condition, 'expression');
    try {
      const result = compile(expression).run(values);
      if (result === false) return {matches: false};
      if (result !== true) errors.push(`expression '${expression}' resulted in error: no such overload`);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      errors.push(`expression '${expression}' resulted in error: ${error.message}`);
    }
  }
  if (errors.length === 0) return {matches: true};
  return {error: errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`};
}

export function conditionErrors(conditions: readonly JsonObject[], path: string): FieldError[] {
  const names = new Set<string>();
  return conditions.flatMap((condition, i) => {
    const field = `${path}[${i}]`;
    const errors = expressionErrors(stringAt(condition, 'expression'), `${field}.expression`);
    const name = stringAt(condition, 'name');
    if (name === '') errors.push(required(`${field}.name`));
    else if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    else
      for (const text of qualifiedNameProblems(name)) errors.push(invalidValue(`${field}.name`, name, text));
    names.add(name);
    return errors;
  });
}

function expressionErrors(expression: string, field: string): FieldError[] {
  if (expression.trim() === '') return [required(field)];
  try {
    const {type} = compile(expression);
    if (type === BOOL || isDyn(type)) return [];
    return [invalidValue(field, expression, `must evaluate to bool but got ${printType(type)}`)];
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return [invalidValue(field, expression, `${error.step} failed: ${error.message}`)];
  }
}

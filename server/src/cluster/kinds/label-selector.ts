// Validates and matches the LabelSelector inside objects.
import {
  matchesLabelMap,
  matchesSelector,
  type SelectorObject,
} from '@krtscope/shared/labels/label-selector.ts';
import {labelErrors} from '../object/metadata-rules.ts';
import {labelValueProblems, qualifiedNameProblems} from '../object/name-rules.ts';
import {isObject, listAt, mapAt} from '../object/stored-object.ts';
import {forbiddenField, invalidValue, required} from '../wire/responses/invalid-errors.ts';
import type {FieldError} from './kind-rules.ts';

interface ObjectSelectorExpression {
  key: string;
  operator: string;
  values?: string[];
}

export function labelSelectorErrors(selector: unknown, path: string): FieldError[] {
  if (!isObject(selector)) return [];
  const errors = labelErrors(mapAt(selector, 'matchLabels'), `${path}.matchLabels`);
  (listAt(selector, 'matchExpressions') as ObjectSelectorExpression[]).forEach((expression, i) => {
    const field = `${path}.matchExpressions[${i}]`;
    const values = expression.values ?? [];
    switch (expression.operator) {
      case 'In':
      case 'NotIn':
        if (values.length === 0)
          errors.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
        break;
      case 'Exists':
      case 'DoesNotExist':
        if (values.length > 0)
          errors.push(
            forbiddenField(
              `${field}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          );
        break;
      default:
        errors.push(invalidValue(`${field}.operator`, expression.operator, 'not a valid selector operator'));
    }
    for (const text of qualifiedNameProblems(expression.key))
      errors.push(invalidValue(`${field}.key`, expression.key, text));
    values.forEach((value, j) => {
      for (const text of labelValueProblems(value))
        errors.push(invalidValue(`${field}.values[${j}]`, value, text));
    });
  });
  return errors;
}

export function isEmptySelector(selector: unknown): boolean {
  return (
    Object.keys(mapAt(selector, 'matchLabels')).length === 0 &&
    listAt(selector, 'matchExpressions').length === 0
  );
}

/** An empty selector matches everything, an absent one nothing. */
export function selectorMatches(selector: unknown, labels: Record<string, string> | undefined): boolean {
  return isObject(selector) && matchesSelector(selector as SelectorObject, labels);
}

/** Matches a Service's plain selector. An empty one selects nothing. */
export function labelMapMatches(selector: unknown, labels: Record<string, string> | undefined): boolean {
  const wanted = mapAt(selector);
  return Object.keys(wanted).length > 0 && matchesLabelMap(wanted, labels);
}

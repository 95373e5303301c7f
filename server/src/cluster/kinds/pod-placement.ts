// The rules about where a Pod may run: node selectors, tolerations, node affinity.
import {labelErrors} from '../object/metadata-rules.ts';
import {at, isObject, type JsonObject, listAt, mapAt, stringAt} from '../object/stored-object.ts';
import {invalidValue, notSupported, required} from '../wire/responses/invalid-errors.ts';
import type {FieldError} from './kind-rules.ts';

const EFFECTS = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];

export function placementErrors(spec: JsonObject, path: string): FieldError[] {
  const errors = labelErrors(mapAt(spec, 'nodeSelector'), `${path}.nodeSelector`);
  errors.push(...securityErrors(spec, path));
  const terms = at(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  if (isObject(terms) && listAt(terms, 'nodeSelectorTerms').length === 0) {
    const field = `${path}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
    errors.push(required(field, 'must have at least one node selector term'));
  }
  listAt(spec, 'tolerations').forEach((toleration, i) => {
    errors.push(...tolerationErrors(toleration, `${path}.tolerations[${i}]`));
  });
  return errors;
}

function tolerationErrors(toleration: unknown, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const operator = stringAt(toleration, 'operator');
  if (stringAt(toleration, 'key') === '' && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalidValue(`${field}.operator`, operator, why));
  }
  if (at(toleration, 'tolerationSeconds') !== undefined && stringAt(toleration, 'effect') !== 'NoExecute') {
    errors.push(
      invalidValue(
        `${field}.effect`,
        stringAt(toleration, 'effect'),
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      ),
    );
  }
  if (operator === 'Exists' && stringAt(toleration, 'value') !== '') {
    errors.push(
      invalidValue(`${field}.operator`, toleration, "value must be empty when `operator` is 'Exists'"),
    );
  }
  if (operator !== '' && !['Equal', 'Exists'].includes(operator))
    errors.push(notSupported(`${field}.operator`, operator, ['Equal', 'Exists']));
  const effect = stringAt(toleration, 'effect');
  if (effect !== '' && !EFFECTS.includes(effect))
    errors.push(notSupported(`${field}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']));
  return errors;
}

function securityErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['runAsUser', 'runAsGroup', 'fsGroup']) {
    const id = at(spec, 'securityContext', field);
    if (typeof id === 'number' && (id < 0 || id > 2147483647)) {
      errors.push(
        invalidValue(`${path}.securityContext.${field}`, id, 'must be between 0 and 2147483647, inclusive'),
      );
    }
  }
  return errors;
}

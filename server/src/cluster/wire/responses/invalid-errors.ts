// Builds the 422 response: broken rules as one message and as causes.

import type {FieldError} from '../../kinds/kind-rules.ts';
import type {ServedResource} from '../../kinds/served-resource.ts';
import {quote, StatusError} from './status-error.ts';

/** "Deployment.apps "x" is invalid: [a, b]", with one cause per rule and without duplicates. */
export function invalid(
  resource: ServedResource,
  name: string | undefined,
  errors: FieldError[],
): StatusError {
  const texts = [...new Set(errors.map(e => `${e.field}: ${e.message}`))];
  const kind = resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`;
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const details = {
    ...(name && {name}),
    ...(resource.group !== '' && {group: resource.group}),
    ...(resource.kind !== '' && {kind: resource.kind}),
    causes: errors.map(e => ({reason: e.reason, message: e.message, field: e.field})),
  };
  return new StatusError(422, 'Invalid', `${kind} ${quote(name ?? '')} is invalid: ${list}`, details);
}

export function required(field: string, why = ''): FieldError {
  return {
    reason: 'FieldValueRequired',
    field,
    message: why === '' ? 'Required value' : `Required value: ${why}`,
  };
}

export function invalidValue(field: string, value: unknown, why: string): FieldError {
  return {reason: 'FieldValueInvalid', field, message: `Invalid value: ${goValue(value)}: ${why}`};
}

export function notSupported(field: string, value: unknown, supported: string[]): FieldError {
  const list = supported.map(quote).join(', ');
  const message = `Unsupported value: ${goValue(value)}: supported values: ${list}`;
  return {reason: 'FieldValueNotSupported', field, message};
}

export function forbiddenField(field: string, why: string): FieldError {
  return {reason: 'FieldValueForbidden', field, message: `Forbidden: ${why}`};
}

export function duplicate(field: string, value: unknown): FieldError {
  return {reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${goValue(value)}`};
}

export function notFoundValue(field: string, value: unknown): FieldError {
  return {reason: 'FieldValueNotFound', field, message: `Not found: ${goValue(value)}`};
}

export function tooLong(field: string, most: number): FieldError {
  return {reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${most} bytes`};
}

/** A bad value as field errors print it: strings quoted, others as JSON. */
export function goValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  return JSON.stringify(value);
}

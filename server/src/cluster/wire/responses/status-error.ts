// Kubernetes Status errors, with the reason, code and causes that clients read.
import type {StatusDetails} from '../../../kube/object.ts';
import type {JsonObject} from '../../object/stored-object.ts';

/** The resource of an error, as in the Status details. */
export interface StatusSubject {
  group: string;
  resource: string;
}

/** An error that clients receive as a Status. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** The metadata of the Status, such as a new continue token after a 410. */
  listMetadata: JsonObject = {};

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  body(): JsonObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.listMetadata,
      status: 'Failure',
      message: this.message,
      ...(this.reason !== '' && {reason: this.reason}),
      ...(this.details && {details: this.details}),
      code: this.code,
    };
  }
}

function details(subject: StatusSubject, name: string, more: StatusDetails = {}): StatusDetails {
  return {
    ...(name !== '' && {name}),
    ...(subject.group !== '' && {group: subject.group}),
    kind: subject.resource,
    ...more,
  };
}

/** "deployments.apps", as Go prints a group resource. */
export function qualified(subject: StatusSubject): string {
  return subject.group === '' ? subject.resource : `${subject.resource}.${subject.group}`;
}

export function notFound(subject: StatusSubject, name: string): StatusError {
  return new StatusError(
    404,
    'NotFound',
    `${qualified(subject)} ${quote(name)} not found`,
    details(subject, name),
  );
}

/** The error for a path without a route. */
export function noSuchPath(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(subject: StatusSubject, name: string): StatusError {
  const message = `${qualified(subject)} ${quote(name)} already exists`;
  return new StatusError(409, 'AlreadyExists', message, details(subject, name));
}

export function conflict(subject: StatusSubject, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(subject)} ${quote(name)}: ${why}`;
  return new StatusError(409, 'Conflict', message, details(subject, name));
}

export const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function forbidden(subject: StatusSubject, name: string, why: string): StatusError {
  const text =
    name === ''
      ? `${qualified(subject)} is forbidden: ${why}`
      : `${qualified(subject)} ${quote(name)} is forbidden: ${why}`;
  return new StatusError(403, 'Forbidden', text, details(subject, name));
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

export function unsupportedMediaType(message: string): StatusError {
  return new StatusError(415, 'UnsupportedMediaType', message);
}

export function notImplemented(message: string): StatusError {
  return new StatusError(501, 'NotImplemented', message);
}

/** Go's %q for the strings that appear in names. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

// Query parameters of list, watch, write and delete requests, with the real server's errors.

import type {FieldError} from '../../kinds/kind-rules.ts';
import type {ListQuery} from '../../verbs/read.ts';
import type {WatchQuery} from '../../verbs/watch.ts';
import {badRequest, StatusError} from '../responses/status-error.ts';

/** A 422 for the options of a request. */
export function invalidOptions(kind: string, ...errors: FieldError[]): StatusError {
  const texts = errors.map(e => `${e.field}: ${e.message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const [name, group] = [kind.split('.')[0]!, kind.split('.').slice(1).join('.')];
  return new StatusError(422, 'Invalid', `${kind} "" is invalid: ${list}`, {
    ...(group !== '' && {group}),
    kind: name,
    causes: errors.map(e => ({reason: e.reason, message: e.message, field: e.field})),
  });
}

export function booleanParameter(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text === 'true' || text === '1' || text === '';
}

function integerParameter(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return 0;
  if (!/^-?\d+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

export function parseListQuery(query: URLSearchParams): ListQuery {
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    limit: integerParameter(query, 'limit'),
    continue: query.get('continue') ?? '',
    sendInitialEvents: query.has('sendInitialEvents') && booleanParameter(query, 'sendInitialEvents'),
  };
}

export function parseWatchQuery(query: URLSearchParams): WatchQuery {
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    allowWatchBookmarks: booleanParameter(query, 'allowWatchBookmarks') && query.has('allowWatchBookmarks'),
    sendInitialEvents: query.has('sendInitialEvents')
      ? booleanParameter(query, 'sendInitialEvents')
      : undefined,
    timeoutSeconds: integerParameter(query, 'timeoutSeconds'),
    continue: query.get('continue') ?? '',
  };
}

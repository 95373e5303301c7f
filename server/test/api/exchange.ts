// One request and its response, masked so that two servers can be compared: names of namespaces, uids,
// versions, times and addresses differ by chance.

import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {ApiError} from '../../src/kube/error.ts';
import {isRecord} from '../../src/kube/object.ts';
import type {RequestOptions} from '../../src/kube/transport/transport.ts';

export interface ExchangeResult {
  code: number;
  body: unknown;
  warnings: string[];
}

/** Sends a request. An error is a response, too. */
export async function exchange(client: DynamicClient, request: RequestOptions): Promise<ExchangeResult> {
  try {
    const {code, body, warnings} = await client.transport.request({retries: 0, ...request});
    return {code, body, warnings};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {code: error.code, body: error.status ?? error.message, warnings: []};
  }
}

/**
 * The essence of a response, such as `422 Invalid FieldValueRequired@spec.selector` or `201`. Causes are
 * sorted, because real servers return those of a schema in random order.
 */
export function summarize({code, body, warnings}: ExchangeResult): string {
  const parts = [String(code)];
  if (isRecord(body) && body.kind === 'Status' && typeof body.reason === 'string') {
    parts.push(body.reason);
    const {causes = []} = (body.details ?? {}) as {causes?: {reason?: string; field?: string}[]};
    parts.push(...causes.map(cause => `${cause.reason ?? ''}@${cause.field ?? ''}`).sort());
  }
  if (warnings.length) parts.push(`warnings:${warnings.length}`);
  return parts.join(' ');
}

const masks: [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/in record \(\d+\)/g, 'in record (<version>)'],
  [/\b10\.\d+\.\d+\.\d+\b/g, '<address>'],
];

/** The response without values that differ between runs. The order of keys does not count. */
export function maskValue(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return maskText(value, names);
  if (Array.isArray(value)) return value.map(item => maskValue(item, names));
  if (!isRecord(value)) return value;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const name = maskText(key, names);
    if (key === 'resourceVersion' || key === 'continue') result[name] = `<${key}>`;
    else if (key === 'managedFields') result[name] = maskValue(sortFields(value[key]), names);
    else result[name] = maskValue(value[key], names);
  }
  return result;
}

/** Sorts managers, because servers order them by the second of their write. */
function sortFields(fields: unknown): unknown {
  if (!Array.isArray(fields)) return fields;
  const id = (entry: {manager?: string; operation?: string; subresource?: string}) =>
    [entry.manager, entry.operation, entry.subresource].join();
  return fields.toSorted((a, b) => (id(a) < id(b) ? -1 : 1));
}

function maskText(text: string, names: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [name, mask] of names) result = result.replaceAll(name, mask);
  for (const [pattern, mask] of masks) result = result.replace(pattern, mask);
  return result;
}

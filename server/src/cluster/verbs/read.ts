// Get and list, with Kubernetes' semantics of resourceVersion, limit and continue.
import type {Api} from '../api.ts';
import type {FieldError} from '../kinds/kind-rules.ts';
import {groupVersion, type ServedResource} from '../kinds/served-resource.ts';
import {convertToVersion} from '../kinds/version-conversion.ts';
import {parseJson} from '../object/parse-json.ts';
import type {StoredObject} from '../object/stored-object.ts';
import {invalidOptions} from '../wire/requests/query-options.ts';
import {compileSelectors} from '../wire/requests/selector.ts';
import {forbiddenField, notSupported} from '../wire/responses/invalid-errors.ts';
import {badRequest, expired, notFound, StatusError} from '../wire/responses/status-error.ts';

export function getObject(api: Api, resource: ServedResource, namespace: string, name: string): StoredObject {
  const found = api.find(resource, namespace, name);
  if (!found) throw notFound(resource, name);
  return convertToVersion(resource, found);
}

export interface ListQuery {
  labelSelector: string;
  fieldSelector: string;
  resourceVersion: string;
  resourceVersionMatch: string;
  limit: number;
  continue: string;
  sendInitialEvents: boolean;
}

export interface ListAnswer {
  items: StoredObject[];
  metadata: {resourceVersion: string; continue?: string; remainingItemCount?: number};
}

interface Page {
  revision: number;
  after: string;
}

export async function listObjects(
  api: Api,
  resource: ServedResource,
  namespace: string,
  query: ListQuery,
): Promise<ListAnswer> {
  const match = compileSelectors(resource, query.labelSelector, query.fieldSelector);
  checkListQuery(query);
  const page = await pageOf(api, resource, query);
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const limit = query.limit > 0 ? query.limit : Number.POSITIVE_INFINITY;
  const stored = () => api.resourceStore(resource).snapshot(page.revision, prefix, page.after);
  const {conversion} = resource.custom ?? {};
  if (conversion)
    conversion.need(
      Array.from(stored(), ([, object]) => object),
      groupVersion(resource),
    );
  const items: StoredObject[] = [];
  let last = '';
  let remaining = 0;
  for (const [key, object] of stored()) {
    const converted = convertToVersion(resource, object);
    if (match && !match(converted)) continue;
    if (items.length < limit) {
      items.push(converted);
      last = key;
      continue;
    }
    remaining++;
    // With a selector the remaining count is optional, and counting would read all objects.
    if (match) break;
  }
  const metadata: ListAnswer['metadata'] = {resourceVersion: String(page.revision)};
  if (remaining > 0) {
    metadata.continue = encodeContinue(page.revision, last);
    if (!match) metadata.remainingItemCount = remaining;
  }
  return {items, metadata};
}

function checkListQuery(query: ListQuery): void {
  const {resourceVersion, resourceVersionMatch: how} = query;
  const errors: FieldError[] = [];
  const forbid = (why: string) => errors.push(forbiddenField('resourceVersionMatch', why));
  if (how !== '') {
    if (resourceVersion === '')
      forbid('resourceVersionMatch is forbidden unless resourceVersion is provided');
    if (query.continue !== '') forbid('resourceVersionMatch is forbidden for continue');
    if (how !== 'Exact' && how !== 'NotOlderThan')
      errors.push(notSupported('resourceVersionMatch', how, ['Exact', 'NotOlderThan', '']));
    if (how === 'Exact' && resourceVersion === '0')
      forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (query.sendInitialEvents)
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  if (errors.length > 0) throw invalidOptions('ListOptions.meta.k8s.io', ...errors);
  if (query.continue !== '' && resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
}

async function pageOf(api: Api, resource: ServedResource, query: ListQuery): Promise<Page> {
  if (query.continue !== '') return pageAfterToken(api, resource, query.continue);
  const current = api.storage.revision;
  if (query.resourceVersion === '' || query.resourceVersion === '0') return {revision: current, after: ''};
  const wanted = parseRevision(query.resourceVersion, why => badRequest(`invalid resource version: ${why}`));
  if (query.resourceVersionMatch === 'Exact') {
    if (wanted > current) throw tooLarge(wanted, current);
    if (wanted < api.resourceStore(resource).forgotten) {
      throw expired(`The resourceVersion for the provided list is too old.`);
    }
    return {revision: wanted, after: ''};
  }
  await waitFor(api, wanted);
  return {revision: api.storage.revision, after: ''};
}

/** Waits for a future revision as the real server does, then refuses. */
export async function waitFor(api: Api, revision: number): Promise<void> {
  if (!(await api.storage.waitForRevision(revision, 3000))) throw tooLarge(revision, api.storage.revision);
}

export function tooLarge(wanted: number, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
  return new StatusError(504, 'Timeout', message, {
    causes: [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}],
    retryAfterSeconds: 1,
  });
}

/** Parses a resourceVersion. The verb decides the error. */
export function parseRevision(text: string, refuse: (why: string) => StatusError): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw refuse(
    `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

function encodeContinue(revision: number, last: string): string {
  const token = {v: 'meta.k8s.io/v1', rv: revision, start: `${last}\u0000`};
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function pageAfterToken(api: Api, resource: ServedResource, token: string): Page {
  const refuse = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  let parsed: {v?: unknown; rv?: unknown; start?: unknown};
  try {
    parsed = parseJson(Buffer.from(token, 'base64url').toString('latin1')).value as typeof parsed;
  } catch (error) {
    throw refuse((error as Error).message);
  }
  if (parsed?.v !== 'meta.k8s.io/v1')
    throw refuse(`server does not recognize this encoded version ${JSON.stringify(parsed?.v ?? '')}`);
  if (typeof parsed.start !== 'string' || typeof parsed.rv !== 'number' || parsed.rv === 0) {
    throw refuse('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  const after = parsed.start.endsWith('\0') ? parsed.start.slice(0, -1) : parsed.start;
  // A token from a 410 continues with the current objects.
  if (parsed.rv < 0) return {revision: api.storage.revision, after};
  if (parsed.rv < api.resourceStore(resource).forgotten) throw expiredToken(after);
  return {revision: parsed.rv, after};
}

function expiredToken(after: string): StatusError {
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
  const error = expired(message);
  error.listMetadata = {continue: encodeContinue(-1, after)};
  return error;
}

// Delete and deletecollection over HTTP, with options from the query and the body.
import {admissionClient} from '../../admission/admission-request.ts';
import {withPendingCalls} from '../../admission/pending-call.ts';
import type {Api} from '../../api.ts';
import {isObject, type JsonObject} from '../../object/stored-object.ts';
import {type DeleteRequestOptions, deleteObject} from '../../verbs/delete.ts';
import {listObjects} from '../../verbs/read.ts';
import type {WriteContext} from '../../verbs/write.ts';
import {parseBody} from '../body/decode-body.ts';
import {readBody} from '../body/request-body.ts';
import type {Exchange} from '../exchange.ts';
import {invalidValue, notSupported} from '../responses/invalid-errors.ts';
import {ResponseShaper} from '../responses/response-shape.ts';
import {badRequest, StatusError} from '../responses/status-error.ts';
import type {RequestTarget} from '../route.ts';
import {invalidOptions, parseListQuery} from './query-options.ts';
import {dryRunErrors} from './write-options.ts';

async function parseDeleteOptions(
  exchange: Exchange,
): Promise<{options: DeleteRequestOptions; dryRun: boolean}> {
  const bytes = await readBody(exchange.request);
  const body = bytes.length === 0 ? {} : bodyOf(bytes, exchange.contentType);
  if (body !== null && !isObject(body))
    throw badRequest('the object provided is unrecognized (must be of type DeleteOptions)');
  const given = (body ?? {}) as JsonObject;
  if (given.kind !== undefined && given.kind !== 'DeleteOptions' && given.kind !== '') {
    const version = typeof given.apiVersion === 'string' ? given.apiVersion : '';
    throw badRequest(
      `no kind ${JSON.stringify(given.kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const {query} = exchange;
  const options: DeleteRequestOptions = {};
  const grace = bytes.length === 0 ? query.get('gracePeriodSeconds') : given.gracePeriodSeconds;
  if (grace !== undefined && grace !== null && grace !== '') {
    if (!/^-?\d+$/.test(String(grace)))
      throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(grace)}: invalid syntax`);
    options.gracePeriodSeconds = Number(grace);
  }
  const policy = bytes.length === 0 ? query.get('propagationPolicy') : given.propagationPolicy;
  if (typeof policy === 'string' && policy !== '') options.propagationPolicy = policy;
  const orphan = bytes.length === 0 ? query.get('orphanDependents') : given.orphanDependents;
  if (orphan !== undefined && orphan !== null && orphan !== '')
    options.orphanDependents = orphan === true || orphan === 'true';
  if (isObject(given.preconditions))
    options.preconditions = given.preconditions as {uid?: string; resourceVersion?: string};
  const dryRun = Array.isArray(given.dryRun) ? (given.dryRun as string[]) : query.getAll('dryRun');
  check(options, dryRun);
  return {options, dryRun: dryRun.includes('All')};
}

/** Another decoder reads the options; its errors do not name the type. */
function bodyOf(bytes: Buffer, contentType: string): unknown {
  try {
    return parseBody(bytes, contentType, 'DeleteOptions').value;
  } catch (error) {
    const why =
      error instanceof StatusError
        ? /^the object provided is unrecognized \(must be of type DeleteOptions\): (.*) \([^(]*\)$/s.exec(
            error.message,
          )?.[1]
        : undefined;
    throw why === undefined ? error : badRequest(why);
  }
}

function check(options: DeleteRequestOptions, dryRun: string[]): void {
  const errors = dryRunErrors(dryRun);
  const {propagationPolicy: policy, orphanDependents} = options;
  if (policy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalidValue(
        'propagationPolicy',
        policy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  } else if (policy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(policy)) {
    errors.push(notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  if (errors.length > 0) throw invalidOptions('DeleteOptions.meta.k8s.io', ...errors);
}

function writeOf(
  api: Api,
  target: RequestTarget,
  exchange: Exchange,
  {options, dryRun}: {options: DeleteRequestOptions; dryRun: boolean},
  namespace = target.namespace,
): WriteContext {
  return {
    api,
    resource: target.resource,
    namespace,
    subresource: '',
    manager: exchange.manager,
    dryRun,
    warnings: exchange.warnings,
    ...admissionClient(exchange, options),
  };
}

export async function answerDelete(api: Api, target: RequestTarget, exchange: Exchange): Promise<void> {
  const given = await parseDeleteOptions(exchange);
  const {resource} = target;
  const shaper = new ResponseShaper(api, resource, exchange);
  const {object, gone} = deleteObject(writeOf(api, target, exchange, given), target.name, given.options);
  const plain = gone && !resource.rules.returnsDeleted;
  const {name, uid} = object.metadata;
  const details = {name, ...(resource.group !== '' && {group: resource.group}), kind: resource.resource, uid};
  const status = {kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details};
  const body = plain ? status : shaper.one(object);
  exchange.text(200, shaper.encode(body, exchange.pretty), plain ? 'application/json' : shaper.contentType);
}

export async function answerDeleteCollection(
  api: Api,
  target: RequestTarget,
  exchange: Exchange,
): Promise<void> {
  const given = await parseDeleteOptions(exchange);
  const {resource} = target;
  const shaper = new ResponseShaper(api, resource, exchange);
  const answer = await listObjects(api, resource, target.namespace, parseListQuery(exchange.query));
  for (const item of answer.items) {
    const write = writeOf(api, target, exchange, given, item.metadata.namespace ?? '');
    // Each object waits for its own webhooks, so that none is deleted twice.
    await withPendingCalls(() => {
      if (api.find(resource, write.namespace, item.metadata.name))
        deleteObject(write, item.metadata.name, given.options);
    });
  }
  exchange.text(200, shaper.encode(shaper.list(answer), exchange.pretty), shaper.contentType);
}

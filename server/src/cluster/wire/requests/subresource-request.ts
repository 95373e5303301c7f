// Subresources other than status: scale, finalize, binding, eviction. Refuses those that need real nodes.
import type {Api} from '../../api.ts';
import {at, type JsonObject, mapAt, type StoredObject} from '../../object/stored-object.ts';
import type {DeleteRequestOptions} from '../../verbs/delete.ts';
import {evictPod} from '../../verbs/evict.ts';
import {updateObject, type WriteContext} from '../../verbs/write.ts';
import {decodeBody, parseBody} from '../body/decode-body.ts';
import {parsePatch, patchObject} from '../body/patch-body.ts';
import {readBody} from '../body/request-body.ts';
import type {Exchange} from '../exchange.ts';
import {ResponseShaper} from '../responses/response-shape.ts';
import {notFound, notImplemented} from '../responses/status-error.ts';
import type {RequestTarget} from '../route.ts';
import {answerScale} from './scale-request.ts';
import {parseWriteOptions} from './write-options.ts';
import {checkName} from './write-request.ts';

const NO_MACHINES = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

export async function answerSubresource(
  api: Api,
  target: RequestTarget,
  verb: string,
  exchange: Exchange,
): Promise<void> {
  const {subresource, resource} = target;
  if (NO_MACHINES.has(subresource)) {
    if (!api.find(resource, target.namespace, target.name)) throw notFound(resource, target.name);
    const named = `${resource.resource}/${subresource}`;
    throw notImplemented(
      `${named} is not served: the Pods of the embedded cluster are simulated, no process runs in them`,
    );
  }
  if (subresource === 'scale') return answerScale(api, target, verb, exchange);
  const options = parseWriteOptions(
    exchange,
    verb === 'create' ? 'CreateOptions' : verb === 'patch' ? 'PatchOptions' : 'UpdateOptions',
  );
  const write: WriteContext = {
    api,
    resource,
    namespace: target.namespace,
    subresource,
    manager: options.manager,
    dryRun: options.dryRun,
    warnings: exchange.warnings,
  };
  const shaper = new ResponseShaper(api, resource, exchange);
  const send = (code: number, body: JsonObject) =>
    exchange.text(code, shaper.encode(body, exchange.pretty), shaper.contentType);
  if (verb === 'get') {
    const found = api.find(resource, target.namespace, target.name);
    if (!found) throw notFound(resource, target.name);
    return send(200, found as JsonObject);
  }
  const bytes = await readBody(exchange.request);
  if (subresource === 'binding') return send(201, bind(write, target, bytes, exchange));
  if (subresource === 'eviction') return send(201, evict(write, target, bytes, exchange));
  const change = (current: StoredObject): StoredObject => {
    if (verb === 'patch') {
      const patch = parsePatch(resource, exchange.contentType, bytes);
      return patchObject(resource, current, patch, options.validation, exchange.warnings);
    }
    const raw = parseBody(bytes, exchange.contentType, resource.kind);
    return decodeBody(api, resource, raw, bytes, options.validation, exchange.warnings);
  };
  const object = updateObject(write, target.name, current => {
    const body = change(current);
    checkName(body, target.name);
    return allowedPart(subresource, current, body);
  });
  send(200, object as JsonObject);
}

/** The one part of the object that the subresource may change. */
function allowedPart(subresource: string, current: StoredObject, body: StoredObject): StoredObject {
  if (subresource === 'finalize' || subresource === 'resize' || subresource === 'ephemeralcontainers') {
    return {
      ...current,
      spec: body.spec,
      metadata: {
        ...current.metadata,
        ...(body.metadata.resourceVersion && {resourceVersion: body.metadata.resourceVersion}),
      },
    };
  }
  return body;
}

function bind(write: WriteContext, target: RequestTarget, bytes: Buffer, exchange: Exchange): JsonObject {
  const body = parseBody(bytes, exchange.contentType, 'Binding').value as JsonObject;
  const node = mapAt(body, 'target').name ?? '';
  updateObject(write, target.name, current => ({
    ...current,
    spec: {...(current.spec as JsonObject), nodeName: node},
  }));
  return success();
}

function evict(write: WriteContext, target: RequestTarget, bytes: Buffer, exchange: Exchange): JsonObject {
  const body = bytes.length > 0 ? parseBody(bytes, exchange.contentType, 'Eviction').value : {};
  evictPod(write, target.name, (at(body, 'deleteOptions') ?? {}) as DeleteRequestOptions);
  return success();
}

function success(): JsonObject {
  return {kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201};
}

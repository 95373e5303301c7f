// Subresources other than status: scale, finalize, binding, eviction, and those a cluster without machines
// cannot serve.
import type {Api} from '../api.ts';
import {at, type JsonObject, type KubeObject, mapAt} from '../object/types.ts';
import {evictPod} from '../verbs/evict.ts';
import type {DeleteOptions} from '../verbs/remove.ts';
import {updateObject, type Write} from '../verbs/write.ts';
import {readBody} from './body.ts';
import {decodeBody, parseBody} from './decode-body.ts';
import type {Exchange} from './exchange.ts';
import {parsePatch, patched} from './patch-body.ts';
import type {Target} from './route.ts';
import {answerScale} from './scale.ts';
import {Shaper} from './shape.ts';
import {notFound, notImplemented} from './status.ts';
import {writeOptions} from './write-options.ts';
import {checkName} from './write-request.ts';

const NO_MACHINES = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

export async function answerSubresource(
  api: Api,
  target: Target,
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
  const options = writeOptions(
    exchange,
    verb === 'create' ? 'CreateOptions' : verb === 'patch' ? 'PatchOptions' : 'UpdateOptions',
  );
  const write: Write = {
    api,
    resource,
    namespace: target.namespace,
    subresource,
    manager: options.manager,
    dryRun: options.dryRun,
    warnings: exchange.warnings,
  };
  const shaper = new Shaper(api, resource, exchange);
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
  const change = (current: KubeObject): KubeObject => {
    if (verb === 'patch') {
      const patch = parsePatch(resource, exchange.contentType, bytes);
      return patched(resource, current, patch, options.validation, exchange.warnings);
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

/** Each of these subresources may change one part of the object and nothing else. */
function allowedPart(subresource: string, current: KubeObject, body: KubeObject): KubeObject {
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

function bind(write: Write, target: Target, bytes: Buffer, exchange: Exchange): JsonObject {
  const body = parseBody(bytes, exchange.contentType, 'Binding').value as JsonObject;
  const node = mapAt(body, 'target').name ?? '';
  updateObject(write, target.name, current => ({
    ...current,
    spec: {...(current.spec as JsonObject), nodeName: node},
  }));
  return success();
}

function evict(write: Write, target: Target, bytes: Buffer, exchange: Exchange): JsonObject {
  const body = bytes.length > 0 ? parseBody(bytes, exchange.contentType, 'Eviction').value : {};
  evictPod(write, target.name, (at(body, 'deleteOptions') ?? {}) as DeleteOptions);
  return success();
}

function success(): JsonObject {
  return {kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201};
}

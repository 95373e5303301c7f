// The scale subresource: replicas and selector of a larger object.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {expressionText, type SelectorObject} from '@krtscope/shared/labels/label-selector.ts';
import type {Api} from '../../api.ts';
import type {ServedResource} from '../../kinds/served-resource.ts';
import {convertToVersion} from '../../kinds/version-conversion.ts';
import {parseJson} from '../../object/parse-json.ts';
import {
  at,
  isObject,
  type JsonObject,
  mapAt,
  numberAt,
  type StoredObject,
} from '../../object/stored-object.ts';
import {jsonPatch} from '../../patch/json-patch.ts';
import {mergePatch} from '../../patch/merge-patch.ts';
import {updateObject, type WriteContext} from '../../verbs/write.ts';
import {parseBody} from '../body/decode-body.ts';
import {readBody} from '../body/request-body.ts';
import type {Exchange} from '../exchange.ts';
import {invalidValue} from '../responses/invalid-errors.ts';
import {badRequest, conflict, MODIFIED, notFound, StatusError} from '../responses/status-error.ts';
import type {RequestTarget} from '../route.ts';
import {parseWriteOptions} from './write-options.ts';

interface ScaleFieldPaths {
  spec: string[];
  status: string[];
  selector: string[];
}

function pathsOf(resource: ServedResource): ScaleFieldPaths {
  const own = resource.custom?.scale;
  const split = (path: string) => path.split('.').filter(step => step !== '');
  if (own) {
    return {
      spec: split(own.specReplicasPath),
      status: split(own.statusReplicasPath),
      selector: split(own.labelSelectorPath ?? ''),
    };
  }
  return {spec: ['spec', 'replicas'], status: ['status', 'replicas'], selector: ['spec', 'selector']};
}

function scaleOf(resource: ServedResource, object: StoredObject): JsonObject {
  const paths = pathsOf(resource);
  const {name, namespace, uid, resourceVersion, creationTimestamp} = object.metadata;
  const replicas = numberAt(object, ...paths.spec);
  const selector = selectorText(paths.selector.length === 0 ? undefined : at(object, ...paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {name, ...(namespace && {namespace}), uid, resourceVersion, creationTimestamp},
    spec: replicas === 0 ? {} : {replicas},
    status: {replicas: numberAt(object, ...paths.status), ...(selector !== '' && {selector})},
  };
}

function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (!isObject(selector)) return '';
  const {matchLabels, matchExpressions = []} = selector as SelectorObject;
  const isPlainMap = selector.matchLabels === undefined && selector.matchExpressions === undefined;
  const labels = isPlainMap ? mapAt(selector) : (matchLabels ?? {});
  const parts = [
    ...Object.entries(labels).map(([key, value]) => [key, `${key}=${value}`]),
    ...(matchExpressions ?? []).map(({key = '', operator, values = []}) => [
      key,
      expressionText({key, operator, values: [...values].sort()}),
    ]),
  ];
  return parts
    .sort(([a], [b]) => (a! < b! ? -1 : 1))
    .map(([, text]) => text)
    .join(',');
}

export async function answerScale(
  api: Api,
  target: RequestTarget,
  verb: string,
  exchange: Exchange,
): Promise<void> {
  const {resource, namespace, name} = target;
  const stored = api.find(resource, namespace, name);
  if (!stored) throw notFound(resource, name);
  const current = scaleOf(resource, convertToVersion(resource, stored));
  if (verb === 'get') {
    exchange.json(200, current);
    return;
  }
  const options = parseWriteOptions(exchange, verb === 'patch' ? 'PatchOptions' : 'UpdateOptions');
  const bytes = await readBody(exchange.request);
  const wanted =
    verb === 'patch'
      ? patchScale(current, exchange.contentType, bytes)
      : parseBody(bytes, exchange.contentType, 'Scale').value;
  const replicas = numberAt(wanted, 'spec', 'replicas');
  checkScale(target, wanted, replicas);
  const write: WriteContext = {
    api,
    resource,
    namespace,
    subresource: 'scale',
    manager: options.manager,
    dryRun: options.dryRun,
    warnings: exchange.warnings,
  };
  const given = at(wanted, 'metadata', 'resourceVersion');
  const object = updateObject(write, name, live => {
    if (typeof given === 'string' && given !== '' && given !== live.metadata.resourceVersion)
      throw conflict(resource, name, MODIFIED);
    setAt(live as JsonObject, pathsOf(resource).spec, replicas);
    return live;
  });
  exchange.json(200, scaleOf(resource, object));
}

function patchScale(current: JsonObject, contentType: string, bytes: Buffer): unknown {
  const {value} = parseJson(bytes.toString('utf8'));
  if (contentType.startsWith('application/json-patch+json')) return jsonPatch(deepCopy(current), value);
  return mergePatch(current, value);
}

function checkScale(target: RequestTarget, wanted: unknown, replicas: number): void {
  const given = at(wanted, 'metadata', 'name');
  if (typeof given === 'string' && given !== target.name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${target.name})`);
  }
  if (replicas >= 0) return;
  const error = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
  throw new StatusError(
    422,
    'Invalid',
    `Scale.autoscaling ${JSON.stringify(target.name)} is invalid: ${error.field}: ${error.message}`,
    {
      name: target.name,
      group: 'autoscaling',
      kind: 'Scale',
      causes: [{reason: error.reason, message: error.message, field: error.field}],
    },
  );
}

function setAt(object: JsonObject, path: string[], value: unknown): void {
  let here = object;
  for (const step of path.slice(0, -1)) {
    const next = here[step];
    if (isObject(next)) here = next;
    else {
      const made: JsonObject = {};
      here[step] = made;
      here = made;
    }
  }
  here[path.at(-1)!] = value;
}

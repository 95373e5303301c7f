// Create, update and patch over HTTP.
import {admissionClient} from '../../admission/admission-request.ts';
import {hasWebhooks} from '../../admission/webhook-match.ts';
import type {Api} from '../../api.ts';
import {applyConfig} from '../../apply/apply.ts';
import type {ServedResource} from '../../kinds/served-resource.ts';
import {convertToVersion} from '../../kinds/version-conversion.ts';
import type {StoredObject} from '../../object/stored-object.ts';
import {createObject, updateObject, type WriteContext} from '../../verbs/write.ts';
import {decodeBody, parseBody} from '../body/decode-body.ts';
import {applyBody, isMetadataOnly, parsePatch, patchMetadata, patchObject} from '../body/patch-body.ts';
import {readBody} from '../body/request-body.ts';
import type {Exchange} from '../exchange.ts';
import type {RbacAccess, User} from '../rbac-access.ts';
import {ResponseShaper} from '../responses/response-shape.ts';
import {badRequest, notFound, unsupportedMediaType} from '../responses/status-error.ts';
import type {RequestTarget} from '../route.ts';
import {answerReview} from './access-review.ts';
import {parseWriteOptions, type WriteRequestOptions} from './write-options.ts';

function writeOf(
  api: Api,
  target: RequestTarget,
  exchange: Exchange,
  options: WriteRequestOptions,
): WriteContext {
  return {
    api,
    resource: target.resource,
    namespace: target.namespace,
    subresource: target.subresource,
    manager: options.manager,
    dryRun: options.dryRun,
    warnings: exchange.warnings,
    ...admissionClient(exchange),
  };
}

function send(
  api: Api,
  resource: ServedResource,
  exchange: Exchange,
  code: number,
  object: StoredObject,
): void {
  const shaper = new ResponseShaper(api, resource, exchange);
  if (resource.custom?.deprecationWarning) exchange.warnings.push(resource.custom.deprecationWarning);
  exchange.text(code, shaper.encode(shaper.one(object), exchange.pretty), shaper.contentType);
}

async function bodyOf(
  api: Api,
  target: RequestTarget,
  exchange: Exchange,
  options: WriteRequestOptions,
): Promise<StoredObject> {
  const bytes = await readBody(exchange.request);
  if (target.subresource === 'status' && exchange.contentType.includes('protobuf')) {
    throw unsupportedMediaType(
      'a status is read as JSON or YAML only: for a Go client set rest.Config.ContentType = "application/json"',
    );
  }
  const raw = parseBody(
    bytes,
    exchange.contentType,
    target.resource.kind,
    target.resource.custom !== undefined,
  );
  return decodeBody(api, target.resource, raw, bytes, options.validation, exchange.warnings);
}

export async function answerCreate(
  api: Api,
  access: RbacAccess,
  user: User,
  target: RequestTarget,
  exchange: Exchange,
): Promise<void> {
  const options = parseWriteOptions(exchange, 'CreateOptions');
  const body = await bodyOf(api, target, exchange, options);
  const reviewed = answerReview(access, user, target, body);
  const object = reviewed ?? createObject(writeOf(api, target, exchange, options), body);
  send(api, target.resource, exchange, 201, object);
}

/** Throws if the user may update the object but not create it. */
type MayCreate = () => void;

export async function answerUpdate(
  api: Api,
  target: RequestTarget,
  exchange: Exchange,
  mayCreate: MayCreate,
): Promise<void> {
  const options = parseWriteOptions(exchange, 'UpdateOptions');
  const body = await bodyOf(api, target, exchange, options);
  checkName(body, target.name);
  const write = writeOf(api, target, exchange, options);
  if (
    target.resource.rules.createOnUpdate &&
    target.subresource === '' &&
    !api.find(target.resource, target.namespace, target.name)
  ) {
    mayCreate();
    send(api, target.resource, exchange, 201, createObject(write, body));
    return;
  }
  send(
    api,
    target.resource,
    exchange,
    200,
    updateObject(write, target.name, () => body, {put: true}),
  );
}

export function checkName(body: StoredObject, name: string): void {
  const given = body.metadata.name ?? '';
  if (given === '')
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

export async function answerPatch(
  api: Api,
  target: RequestTarget,
  exchange: Exchange,
  mayCreate: MayCreate,
): Promise<void> {
  const bytes = await readBody(exchange.request);
  const patch = parsePatch(target.resource, exchange.contentType, bytes);
  const options = parseWriteOptions(exchange, 'PatchOptions', patch.type === 'apply');
  const write = writeOf(api, target, exchange, options);
  if (patch.type === 'apply') {
    const {object, created} = applyPatch(write, target, bytes, options, mayCreate);
    send(api, target.resource, exchange, created ? 201 : 200, object);
    return;
  }
  const metadataOnly =
    target.subresource === '' &&
    target.resource.rules.metadataApart === true &&
    isMetadataOnly(patch) &&
    !hasWebhooks(api);
  const object = updateObject(
    write,
    target.name,
    current => {
      const next = metadataOnly
        ? patchMetadata(current, patch)
        : patchObject(target.resource, current, patch, options.validation, exchange.warnings);
      checkName(next, target.name);
      return next;
    },
    {metadataOnly},
  );
  send(api, target.resource, exchange, 200, object);
}

function applyPatch(
  write: WriteContext,
  target: RequestTarget,
  bytes: Buffer,
  options: WriteRequestOptions,
  mayCreate: MayCreate,
): {object: StoredObject; created: boolean} {
  const {api, resource} = write;
  const config = applyBody(resource, target.name, bytes, options.validation, write.warnings);
  const live = api.find(resource, resource.namespaced ? target.namespace : '', target.name);
  if (!live) {
    if (target.subresource !== '') throw notFound(resource, target.name);
    mayCreate();
    config.metadata.name ??= target.name;
    const object = applyConfig(write, undefined, config, options.force);
    return {object: createObject(write, object, {applied: true}), created: true};
  }
  const current = convertToVersion(resource, live);
  const {resourceVersion, uid} = config.metadata;
  delete config.metadata.resourceVersion;
  const object = applyConfig(write, current, config, options.force);
  object.metadata.resourceVersion = resourceVersion ?? current.metadata.resourceVersion!;
  if (uid) object.metadata.uid = uid;
  return {object: updateObject(write, target.name, () => object, {applied: true}), created: false};
}

// Decodes the body of a write into an object, with the real server's errors.

import {parseYaml, YamlError} from '@krtscope/shared/yaml/parse-yaml.ts';
import type {Api} from '../../api.ts';
import {groupVersion, type ServedResource} from '../../kinds/served-resource.ts';
import {JsonSyntaxError, parseJson} from '../../object/parse-json.ts';
import {isObject, type JsonObject, type StoredObject} from '../../object/stored-object.ts';
import {DecodeError, decode} from '../../schema/decode.ts';
import {decodeCustom} from '../../schema/pruning.ts';
import {invalid, invalidValue} from '../responses/invalid-errors.ts';
import {badRequest, type StatusError, unsupportedMediaType} from '../responses/status-error.ts';
import {ProtobufError, parseProtobuf} from './protobuf.ts';

export type Validation = 'Ignore' | 'Warn' | 'Strict';

interface RawBody {
  value: unknown;
  /** Duplicate keys as warnings print them. */
  doubled: string[];
  yaml: boolean;
}

const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const PROTOBUF =
  'the embedded cluster reads protobuf of the common kinds only: for a Go client set rest.Config.ContentType = "application/json"';

/** Parses a body by its content type. Errors name `kind`. */
export function parseBody(bytes: Buffer, contentType: string, kind: string, customResource = false): RawBody {
  const media = contentType.split(';')[0]!.trim().toLowerCase();
  if (media === 'application/vnd.kubernetes.protobuf')
    return {value: protobufValue(bytes, kind), doubled: [], yaml: false};
  if (media === 'application/yaml') return yamlValue(bytes, kind);
  if (media !== '' && media !== 'application/json') {
    const types = customResource ? 'application/json, application/yaml' : ACCEPTED;
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${types}`,
    );
  }
  const text = bytes.toString('utf8');
  try {
    const {value, doubled} = parseJson(text);
    const words = doubled.map(path => `duplicate field ${JSON.stringify(path)}`);
    return {value, doubled: words, yaml: false};
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw unrecognized(kind, `couldn't get version/kind; json parse error: ${error.message}`, bytes);
  }
}

function protobufValue(bytes: Buffer, kind: string): unknown {
  try {
    return parseProtobuf(bytes);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    if (error.message.startsWith('provided data')) throw unrecognized(kind, error.message, bytes);
    throw unsupportedMediaType(`${error.message}: ${PROTOBUF}`);
  }
}

function yamlValue(bytes: Buffer, kind: string): RawBody {
  try {
    return {...parseYaml(bytes.toString('utf8')), yaml: true};
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw unrecognized(kind, error.message, bytes);
  }
}

function unrecognized(kind: string, why: string, bytes: Buffer): StatusError {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(bytes)})`,
  );
}

function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const more = bytes.length > 30 ? ' ...' : '';
  const head = bytes.subarray(0, 30);
  return (bytes[0] === 0x7b ? head.toString('utf8') : head.toString('hex')) + more;
}

const SHAPE_OF_KIND =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Checks kind and version, decodes by schema, and reports unknown and duplicate fields as requested. */
export function decodeBody(
  api: Api,
  resource: ServedResource,
  raw: RawBody,
  bytes: Buffer,
  validation: Validation,
  warnings: string[],
): StoredObject {
  const value = raw.value ?? {};
  if (!isObject(value) || JSON.isRawJSON(value)) {
    const word = Array.isArray(value)
      ? 'array'
      : typeof value === 'boolean'
        ? 'bool'
        : isObject(value)
          ? 'number'
          : typeof value;
    throw unrecognized(
      resource.kind,
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${word} into Go value of type ${SHAPE_OF_KIND}`,
      bytes,
    );
  }
  for (const field of ['apiVersion', 'kind']) {
    const found = value[field];
    if (found === undefined || found === null || typeof found === 'string') continue;
    const word = Array.isArray(found) ? 'array' : typeof found === 'boolean' ? 'bool' : typeof found;
    throw unrecognized(
      resource.kind,
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${word} into Go struct field .${field} of type string`,
      bytes,
    );
  }
  checkKind(api, resource, value);
  return decodeValue(resource, value, raw, validation, warnings);
}

function decodeValue(
  resource: ServedResource,
  value: JsonObject,
  raw: RawBody,
  validation: Validation,
  warnings: string[],
): StoredObject {
  const gvk = {apiVersion: groupVersion(resource), kind: resource.kind};
  const prefix = `${resource.kind} in version ${JSON.stringify(resource.version)} cannot be handled as a ${resource.kind}: `;
  let decoded: {value: JsonObject; unknown: string[]};
  try {
    decoded = resource.custom ? decodeCustom(resource, value) : decode(value, resource.schema()!);
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(prefix + error.message);
    throw error;
  }
  const unknown = decoded.unknown.map(path => `unknown field ${JSON.stringify(path)}`);
  if (validation === 'Strict' && raw.doubled.length + unknown.length > 0) {
    const doubled =
      raw.yaml && raw.doubled.length > 0
        ? [`yaml: unmarshal errors:\n  ${raw.doubled.join('\n  ')}`]
        : raw.doubled;
    throw badRequest(`${prefix}strict decoding error: ${[...doubled, ...unknown].join(', ')}`);
  }
  if (validation === 'Warn') warnings.push(...raw.doubled, ...unknown);
  const object = {...decoded.value, ...gvk} as unknown as StoredObject;
  object.metadata ??= {} as StoredObject['metadata'];
  return object;
}

/** Decodes the result of a patch. */
export function decodePatched(
  resource: ServedResource,
  value: unknown,
  doubled: string[],
  validation: Validation,
  warnings: string[],
): StoredObject {
  return decodeValue(
    resource,
    isObject(value) ? value : {},
    {value, doubled, yaml: false},
    validation,
    warnings,
  );
}

/** A custom resource must name its kind and version itself. */
function checkCustomKind(resource: ServedResource, value: JsonObject): void {
  const apiVersion = typeof value.apiVersion === 'string' ? value.apiVersion : '';
  if (apiVersion !== groupVersion(resource)) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${groupVersion(resource)})`,
    );
  }
  const kind = typeof value.kind === 'string' ? value.kind : '';
  if (kind === resource.kind) return;
  const name = isObject(value.metadata) && typeof value.metadata.name === 'string' ? value.metadata.name : '';
  throw invalid({...resource, kind}, name, [invalidValue('kind', kind, `must be ${resource.kind}`)]);
}

function checkKind(api: Api, resource: ServedResource, value: JsonObject): void {
  if (resource.custom) {
    checkCustomKind(resource, value);
    return;
  }
  const kind = typeof value.kind === 'string' && value.kind !== '' ? value.kind : resource.kind;
  const apiVersion =
    typeof value.apiVersion === 'string' && value.apiVersion !== ''
      ? value.apiVersion
      : groupVersion(resource);
  const version = apiVersion.split('/').at(-1)!;
  const handled = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${resource.kind}: `;
  if (kind === resource.kind && apiVersion === groupVersion(resource)) return;
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
  const other = api.resources.findKind(group, version, kind);
  if (other && !other.custom) {
    throw badRequest(
      `${handled}converting (${version}.${kind}) to (${internalName(resource)}): unknown conversion`,
    );
  }
  throw badRequest(
    `${handled}no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

/** Go's name of the internal type: core.ConfigMap, apps.Deployment. */
function internalName(resource: ServedResource): string {
  return `${resource.group === '' ? 'core' : resource.group.split('.')[0]}.${resource.kind}`;
}

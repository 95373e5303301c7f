// The four kinds of patch: parses them, applies them and returns their specific errors.

import {parseYaml, YamlError} from '@krtscope/shared/yaml/parse-yaml.ts';
import {groupVersion, type ServedResource} from '../../kinds/served-resource.ts';
import {JsonSyntaxError, parseJson} from '../../object/parse-json.ts';
import {isObject, type JsonObject, type StoredObject} from '../../object/stored-object.ts';
import {jsonPatch, PatchApplyError, PatchFormatError} from '../../patch/json-patch.ts';
import {mergePatch} from '../../patch/merge-patch.ts';
import {StrategicPatchError, strategicMerge} from '../../patch/strategic-merge-patch.ts';
import {DecodeError} from '../../schema/decode.ts';
import type {FieldSchema} from '../../schema/field-schema.ts';
import {badRequest, StatusError, unsupportedMediaType} from '../responses/status-error.ts';
import {decodePatched, type Validation} from './decode-body.ts';

interface PatchBody {
  type: 'json' | 'merge' | 'strategic' | 'apply';
  value: unknown;
  doubled: string[];
}

const TYPES: Record<string, PatchBody['type']> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

export function parsePatch(resource: ServedResource, contentType: string, bytes: Buffer): PatchBody {
  const media = contentType.split(';')[0]!.trim().toLowerCase();
  const type = TYPES[media];
  if (!type || (type === 'strategic' && resource.custom)) {
    if (!resource.custom)
      throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
    const accepted = Object.keys(TYPES).filter(t => TYPES[t] !== 'strategic');
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    );
  }
  if (type === 'apply') return {type, value: undefined, doubled: []};
  try {
    const {value, doubled} = parseJson(bytes.toString('utf8'));
    const expected = type === 'json' ? '[]handlers.jsonPatchOp' : 'map[string]interface {}';
    if (type === 'json' ? !Array.isArray(value) : !isObject(value)) {
      const word = Array.isArray(value) ? 'array' : typeof value;
      const prefix = type === 'strategic' ? '' : 'error decoding patch: ';
      throw badRequest(`${prefix}json: cannot unmarshal ${word} into Go value of type ${expected}`);
    }
    return {
      type,
      value,
      doubled: type === 'json' ? [] : doubled.map(path => `duplicate field ${JSON.stringify(path)}`),
    };
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw badRequest(`${type === 'strategic' ? '' : 'error decoding patch: '}${error.message}`);
    throw error;
  }
}

/** The patched object, decoded as its kind. */
export function patchObject(
  resource: ServedResource,
  current: StoredObject,
  patch: PatchBody,
  validation: Validation,
  warnings: string[],
): StoredObject {
  const schema = resource.schema();
  const next = overlayPatch(current, patch, schema);
  if (
    !resource.custom &&
    isObject(next) &&
    (next.kind !== resource.kind || next.apiVersion !== groupVersion(resource))
  ) {
    const group = resource.group === '' ? 'core' : resource.group.split('.')[0];
    throw invalidPatch(
      shownJson(next),
      `converting (${String(next.apiVersion)}.${String(next.kind)}) to (${group}.${resource.kind}): unknown conversion`,
    );
  }
  try {
    return decodePatched(resource, next, patch.doubled, validation, warnings);
  } catch (error) {
    const bad =
      error instanceof StatusError && error.code === 400
        ? /^.*? cannot be handled as an? .*?: (.*)$/s.exec(error.message)
        : undefined;
    if (!bad) throw error;
    const shown = patch.type === 'strategic' ? goText(patch.value) : shownJson(next);
    throw invalidPatch(shown, patch.type === 'strategic' ? restoreWords(bad[1]!) : bad[1]!);
  }
}

/** Whether a merge patch changes only labels and annotations. */
export function isMetadataOnly({type, value, doubled}: PatchBody): boolean {
  if ((type !== 'merge' && type !== 'strategic') || doubled.length > 0) return false;
  if (!isObject(value) || !isObject(value.metadata) || Object.keys(value).length !== 1) return false;
  return Object.entries(value.metadata).every(
    ([field, entries]) =>
      (field === 'labels' || field === 'annotations') &&
      isObject(entries) &&
      Object.entries(entries).every(
        ([key, one]) => !key.startsWith('$') && (one === null || typeof one === 'string'),
      ),
  );
}

/**
 * Applies a patch of labels and annotations. Shares the rest with the current object, which is already
 * decoded.
 */
export function patchMetadata(current: StoredObject, patch: PatchBody): StoredObject {
  const metadata = {...current.metadata};
  for (const field of ['labels', 'annotations'] as const) {
    const changes = (patch.value as {metadata: Record<string, unknown>}).metadata[field];
    if (changes === undefined) continue;
    const merged = mergePatch(metadata[field], changes) as Record<string, string>;
    // Go omits empty maps.
    if (Object.keys(merged).length === 0) delete metadata[field];
    else metadata[field] = merged;
  }
  return {...current, metadata};
}

function overlayPatch(current: StoredObject, patch: PatchBody, schema: FieldSchema | undefined): unknown {
  try {
    if (patch.type === 'json') return jsonPatch(current, patch.value);
    if (patch.type === 'merge') return mergePatch(current, patch.value);
    return strategicMerge(current, patch.value, schema);
  } catch (error) {
    if (error instanceof PatchFormatError) throw badRequest(`error decoding patch: ${error.message}`);
    if (error instanceof PatchApplyError) {
      throw new StatusError(
        422,
        'Invalid',
        'the server rejected our request due to an error in our request',
        {},
      );
    }
    if (error instanceof StrategicPatchError) throw new StatusError(500, '', error.message);
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error;
  }
}

const META_ORDER =
  'name generateName namespace uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences finalizers managedFields'.split(
    ' ',
  );

/** The patched object as Go prints it: fields by name, metadata in its own order. */
function shownJson(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value);
  const sorted = (object: JsonObject, order: string[] = []) => {
    const rank = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);
    const fields = Object.keys(object).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    return Object.fromEntries(fields.map(field => [field, object[field]]));
  };
  const out = sorted(value);
  for (const [field, item] of Object.entries(out)) {
    if (isObject(item)) out[field] = field === 'metadata' ? sorted(item, META_ORDER) : sorted(item);
  }
  return JSON.stringify(out);
}

function invalidPatch(shown: string, why: string): StatusError {
  const message = `Invalid value: ${JSON.stringify(shown)}: ${why}`;
  return new StatusError(422, 'Invalid', ` "" is invalid: patch: ${message}`, {
    causes: [{reason: 'FieldValueInvalid', message, field: 'patch'}],
  });
}

/** Another Go decoder reads strategic patches, with other error texts. */
function restoreWords(message: string): string {
  const match = /cannot unmarshal (\w+).* of type (.*)$/.exec(message);
  if (!match) return message;
  const [, word, type = ''] = match;
  const got = word === 'number' ? 'int64' : word === 'object' ? 'map' : word === 'array' ? 'slice' : word;
  if (type.startsWith('[]')) return `cannot restore slice from ${got}`;
  if (type.startsWith('map[')) return `cannot restore map from ${got}`;
  if (type.includes('.')) return `cannot restore struct from: ${got}`;
  return `unrecognized type: ${type}`;
}

function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return value === null ? '<nil>' : String(value);
  const fields = Object.keys(value).sort();
  return `map[${fields.map(field => `${field}:${goText(value[field])}`).join(' ')}]`;
}

/** The configuration of a server-side apply, as YAML or JSON, without managedFields. */
export function applyBody(
  resource: ServedResource,
  name: string,
  bytes: Buffer,
  validation: Validation,
  warnings: string[],
): StoredObject {
  const value = parseApply(bytes);
  const given = {apiVersion: String(value.apiVersion ?? ''), kind: String(value.kind ?? '')};
  if (given.apiVersion === '' || given.kind === '') {
    const [group, version] = given.apiVersion.includes('/')
      ? given.apiVersion.split('/')
      : ['', given.apiVersion];
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${given.kind}`);
  }
  if (given.kind !== resource.kind || given.apiVersion !== groupVersion(resource)) {
    throw badRequest(
      `invalid object type: ${given.apiVersion.includes('/') ? given.apiVersion : `/${given.apiVersion}`}, Kind=${given.kind}`,
    );
  }
  const meta = isObject(value.metadata) ? value.metadata : {};
  if (Array.isArray(meta.managedFields) && meta.managedFields.length > 0)
    throw badRequest('metadata.managedFields must be nil');
  checkApplyName(meta, name);
  checkTyped(resource, value, name);
  const doubled: string[] = [];
  const object = decodePatched(resource, value, doubled, validation, warnings);
  return onlyStated(value, object) as StoredObject;
}

function parseApply(bytes: Buffer): JsonObject {
  const value = applyValue(bytes);
  if (isObject(value)) return value;
  const word = Array.isArray(value) ? 'array' : typeof value;
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${word} into Go value of type map[string]interface {}`,
  );
}

function applyValue(bytes: Buffer): unknown {
  try {
    return parseYaml(bytes.toString('utf8')).value;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

function checkApplyName(meta: JsonObject, name: string): void {
  const given = typeof meta.name === 'string' ? meta.name : '';
  if (given === '')
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** Server-side apply refuses fields that the schema does not have. */
function checkTyped(resource: ServedResource, value: JsonObject, name: string): void {
  const schema = resource.schema();
  if (!schema) return;
  const problems = typedProblems(value, schema, '', resource.custom !== undefined);
  if (problems.length === 0) return;
  const [group, version] =
    resource.group === '' ? ['', resource.version] : [resource.group, resource.version];
  const meta = value.metadata as JsonObject;
  const where = `${typeof meta.namespace === 'string' ? meta.namespace : ''}/${name}; ${group}/${version}, Kind=${resource.kind}`;
  const text = problems.length === 1 ? problems[0] : `errors:\n${problems.map(p => `  ${p}`).join('\n')}`;
  throw new StatusError(500, '', `failed to create typed patch object (${where}): ${text}`);
}

function typedProblems(value: unknown, schema: FieldSchema, path: string, custom: boolean): string[] {
  if (value === null || value === undefined) return [];
  const type = schema.type;
  const wrong = (wanted: string) => [
    `${path}: expected ${wanted}, got ${custom ? wordFor(value) : goValueText(value)}`,
  ];
  if (type === 'object' || type === 'map') {
    if (!isObject(value)) return wrong('map');
    return Object.entries(value).flatMap(([field, item]) => {
      if (custom && path === '' && ['apiVersion', 'kind', 'metadata'].includes(field)) return [];
      const child = schema.child(field);
      if (!child && schema.preservesUnknown) return [];
      return child
        ? typedProblems(item, child, `${path}.${field}`, custom)
        : [`${path}.${field}: field not declared in schema`];
    });
  }
  if (type === 'array') {
    if (!Array.isArray(value)) return wrong('list');
    const items = schema.items;
    return items ? value.flatMap((item, i) => typedProblems(item, items, `${path}[${i}]`, custom)) : [];
  }
  if (type === 'string' && typeof value !== 'string') return wrong('string');
  if (type === 'boolean' && typeof value !== 'boolean') return wrong('boolean');
  if ((type === 'integer' || type === 'number') && typeof value !== 'number' && !JSON.isRawJSON(value))
    return wrong('numeric (int or float)');
  return [];
}

function wordFor(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'map' : typeof value;
}

function goValueText(value: unknown): string {
  return `&value.valueUnstructured{Value:${typeof value === 'string' ? JSON.stringify(value) : goText(value)}}`;
}

/** Removes empty structs that decoding adds, because a configuration owns only what it states. */
function onlyStated(stated: unknown, decoded: unknown): unknown {
  if (Array.isArray(stated) && Array.isArray(decoded))
    return decoded.map((item, i) => onlyStated(stated[i], item));
  if (!isObject(stated) || !isObject(decoded)) return decoded;
  const out: JsonObject = {};
  for (const [field, value] of Object.entries(stated)) {
    if (decoded[field] !== undefined) out[field] = onlyStated(value, decoded[field]);
    // A stated empty map is owned, although Go does not print it.
    else if (isObject(value) && Object.keys(value).length === 0) out[field] = {};
  }
  return out;
}

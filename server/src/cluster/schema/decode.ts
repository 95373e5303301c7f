// Decodes JSON as a Go type would. Refuses wrong types in Go's words, and drops and reports unknown fields.
// Removes empty optional fields, and adds structs that Go always prints.
import {setField} from '@krtscope/shared/json/deep-copy.ts';
import {isObject, type JsonObject} from '../object/stored-object.ts';
import type {FieldSchema} from './field-schema.ts';
import {canonicalQuantity} from './quantity.ts';
import {canonicalTime} from './time.ts';

/** Completes "X in version "v1" cannot be handled as a X: ". */
export class DecodeError extends Error {}

interface Decoded {
  value: JsonObject;
  /** Paths of unknown fields. */
  unknown: string[];
}

const NO_QUANTITY = `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`;

// Optional fields that Go stores by value, so that zero means absent. Zero counts in all others, which are
// pointers.
const ZERO_IS_ABSENT = new Set(
  `hostNetwork hostPID hostIPC stdin stdinOnce tty readOnly paused publishNotReadyAddresses unschedulable
  minReadySeconds nodePort hostPort healthCheckNodePort observedGeneration updatedReplicas readyReplicas
  availableReplicas unavailableReplicas fullyLabeledReplicas active succeeded failed initialDelaySeconds
  periodSeconds successThreshold failureThreshold count generation currentReplicas unschedulable signal
  numberAvailable numberUnavailable updatedNumberScheduled`.split(/\s+/),
);
// Pointers to strings, where the empty string counts.
const EMPTY_COUNTS = new Set([
  'holderIdentity',
  'storageClassName',
  'ingressClassName',
  'runtimeClassName',
  'value',
]);

class Decoder {
  readonly unknown: string[] = [];
  #error: DecodeError | undefined;

  object(value: unknown, schema: FieldSchema, path: string, names: string): JsonObject | undefined {
    if (!isObject(value)) return this.#mismatch(value, schema);
    const out: JsonObject = {};
    const struct = schema.definition.split('.').at(-1) ?? '';
    for (const [field, raw] of Object.entries(value)) {
      if (raw === undefined) continue;
      const child = schema.field(field);
      const here = path === '' ? field : `${path}.${field}`;
      if (!child) {
        this.unknown.push(here);
        continue;
      }
      const fieldNames = `${struct}.${names === '' ? '' : `${names}.`}${field}`;
      const decoded = this.#value(raw, child, here, fieldNames, names === '' ? field : `${names}.${field}`);
      if (decoded !== undefined && !vanishes(decoded, child, field, schema)) setField(out, field, decoded);
    }
    for (const field of schema.structFields) {
      if (out[field] === undefined)
        out[field] = this.object({}, schema.field(field)!, `${path}.${field}`, names);
    }
    return out;
  }

  finish(): void {
    if (this.#error) throw this.#error;
  }

  #value(raw: unknown, schema: FieldSchema, path: string, goField: string, names: string): unknown {
    if (raw === null)
      return schema.definition.endsWith('.Time') && path.endsWith('lastProbeTime') ? null : undefined;
    switch (schema.type) {
      case 'object':
        return isObject(raw) && !JSON.isRawJSON(raw)
          ? this.object(raw, schema, path, names)
          : this.#wrong(raw, schema, goField);
      case 'map':
        return this.#map(raw, schema, path, goField, names);
      case 'array':
        return this.#array(raw, schema, path, goField, names);
      case 'string':
        if (typeof raw !== 'string') return this.#wrong(raw, schema, goField);
        return schema.format === 'byte' ? this.#bytes(raw) : raw;
      case 'boolean':
        return typeof raw === 'boolean' ? raw : this.#wrong(raw, schema, goField);
      case 'integer':
      case 'number':
        return this.#number(raw, schema, goField);
      case 'scalar':
        return this.#scalar(raw, schema);
      default:
        return raw;
    }
  }

  #map(raw: unknown, schema: FieldSchema, path: string, goField: string, names: string): unknown {
    if (!isObject(raw)) return this.#wrong(raw, schema, goField);
    const out: JsonObject = {};
    const values = schema.values;
    for (const [key, item] of Object.entries(raw)) {
      const decoded = values ? this.#value(item, values, `${path}.${key}`, goField, names) : item;
      setField(out, key, decoded === undefined ? zeroOf(values) : decoded);
    }
    return out;
  }

  #array(raw: unknown, schema: FieldSchema, path: string, goField: string, names: string): unknown {
    if (!Array.isArray(raw)) return this.#wrong(raw, schema, goField);
    const items = schema.items;
    if (!items) return raw;
    return raw.map((item, i) => this.#value(item, items, `${path}[${i}]`, goField, names) ?? zeroOf(items));
  }

  #number(raw: unknown, schema: FieldSchema, goField: string): unknown {
    if (JSON.isRawJSON(raw)) return this.#big(raw, schema, goField);
    if (typeof raw !== 'number') return this.#wrong(raw, schema, goField);
    if (schema.type === 'number') return raw;
    const most = schema.format === 'int32' ? 2147483647 : Number.MAX_SAFE_INTEGER;
    if (!Number.isInteger(raw) || raw > most || raw < -most - 1)
      return this.#wrong(raw, schema, goField, ` ${raw}`);
    return raw;
  }

  #big(raw: {rawJSON: string}, schema: FieldSchema, goField: string): unknown {
    const value = BigInt(raw.rawJSON);
    const fits = schema.format !== 'int32' && value <= 9223372036854775807n && value >= -9223372036854775808n;
    return fits || schema.type === 'number' ? raw : this.#wrong(raw, schema, goField, ` ${raw.rawJSON}`);
  }

  #scalar(raw: unknown, schema: FieldSchema): unknown {
    const name = schema.definition.split('.').at(-1);
    if (name === 'Quantity') {
      const written = typeof raw === 'string' || typeof raw === 'number';
      return (written ? canonicalQuantity(String(raw)) : undefined) ?? this.#fail(NO_QUANTITY);
    }
    if (name === 'IntOrString') {
      if (typeof raw === 'string') return raw;
      if (typeof raw === 'number' && Number.isInteger(raw) && Math.abs(raw) <= 2147483648) return raw;
      return this.#fail(
        `json: cannot unmarshal ${wordFor(raw)}${typeof raw === 'number' ? ` ${raw}` : ''} into Go value of type int32`,
      );
    }
    if (typeof raw !== 'string')
      return this.#fail(`json: cannot unmarshal ${wordFor(raw)} into Go value of type string`);
    try {
      return canonicalTime(raw, name === 'MicroTime') ?? undefined;
    } catch (error) {
      return this.#fail((error as Error).message);
    }
  }

  #bytes(raw: string): unknown {
    const text = raw.replace(/[\r\n]/g, '');
    const bad = /[^A-Za-z0-9+/=]/.exec(text);
    const body = text.replace(/=+$/, '');
    if (bad) return this.#fail(`illegal base64 data at input byte ${bad.index}`);
    if (text.length % 4 !== 0)
      return this.#fail(`illegal base64 data at input byte ${Math.floor(text.length / 4) * 4}`);
    if (/=/.test(body)) return this.#fail(`illegal base64 data at input byte ${body.indexOf('=')}`);
    return text;
  }

  #wrong(raw: unknown, schema: FieldSchema, goField: string, detail = ''): undefined {
    return this.#fail(
      `json: cannot unmarshal ${wordFor(raw)}${detail} into Go struct field ${goField} of type ${schema.goType}`,
    );
  }

  #mismatch(raw: unknown, schema: FieldSchema): undefined {
    return this.#fail(`json: cannot unmarshal ${wordFor(raw)} into Go value of type ${schema.goType}`);
  }

  /** Go reports the first wrong type and reads on. */
  #fail(message: string): undefined {
    this.#error ??= new DecodeError(message);
    return undefined;
  }
}

function wordFor(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (JSON.isRawJSON(value)) return 'number';
  return value === null ? 'null' : typeof value;
}

function zeroOf(schema: FieldSchema | undefined): unknown {
  switch (schema?.type) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'object':
      return {};
    default:
      return null;
  }
}

function vanishes(value: unknown, schema: FieldSchema, field: string, parent: FieldSchema): boolean {
  if (parent.required.includes(field)) return false;
  if (value === '') return !EMPTY_COUNTS.has(field) || parent.definition.endsWith('.EnvVar');
  if (Array.isArray(value)) return value.length === 0;
  if (value === 0 || value === false) {
    if (field === 'replicas' || field === 'timeoutSeconds') return /Status$|Probe$/.test(parent.definition);
    return ZERO_IS_ABSENT.has(field);
  }
  return schema.type === 'map' && isObject(value) && Object.keys(value).length === 0;
}

export function decode(value: unknown, schema: FieldSchema): Decoded {
  const decoder = new Decoder();
  const out = decoder.object(value, schema, '', '');
  decoder.finish();
  return {value: out ?? {}, unknown: decoder.unknown};
}

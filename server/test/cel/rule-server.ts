// Asks a server what it says about rules: when a CRD is made, and when an object is.
import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {sleep} from '../../src/kube/clock.ts';
import {ApiError} from '../../src/kube/error.ts';
import type {RequestOptions} from '../../src/kube/transport/transport.ts';
import {evaluatedProperties} from './evaluated-rules.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'rules.example.com';

/** A node of a schema that a test may edit. */
export interface RuleSchema {
  properties?: Record<string, RuleSchema>;
  items?: RuleSchema;
  [field: string]: unknown;
}

interface RuledDefinition {
  metadata: {name: string};
  spec: {names: {plural: string; kind: string}; [field: string]: unknown};
  [field: string]: unknown;
}

export type Rule = string | Record<string, unknown>;

export interface Reply {
  code: number;
  message?: string | undefined;
  causes?: unknown;
  warnings?: readonly string[];
}

/** The names of object types have random numbers, which differ in every answer. */
const masked = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/selfType\d+/g, 'selfType')) as T;

export async function ask(client: DynamicClient, request: RequestOptions): Promise<Reply> {
  try {
    const {code, warnings} = await client.transport.request(request);
    return warnings.length > 0 ? {code, warnings} : {code};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // 1.36 goes through properties in random order.
    const causes = [...(error.status?.details?.causes ?? [])].map(one => JSON.stringify(one)).sort();
    const message = causes.length > 1 ? undefined : error.status?.message;
    return masked({code: error.code, message, causes: causes.map(one => JSON.parse(one) as unknown)});
  }
}

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A CRD whose spec has the rules. `change` may edit the schema. */
export function ruledDefinition(
  plural: string,
  rules: readonly Rule[],
  change: (schema: RuleSchema) => void = () => {},
): RuledDefinition {
  // A copy by JSON, because tests edit one node that several fields would share.
  const schema = copyOf<RuleSchema>({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: evaluatedProperties,
        ...(rules.length > 0 && {
          'x-kubernetes-validations': rules.map(rule => (typeof rule === 'string' ? {rule} : rule)),
        }),
      },
      status: {type: 'object', properties: {phase: {type: 'string', maxLength: 10}}},
    },
  });
  change(schema);
  const kind = `${plural[0]!.toUpperCase()}${plural.slice(1, -1)}`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${GROUP}`},
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: {plural, kind},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {status: {}},
          schema: {openAPIV3Schema: schema},
        },
      ],
    },
  };
}

export const tryDefinition = (client: DynamicClient, definition: object): Promise<Reply> =>
  ask(client, {method: 'POST', path: CRDS, query: {dryRun: 'All'}, body: definition});

/** Creates or replaces the CRD, and waits until its objects are validated by it. */
export async function installDefinition(client: DynamicClient, definition: RuledDefinition): Promise<Reply> {
  const {name} = definition.metadata;
  const query = {fieldManager: 'test', force: true};
  const contentType = 'application/apply-patch+yaml';
  const body = JSON.stringify(definition);
  const reply = await ask(client, {method: 'PATCH', path: `${CRDS}/${name}`, query, body, contentType});
  if (reply.code >= 300) return reply;
  const path = `${pathOf(definition.spec.names.plural)}`;
  for (;;) {
    const found = await ask(client, {path});
    if (found.code === 200) return reply;
    await sleep(client.transport.clock, 50);
  }
}

export const pathOf = (plural: string, name = ''): string =>
  `/apis/${GROUP}/v1/namespaces/default/${plural}${name === '' ? '' : `/${name}`}`;

export function ruledObject(plural: string, name: string, spec: object, resourceVersion?: string): object {
  const kind = `${plural[0]!.toUpperCase()}${plural.slice(1, -1)}`;
  return {apiVersion: `${GROUP}/v1`, kind, metadata: {name, resourceVersion}, spec};
}

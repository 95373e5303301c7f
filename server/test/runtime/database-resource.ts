// A custom resource for tests on servers: three versions, all schema marks, and a conversion webhook.

import {createServer, type Server} from 'node:https';
import type {AddressInfo} from 'node:net';
import {z} from 'zod';
import {defineResource, type ObjectOf} from '../../src/runtime/resource/define-resource.ts';
import {marks} from '../../src/runtime/resource/schema-markers.ts';
import {answerConversion} from '../../src/runtime/webhook/conversion-review.ts';
import {selfSignedIdentity} from '../../src/runtime/webhook/identity.ts';

export const namespace = 'runtime-resource';
export const group = 'resource.example.com';

const engine = z.enum(['postgres', 'mysql']).meta(marks({immutable: true}));

export const databases = defineResource({
  group,
  kind: 'Database',
  shortNames: ['dbx'],
  categories: ['storage'],
  versions: {
    v1alpha1: {spec: z.object({size: z.int(), engine: z.string()}), deprecated: 'use v1'},
    v1beta1: {spec: z.object({replicas: z.int().optional(), engine: z.string()})},
    v1: {
      stored: true,
      spec: z.object({
        replicas: z.int().min(1).max(5).default(1),
        engine,
        zone: z
          .string()
          .meta(marks({immutable: true}))
          .optional(),
        storage: z
          .string()
          .regex(/^[0-9]+Gi$/)
          .optional(),
        port: z.union([z.int(), z.string()]).optional(),
        labels: z.record(z.string(), z.string()).optional(),
        users: z
          .array(z.object({name: z.string(), admin: z.boolean().default(false)}))
          .max(10)
          .meta(marks({listType: 'map', listMapKeys: ['name']}))
          .optional(),
        backup: z
          .discriminatedUnion('to', [
            z.object({to: z.literal('disk'), path: z.string()}),
            z.object({to: z.literal('bucket'), bucket: z.string()}),
          ])
          .optional(),
        extra: z.unknown().optional(),
      }),
      status: z.object({phase: z.string().optional(), replicas: z.int().optional()}),
      columns: [
        {name: 'Engine', type: 'string', jsonPath: '.spec.engine'},
        {name: 'Phase', type: 'string', jsonPath: '.status.phase'},
      ],
      scale: {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas'},
      selectableFields: ['.spec.engine'],
    },
  },
  hub: 'v1',
  conversions: {
    v1alpha1: {
      toHub: ({spec}) => ({spec: {replicas: spec.size, engine: spec.engine as 'mysql'}}),
      fromHub: ({spec}) => ({spec: {size: spec.replicas, engine: spec.engine}}),
    },
    v1beta1: {
      // The version has no schema for status, so its type has none.
      toHub: ({spec, ...rest}) => ({
        spec: {replicas: spec.replicas ?? 1, engine: spec.engine as 'mysql'},
        status: (rest as {status?: never}).status,
      }),
      fromHub: ({spec, status}) => ({spec: {replicas: spec.replicas, engine: spec.engine}, status}),
    },
  },
});
export const {v1, v1alpha1, v1beta1} = databases.kinds;

export type Database = ObjectOf<typeof v1>;

/** Typed as the newest version, also for older or wrong ones. */
export function database(name: string, spec: object, version = 'v1'): Database {
  return {
    apiVersion: `${group}/${version}` as Database['apiVersion'],
    kind: 'Database',
    metadata: {namespace, name},
    spec: spec as Database['spec'],
  };
}

export class Webhook {
  server: Server | undefined;
  broken = false;
  requestCount = 0;
  url = '';
  ca = '';

  async start(): Promise<void> {
    const {key, cert, ca} = await selfSignedIdentity();
    this.ca = ca;
    this.server = createServer({key, cert}, async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      this.requestCount++;
      const answer = this.broken
        ? {
            code: 200,
            body: {
              kind: 'ConversionReview',
              apiVersion: 'apiextensions.k8s.io/v1',
              response: {
                uid: JSON.parse(text).request.uid,
                result: {status: 'Failure', message: 'out of order'},
              },
            },
          }
        : answerConversion(JSON.parse(text), [databases.converter!]);
      response.writeHead(answer.code, {'content-type': 'application/json'});
      response.end(JSON.stringify(answer.body));
    });
    await new Promise<void>(resolve => this.server!.listen(0, '127.0.0.1', resolve));
    this.url = `https://127.0.0.1:${(this.server.address() as AddressInfo).port}/convert`;
  }

  stop(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}

import {describe, expect, expectTypeOf, test} from 'vitest';
import {parse} from 'yaml';
import {z} from 'zod';
import type {KubeObject} from '../../kube/object.ts';
import {answerConversion} from '../webhook/conversion-review.ts';
import {defineResource, type InputOf, type ObjectOf} from './define-resource.ts';
import {marks} from './schema-markers.ts';
import {structuralSchema} from './structural-schema.ts';

const databases = defineResource({
  group: 'example.com',
  kind: 'Database',
  shortNames: ['db'],
  categories: ['all'],
  versions: {
    v1alpha1: {spec: z.object({size: z.int().min(1), engine: z.string()}), deprecated: true},
    v1beta1: {spec: z.object({replicas: z.int().min(1), engine: z.string()})},
    v1: {
      stored: true,
      spec: z.object({
        replicas: z.int().min(1).max(5).default(1),
        engine: z.enum(['postgres', 'mysql']).meta(marks({immutable: true})),
        storage: z
          .string()
          .regex(/^[0-9]+Gi$/)
          .optional(),
      }),
      status: z.object({phase: z.string().optional(), replicas: z.int().optional()}),
      columns: [{name: 'Phase', type: 'string', jsonPath: '.status.phase'}],
      scale: {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas'},
    },
  },
  hub: 'v1',
  conversions: {
    v1alpha1: {
      toHub: ({spec}) => ({spec: {replicas: spec.size, engine: spec.engine as 'postgres'}}),
      fromHub: ({spec}) => ({spec: {size: spec.replicas, engine: spec.engine}}),
    },
    v1beta1: {
      toHub: ({spec}) => ({spec: {replicas: spec.replicas, engine: spec.engine as 'postgres'}}),
      fromHub: ({spec}) => ({spec: {replicas: spec.replicas, engine: spec.engine}}),
    },
  },
});

function database(version: string, spec: object): KubeObject {
  return {
    apiVersion: `example.com/${version}`,
    kind: 'Database',
    metadata: {name: 'd', uid: 'u', labels: {a: 'b'}},
    spec,
  };
}

describe('the definition', () => {
  test('has one version each, one of them stored, with columns, scale and status', () => {
    const {spec, metadata} = databases.definition({conversion: 'None'}) as KubeObject & {
      spec: {names: unknown; versions: {name: string; storage: boolean; deprecated?: boolean}[]};
    };
    expect(metadata.name).toBe('databases.example.com');
    expect(spec.names).toEqual({
      kind: 'Database',
      listKind: 'DatabaseList',
      plural: 'databases',
      singular: 'database',
      shortNames: ['db'],
      categories: ['all'],
    });
    expect(spec.versions.map(({name, storage, deprecated}) => [name, storage, deprecated])).toEqual([
      ['v1alpha1', false, true],
      ['v1beta1', false, undefined],
      ['v1', true, undefined],
    ]);
    expect(spec.versions[2]).toMatchObject({
      subresources: {status: {}, scale: {specReplicasPath: '.spec.replicas'}},
      additionalPrinterColumns: [{name: 'Phase', type: 'string', jsonPath: '.status.phase'}],
      schema: {openAPIV3Schema: {required: ['spec']}},
    });
    expect(parse(databases.yaml({conversion: 'None'}))).toEqual(databases.definition({conversion: 'None'}));
  });

  test('the schema is structural: limits, enums, defaults, patterns, immutability as a rule', () => {
    const {spec} = databases.definition({conversion: 'None'}) as KubeObject & {
      spec: {versions: {schema: {openAPIV3Schema: {properties: Record<string, unknown>}}}[]};
    };
    expect(spec.versions[2]!.schema.openAPIV3Schema.properties.spec).toEqual({
      type: 'object',
      properties: {
        replicas: {type: 'integer', minimum: 1, maximum: 5, default: 1},
        engine: {
          type: 'string',
          enum: ['postgres', 'mysql'],
          'x-kubernetes-validations': [{rule: 'self == oldSelf', message: 'Value is immutable'}],
        },
        storage: {type: 'string', pattern: '^[0-9]+Gi$'},
      },
      required: ['engine'],
    });
  });

  test('what no server takes is refused where it is defined', () => {
    const one = {spec: z.object({})};
    expect(() => defineResource({group: 'g.io', kind: 'K', versions: {v1: one, v2: one}})).toThrow(
      '0 versions are stored; mark exactly one of v1, v2 as stored',
    );
    expect(() =>
      defineResource({
        group: 'g.io',
        kind: 'K',
        versions: {v1: {spec: z.object({p: z.string().regex(/(?=a)/)})}},
      }),
    ).toThrow(/spec\.p: the pattern .* RE2/);
    expect(() =>
      defineResource({
        group: 'g.io',
        kind: 'K',
        versions: {v1: {spec: z.object({p: z.union([z.boolean(), z.string()])})}},
      }),
    ).toThrow('spec.p: is one of boolean, string');
    const missing = {
      group: 'g.io',
      kind: 'K',
      versions: {v1: {...one, stored: true}, v2: one},
      hub: 'v1' as const,
      conversions: {} as never,
    };
    expect(() => defineResource(missing)).toThrow('v2 cannot be converted');
    expect(() =>
      defineResource({group: 'g.io', kind: 'K', versions: {v1: one}}).definition({
        conversion: {url: 'https://x', caBundle: 'c'},
      }),
    ).toThrow('has no conversions');
    // Strategy None would silently drop the fields that only one version has.
    expect(() => databases.yaml()).toThrow(
      "has the versions v1alpha1, v1beta1, v1 and its CRD needs a conversion: pass {conversion: {service, caBundle}}, or {conversion: 'None'} if all versions have the same fields",
    );
    expect(databases.definition({conversion: 'None'}).spec).not.toHaveProperty('conversion');
  });

  test('types come from the same schema', () => {
    type Database = ObjectOf<typeof databases.kinds.v1>;
    expectTypeOf<Database['spec']['replicas']>().toEqualTypeOf<number>();
    expectTypeOf<Database['spec']['engine']>().toEqualTypeOf<'postgres' | 'mysql'>();
    expectTypeOf<InputOf<typeof databases, 'v1'>['spec']['replicas']>().toEqualTypeOf<number | undefined>();
    expect(databases.kinds.v1beta1).toEqual({apiVersion: 'example.com/v1beta1', kind: 'Database'});
  });

  test('an object is validated by the schema of its version, with the field at fault', () => {
    expect(databases.validate(database('v1', {engine: 'postgres'}))).toEqual([]);
    expect(databases.validate(database('v1', {engine: 'x', replicas: 9})).map(({field}) => field)).toEqual([
      'spec.replicas',
      'spec.engine',
    ]);
    expect(databases.validate(database('v7', {}))).toMatchObject([{field: 'apiVersion'}]);
  });
});

describe('shapes', () => {
  const of = (schema: z.ZodType) => structuralSchema(schema, 'x');
  test('number or text, anything, maps, lists by key, objects of several forms', () => {
    expect(of(z.union([z.int(), z.string()]))).toEqual({
      'x-kubernetes-int-or-string': true,
      anyOf: [{type: 'integer'}, {type: 'string'}],
    });
    expect(of(z.unknown())).toEqual({'x-kubernetes-preserve-unknown-fields': true});
    expect(of(z.record(z.string(), z.string()))).toEqual({
      type: 'object',
      additionalProperties: {type: 'string'},
    });
    expect(
      of(z.array(z.object({name: z.string()})).meta(marks({listType: 'map', listMapKeys: ['name']}))),
    ).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    });
    const either = z.discriminatedUnion('type', [
      z.object({type: z.literal('a'), one: z.string()}),
      z.object({type: z.literal('b'), two: z.int()}),
    ]);
    expect(of(either)).toEqual({
      type: 'object',
      properties: {type: {type: 'string', enum: ['a', 'b']}, one: {type: 'string'}, two: {type: 'integer'}},
      required: ['type'],
      oneOf: [
        {properties: {type: {enum: ['a']}}, required: ['type', 'one']},
        {properties: {type: {enum: ['b']}}, required: ['type', 'two']},
      ],
    });
  });

  test('an optional field that is immutable cannot be taken away either', () => {
    expect(
      of(
        z.object({
          zone: z
            .string()
            .meta(marks({immutable: true}))
            .optional(),
        }),
      ),
    ).toMatchObject({
      'x-kubernetes-validations': [{rule: '!has(oldSelf.zone) || has(self.zone)'}],
      properties: {zone: {'x-kubernetes-validations': [{rule: 'self == oldSelf'}]}},
    });
  });
});

describe('conversion', () => {
  test('[138] spoke to spoke goes through the hub; metadata stays', () => {
    const made = databases.converter!.convert(
      database('v1alpha1', {size: 3, engine: 'mysql'}),
      'example.com/v1beta1',
    );
    expect(made).toEqual(database('v1beta1', {replicas: 3, engine: 'mysql'}));
  });

  test('a review is answered in its order, a failure is one for all, nonsense is a 400', () => {
    const review = (desiredAPIVersion: string, ...objects: unknown[]) => ({
      request: {uid: 'r', desiredAPIVersion, objects},
    });
    const converters = [databases.converter!];
    const done = answerConversion(
      review(
        'example.com/v1',
        database('v1alpha1', {size: 2, engine: 'mysql'}),
        database('v1beta1', {replicas: 4, engine: 'mysql'}),
      ),
      converters,
    );
    expect(done).toMatchObject({
      code: 200,
      body: {
        kind: 'ConversionReview',
        response: {
          uid: 'r',
          result: {status: 'Success'},
          convertedObjects: [{spec: {replicas: 2}}, {spec: {replicas: 4}}],
        },
      },
    });
    const same = answerConversion(review('example.com/v1', database('v1', {})), converters);
    expect(same).toMatchObject({
      code: 200,
      body: {response: {result: {status: 'Failure', message: expect.stringContaining('same type')}}},
    });
    const broken = answerConversion(
      review('example.com/v1', {...database('v1alpha1', {}), spec: null}),
      converters,
    );
    expect(broken).toMatchObject({
      code: 200,
      panic: expect.any(TypeError),
      body: {response: {result: {status: 'Failure'}}},
    });
    expect(answerConversion({}, converters).code).toBe(400);
  });
});

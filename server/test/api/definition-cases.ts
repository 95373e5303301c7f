// Custom resources: their definitions checked, their objects pruned, defaulted, validated, patched and printed.

import type {Case, Step} from './transcript.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const merge = 'application/merge-patch+json';

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: {type: 'integer', minimum: 1, maximum: 10},
        color: {type: 'string', enum: ['red', 'green'], default: 'red'},
        name: {type: 'string', pattern: '^[a-z]+$', maxLength: 5},
        tags: {type: 'array', items: {type: 'string'}, maxItems: 2},
        limits: {type: 'object', additionalProperties: {type: 'integer'}},
        free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
        replicas: {type: 'integer'},
        at: {type: 'string', format: 'date-time'},
        port: {'x-kubernetes-int-or-string': true},
        maybe: {type: 'string', nullable: true},
      },
    },
    status: {type: 'object', properties: {replicas: {type: 'integer'}, phase: {type: 'string'}}},
  },
};

function definition(more: object = {}, spec: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'gadgets.{group}'},
    spec: {
      group: '{group}',
      scope: 'Namespaced',
      names: {plural: 'gadgets', singular: 'gadget', kind: 'Gadget', shortNames: ['gd']},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {openAPIV3Schema: schema},
          subresources: {
            status: {},
            scale: {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas'},
          },
          additionalPrinterColumns: [{name: 'Size', type: 'integer', jsonPath: '.spec.size'}],
          ...more,
        },
      ],
      ...spec,
    },
  };
}

const gadgets = '/apis/{group}/v1/namespaces/{ns}/gadgets';

function gadget(spec: unknown, more: object = {}): object {
  return {apiVersion: '{group}/v1', kind: 'Gadget', metadata: {name: 'g'}, spec, ...more};
}

const post = (body: unknown, expect: string, more: Partial<Step> = {}): Step => ({
  ask: `POST ${gadgets}`,
  body,
  expect,
  ...more,
});
const define: Step = {ask: `POST ${crds}`, body: definition(), expect: '201', loose: true};
// A definition is served a moment after it is accepted.
const served: Step = {ask: `GET ${gadgets}?until=200`, expect: '200', loose: true};
const drop: Step = {ask: `DELETE ${crds}/gadgets.{group}`, expect: '200', loose: true};

const objects: Case[] = [
  {
    name: 'unknown fields are pruned, defaults are set, free places stay free',
    steps: [
      define,
      served,
      post(
        gadget({size: 3, extra: 1, free: {any: {thing: 1}}, limits: {cpu: 2}}, {other: true}),
        '201 warnings:2',
      ),
      {ask: `GET ${gadgets}/g`, expect: '200'},
      {
        ask: `POST ${gadgets}?fieldValidation=Strict`,
        body: gadget({size: 3, extra: 1}, {other: true}),
        expect: '400 BadRequest',
      },
      {
        ask: `POST ${gadgets}?fieldValidation=Warn&dryRun=All`,
        body: {...gadget({size: 3, extra: 1}), metadata: {name: 'h'}},
        expect: '201 warnings:1',
      },
      drop,
    ],
  },
  {
    name: 'what does not fit the schema is refused, all causes at once',
    steps: [
      define,
      served,
      post(gadget({}), '422 Invalid FieldValueRequired@spec.size'),
      post(
        {apiVersion: '{group}/v1', kind: 'Gadget', metadata: {name: 'g'}},
        '422 Invalid FieldValueRequired@spec',
      ),
      post(
        gadget({size: 0, color: 'blue', name: 'Toolong', tags: ['a', 'b', 'c']}),
        '422 Invalid FieldValueInvalid@spec.size FieldValueNotSupported@spec.color FieldValueTooLong@spec.name FieldValueTooMany@spec.tags',
        {loose: true},
      ),
      post(gadget({size: 'big'}), '422 Invalid FieldValueTypeInvalid@spec.size'),
      post(gadget({size: 1.5}), '422 Invalid FieldValueInvalid@<nil> FieldValueTypeInvalid@spec.size'),
      post(gadget({size: 1, limits: {cpu: 'x'}}), '422 Invalid FieldValueTypeInvalid@spec.limits.cpu'),
      post(gadget({size: 1, at: 'yesterday'}), '422 Invalid FieldValueTypeInvalid@spec.at'),
      post(gadget({size: 1, port: true}), '422 Invalid FieldValueTypeInvalid@spec.port'),
      post(gadget({size: 1, maybe: null, color: null, port: 'http'}), '201'),
      post(gadget('text'), '422 Invalid FieldValueInvalid@.spec.replicas FieldValueTypeInvalid@spec'),
      {
        ask: `POST ${gadgets}`,
        body: {...gadget({size: 1}), kind: 'Other'},
        expect: '422 Invalid FieldValueInvalid@kind',
      },
      {
        ask: `POST ${gadgets}`,
        body: {...gadget({size: 1}), apiVersion: '{group}/v2'},
        expect: '400 BadRequest',
      },
      {ask: `POST ${gadgets}`, body: '{"a":', expect: '400 BadRequest'},
      drop,
    ],
  },
  {
    name: 'status and scale are apart, generations count',
    steps: [
      define,
      served,
      post(gadget({size: 1, replicas: 2}, {status: {phase: 'ignored'}}), '201'),
      {
        ask: `PATCH ${gadgets}/g/status?fieldManager=one`,
        type: merge,
        body: {spec: {size: 9}, status: {phase: 'Ready', replicas: 2}},
        expect: '200',
      },
      {
        ask: `PATCH ${gadgets}/g?fieldManager=one`,
        type: merge,
        body: {spec: {size: 2}, status: {phase: 'ignored'}},
        expect: '200',
      },
      {ask: `GET ${gadgets}/g/scale`, expect: '200'},
      {
        ask: `PATCH ${gadgets}/g/scale?fieldManager=one`,
        type: merge,
        body: {spec: {replicas: 4}},
        expect: '200',
      },
      {ask: `GET ${gadgets}/g`, expect: '200'},
      {
        ask: `PATCH ${gadgets}/g`,
        type: 'application/strategic-merge-patch+json',
        body: {spec: {size: 3}},
        expect: '415 UnsupportedMediaType',
      },
      {
        ask: `PATCH ${gadgets}/g?fieldManager=two`,
        type: 'application/apply-patch+yaml',
        body: gadget({size: 5}),
        expect: '409 Conflict FieldManagerConflict@.spec.size',
      },
      {
        ask: `PATCH ${gadgets}/g?fieldManager=two&force=true`,
        type: 'application/apply-patch+yaml',
        body: gadget({size: 5}),
        expect: '200',
      },
      {
        ask: `GET ${gadgets}`,
        accept: 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json',
        expect: '200',
        loose: true,
      },
      {
        ask: `PUT ${gadgets}/g`,
        body: gadget({size: 1}),
        expect: '422 Invalid FieldValueInvalid@metadata.resourceVersion',
      },
      drop,
    ],
  },
];

const definitions: Case[] = [
  {
    name: 'definitions that do not hold together are refused',
    steps: [
      {
        ask: `POST ${crds}`,
        body: {...definition(), metadata: {name: 'other.{group}'}},
        expect: '422 Invalid FieldValueInvalid@metadata.name',
      },
      {
        ask: `POST ${crds}`,
        body: definition({schema: undefined}),
        expect: '422 Invalid FieldValueRequired@spec.versions[0].schema.openAPIV3Schema',
      },
      {
        ask: `POST ${crds}`,
        body: definition({storage: false}),
        expect: '422 Invalid FieldValueInvalid@spec.versions FieldValueInvalid@status.storedVersions',
      },
      {
        ask: `POST ${crds}`,
        body: definition({}, {scope: 'Everywhere'}),
        expect: '422 Invalid FieldValueNotSupported@spec.scope',
      },
      {
        ask: `POST ${crds}`,
        body: definition({}, {names: {plural: 'gadgets', kind: 'gadget lower'}}),
        expect:
          '422 Invalid FieldValueInvalid@spec.names.kind FieldValueInvalid@spec.names.listKind FieldValueInvalid@spec.names.singular',
      },
      {
        ask: `POST ${crds}`,
        body: definition({schema: {openAPIV3Schema: {type: 'object', properties: {spec: {properties: {}}}}}}),
        expect: '422 Invalid FieldValueRequired@spec.validation.openAPIV3Schema.properties[spec].type',
      },
      {
        ask: `POST ${crds}`,
        body: definition({}, {versions: []}),
        expect: '422 Invalid FieldValueInvalid@spec.versions FieldValueInvalid@status.storedVersions',
      },
      {ask: `GET ${crds}/gadgets.{group}`, expect: '404 NotFound'},
    ],
  },
];

export const definitionCases: Record<string, Case[]> = {
  'custom objects': objects,
  'custom definitions': definitions,
};

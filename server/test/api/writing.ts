// What writes do: defaults, ownership, generations, the four patches, dry runs, status and scale.

import type {Case, Step} from './transcript.ts';

const maps = '/api/v1/namespaces/{ns}/configmaps';
const services = '/api/v1/namespaces/{ns}/services';
const pods = '/api/v1/namespaces/{ns}/pods';
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
const leases = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';
const apply = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';
const strategic = 'application/strategic-merge-patch+json';

function patch(path: string, type: string, body: unknown, expect: string, more: Partial<Step> = {}): Step {
  return {ask: `PATCH ${path}`, type, body, expect, ...more};
}

const map = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'a', ...metadata},
  data,
});
const containers = [{name: 'web', image: 'nginx', ports: [{containerPort: 80}]}];
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'd', labels: {app: 'd'}},
  spec: {
    replicas: 0,
    selector: {matchLabels: {app: 'd'}},
    template: {metadata: {labels: {app: 'd'}}, spec: {containers}},
  },
};

const creating: Case[] = [
  {
    name: 'a ConfigMap, its update, an update that changes nothing, a dry run',
    steps: [
      {
        ask: `POST ${maps}?fieldManager=one`,
        body: map({n: '1'}, {labels: {l: '1'}, annotations: {a: '1'}}),
        expect: '201',
      },
      {ask: `PUT ${maps}/a?fieldManager=two`, body: map({n: '1', m: '2'}), expect: '200'},
      {ask: `PUT ${maps}/a?fieldManager=three`, body: map({n: '1', m: '2'}), expect: '200'},
      {ask: `PUT ${maps}/a?dryRun=All&fieldManager=four`, body: map({}), expect: '200'},
      {ask: `POST ${maps}?dryRun=All`, body: map({n: '1'}, {name: 'b'}), expect: '201'},
      {ask: `GET ${maps}/a`, expect: '200'},
      {ask: `GET ${maps}/b`, expect: '404 NotFound'},
      {ask: `DELETE ${maps}/a?dryRun=All`, expect: '200'},
      {ask: `DELETE ${maps}/a`, expect: '200'},
    ],
  },
  {
    name: 'a Pod with its defaults',
    steps: [
      {
        ask: `POST ${pods}?fieldManager=one`,
        body: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {name: 'p'},
          spec: {schedulerName: 'nobody', automountServiceAccountToken: false, containers},
        },
        expect: '201',
      },
      {
        ask: `POST ${pods}?fieldManager=one`,
        body: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {name: 'q'},
          spec: {
            schedulerName: 'nobody',
            automountServiceAccountToken: false,
            containers: [
              {
                name: 'c',
                image: 'nginx:1.27',
                resources: {limits: {cpu: '1', memory: '1Gi'}},
                livenessProbe: {httpGet: {path: '/', port: 80}},
              },
            ],
          },
        },
        expect: '201',
      },
      patch(`${pods}/p`, merge, {spec: {nodeSelector: {a: 'b'}}}, '422 Invalid FieldValueForbidden@spec', {
        loose: true,
      }),
      patch(
        `${pods}/p?fieldManager=two`,
        strategic,
        {spec: {containers: [{name: 'web', image: 'other'}]}},
        '200',
      ),
    ],
  },
  {
    name: 'a Service with its defaults',
    steps: [
      {
        ask: `POST ${services}?fieldManager=one`,
        body: {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: {name: 's'},
          spec: {selector: {app: 'd'}, ports: [{port: 80}]},
        },
        expect: '201',
      },
      {
        ask: `POST ${services}?fieldManager=one`,
        body: {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: {name: 'h'},
          spec: {clusterIP: 'None', ports: [{name: 'x', port: 80, targetPort: 'http'}]},
        },
        expect: '201',
      },
      patch(
        `${services}/s`,
        merge,
        {spec: {clusterIP: '10.96.0.77'}},
        '422 Invalid FieldValueInvalid@spec.clusterIPs[0]',
        {loose: true},
      ),
    ],
  },
  {
    name: 'a Deployment with its defaults and generations',
    steps: [
      {ask: `POST ${deployments}?fieldManager=one&dryRun=All`, body: deployment, expect: '201'},
      {ask: `POST ${deployments}?fieldManager=one`, body: deployment, expect: '201'},
      patch(`${deployments}/d?fieldManager=two`, merge, {metadata: {labels: {x: 'y'}}}, '200', {loose: true}),
      patch(`${deployments}/d?fieldManager=two`, merge, {spec: {minReadySeconds: 3}}, '200', {loose: true}),
      patch(
        `${deployments}/d/status?fieldManager=two`,
        merge,
        {spec: {minReadySeconds: 9}, status: {collisionCount: 2}},
        '200',
        {loose: true},
      ),
      {ask: `GET ${deployments}/d/scale`, expect: '200'},
      patch(
        `${deployments}/d/scale`,
        merge,
        {spec: {replicas: -1}},
        '422 Invalid FieldValueInvalid@spec.replicas',
      ),
    ],
  },
  {
    name: 'a Lease keeps its times to the microsecond',
    steps: [
      {
        ask: `POST ${leases}`,
        body: {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: {name: 'l'},
          spec: {
            holderIdentity: 'me',
            leaseDurationSeconds: 15,
            acquireTime: '2026-01-02T03:04:05.123456Z',
            renewTime: '2026-01-02T03:04:05.000000Z',
            leaseTransitions: 0,
          },
        },
        expect: '201',
      },
      {ask: `GET ${leases}/l`, expect: '200'},
    ],
  },
];

const patching: Case[] = [
  {
    name: 'a merge patch sets and removes; a null field is gone',
    steps: [
      {ask: `POST ${maps}?fieldManager=one`, body: map({n: '1', m: '2'}), expect: '201'},
      patch(
        `${maps}/a?fieldManager=two`,
        merge,
        {data: {n: null, o: '3'}, metadata: {labels: {l: '1'}}},
        '200',
      ),
      patch(`${maps}/a?fieldManager=two`, merge, {}, '200'),
      patch(`${maps}/a`, merge, '{"data":', '400 BadRequest'),
      patch(`${maps}/a`, merge, '[]', '400 BadRequest'),
      patch(`${maps}/a`, merge, {metadata: {name: 'b'}}, '400 BadRequest'),
      patch(`${maps}/a`, merge, {metadata: {resourceVersion: '1'}}, '409 Conflict'),
      patch(`${maps}/a`, merge, {data: {n: 1}}, '422 Invalid FieldValueInvalid@patch', {loose: true}),
    ],
  },
  {
    name: 'a JSON patch: all six, and those that fail',
    steps: [
      {ask: `POST ${maps}?fieldManager=one`, body: map({n: '1', m: '2'}), expect: '201'},
      patch(
        `${maps}/a?fieldManager=two`,
        json,
        [
          {op: 'test', path: '/data/n', value: '1'},
          {op: 'replace', path: '/data/n', value: '2'},
          {op: 'add', path: '/data/x.y', value: '3'},
          {op: 'copy', from: '/data/m', path: '/data/c'},
          {op: 'move', from: '/data/m', path: '/data/d'},
        ],
        '200',
        {loose: true},
      ),
      patch(`${maps}/a`, json, [{op: 'test', path: '/data/n', value: 'other'}], '422 Invalid', {loose: true}),
      patch(`${maps}/a`, json, [{op: 'remove', path: '/data/none'}], '422 Invalid', {loose: true}),
      patch(`${maps}/a`, json, [{op: 'replace', path: '/data/none', value: 'x'}], '200', {loose: true}),
      patch(`${maps}/a`, json, {op: 'add'}, '400 BadRequest', {loose: true}),
      patch(`${maps}/a`, json, [{op: 'odd', path: '/data'}], '422 Invalid', {loose: true}),
      patch(`${maps}/a`, json, [], '200'),
    ],
  },
  {
    name: 'a strategic patch merges containers by name and follows directives',
    steps: [
      {ask: `POST ${deployments}?fieldManager=one`, body: deployment, expect: '201', part: 'spec'},
      patch(
        `${deployments}/d?fieldManager=two&dryRun=All`,
        strategic,
        {
          spec: {
            template: {
              spec: {
                containers: [
                  {name: 'side', image: 'envoy'},
                  {name: 'web', env: [{name: 'A', value: '1'}]},
                ],
              },
            },
          },
        },
        '200',
        {part: 'spec'},
      ),
      patch(
        `${deployments}/d?fieldManager=two&dryRun=All`,
        strategic,
        {
          spec: {
            template: {
              spec: {
                containers: [
                  {name: 'side', image: 'envoy'},
                  {name: 'web', $patch: 'delete'},
                ],
              },
            },
          },
        },
        '200',
        {part: 'spec'},
      ),
      patch(
        `${deployments}/d?fieldManager=two&dryRun=All`,
        strategic,
        {spec: {template: {spec: {containers: [{$patch: 'replace'}, {name: 'only', image: 'x'}]}}}},
        '200',
        {part: 'spec'},
      ),
      patch(
        `${deployments}/d?fieldManager=two&dryRun=All`,
        strategic,
        {spec: {strategy: {$retainKeys: ['type'], type: 'Recreate'}}},
        '200',
        {part: 'spec'},
      ),
      patch(
        `${deployments}/d?fieldManager=two&dryRun=All`,
        strategic,
        {spec: {template: {spec: {containers: [{image: 'nameless'}]}}}},
        '500',
        {loose: true},
      ),
    ],
  },
];

const manifest = (data: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'a', ...more},
  data,
});

const applying: Case[] = [
  {
    name: 'apply creates, owns, shares, conflicts, forces and gives up',
    steps: [
      patch(`${maps}/a?fieldManager=one`, apply, manifest({x: '1', y: '1'}), '201'),
      patch(`${maps}/a?fieldManager=one`, apply, manifest({x: '1', y: '1'}), '200'),
      patch(
        `${maps}/a?fieldManager=two`,
        apply,
        manifest({x: '2'}),
        '409 Conflict FieldManagerConflict@.data.x',
      ),
      patch(`${maps}/a?fieldManager=two`, apply, manifest({x: '1'}), '200'),
      patch(`${maps}/a?fieldManager=two&force=true`, apply, manifest({x: '2'}), '200'),
      patch(`${maps}/a?fieldManager=one`, apply, manifest({y: '1'}), '200'),
      patch(`${maps}/a?fieldManager=one`, apply, manifest({}), '200'),
      patch(`${maps}/a?fieldManager=two&dryRun=All`, apply, manifest({z: '9'}), '200'),
      {ask: `GET ${maps}/a`, expect: '200'},
    ],
  },
  {
    name: 'apply meets an update: both are managers',
    steps: [
      {ask: `POST ${maps}?fieldManager=one`, body: map({x: '1'}), expect: '201'},
      patch(
        `${maps}/a?fieldManager=one`,
        apply,
        manifest({x: '2'}),
        '409 Conflict FieldManagerConflict@.data.x',
      ),
      patch(`${maps}/a?fieldManager=one&force=true`, apply, manifest({x: '2', y: '3'}), '200'),
      patch(`${maps}/a?fieldManager=three`, merge, {data: {y: '4'}}, '200'),
    ],
  },
  {
    name: 'apply of a Deployment merges lists by their keys',
    steps: [
      patch(`${deployments}/d?fieldManager=one`, apply, deployment, '201'),
      patch(
        `${deployments}/d?fieldManager=two`,
        apply,
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: {name: 'd'},
          spec: {template: {spec: {containers: [{name: 'side', image: 'envoy'}]}}},
        },
        '200',
        {loose: true},
      ),
      patch(
        `${deployments}/d?fieldManager=two`,
        apply,
        {apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'd'}, spec: {replicas: 5}},
        '409 Conflict FieldManagerConflict@.spec.replicas',
        {loose: true},
      ),
    ],
  },
  {
    name: 'apply that is not well formed',
    steps: [
      patch(`${maps}/a`, apply, manifest({x: '1'}), '422 Invalid FieldValueRequired@fieldManager'),
      patch(`${maps}/a?fieldManager=one`, apply, {metadata: {name: 'a'}, data: {}}, '400 BadRequest'),
      patch(
        `${maps}/a?fieldManager=one`,
        apply,
        {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'a'}},
        '400 BadRequest',
      ),
      patch(`${maps}/a?fieldManager=one`, apply, manifest({}, {name: 'b'}), '400 BadRequest'),
      patch(
        `${maps}/a?fieldManager=one`,
        apply,
        manifest({}, {managedFields: [{manager: 'x'}]}),
        '400 BadRequest',
      ),
      patch(`${maps}/a?fieldManager=one`, apply, 'not: [yaml', '400 BadRequest', {loose: true}),
      patch(
        `${maps}/a?fieldManager=one`,
        apply,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {from: yaml}\n',
        '201',
      ),
      patch(`${maps}/a?fieldManager=one`, apply, manifest({x: 3 as unknown as string}), '500'),
      patch(
        `${maps}/a?fieldManager=${'x'.repeat(129)}`,
        apply,
        manifest({}),
        '422 Invalid FieldValueTooLong@fieldManager',
      ),
    ],
  },
  {
    name: 'a YAML body is a body',
    steps: [
      {
        ask: `POST ${maps}?fieldManager=one`,
        type: 'application/yaml',
        body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "1"\n',
        expect: '201',
      },
      {
        ask: `POST ${maps}?fieldManager=one&fieldValidation=Strict`,
        type: 'application/yaml',
        body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\ndata:\n  k: "1"\n  k: "2"\n',
        expect: '400 BadRequest',
        loose: true,
      },
    ],
  },
];

export const writing: Record<string, Case[]> = {
  'objects are made': creating,
  'objects are patched': patching,
  'objects are applied': applying,
};

// What bad input gets, kind by kind: bodies that are not JSON, of the wrong kind or type, with illegal names,
// unknown fields, wrong versions. Nothing of it may be stored.

import type {Case, Step} from './transcript.ts';

const maps = '/api/v1/namespaces/{ns}/configmaps';
const secrets = '/api/v1/namespaces/{ns}/secrets';
const services = '/api/v1/namespaces/{ns}/services';
const pods = '/api/v1/namespaces/{ns}/pods';
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
const jobs = '/apis/batch/v1/namespaces/{ns}/jobs';
const leases = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';

function post(path: string, body: unknown, expect: string, more: Partial<Step> = {}): Step {
  return {ask: `POST ${path}`, body, expect, ...more};
}

function map(name: unknown, more: object = {}): object {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, ...more};
}

const template = {metadata: {labels: {app: 'a'}}, spec: {containers: [{name: 'c', image: 'i'}]}};

function deployment(spec: object, name = 'd'): object {
  return {apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name}, spec};
}

function pod(spec: object, name = 'p'): object {
  return {apiVersion: 'v1', kind: 'Pod', metadata: {name}, spec};
}

function service(spec: object, name = 's'): object {
  return {apiVersion: 'v1', kind: 'Service', metadata: {name}, spec};
}

const bodies: Case[] = [
  {
    name: 'bodies that are no object are refused',
    steps: [
      post(maps, '{"a":', '400 BadRequest'),
      post(maps, '', '400 BadRequest'),
      post(maps, '[]', '400 BadRequest'),
      post(maps, '"text"', '400 BadRequest'),
      post(maps, '42', '400 BadRequest'),
      post(maps, 'null', '422 Invalid FieldValueRequired@metadata.name'),
      post(maps, '{}', '422 Invalid FieldValueRequired@metadata.name'),
      {ask: `GET ${maps}?labelSelector=none`, expect: '200'},
    ],
  },
  {
    name: 'the wrong kind or version in the right place is refused',
    steps: [
      post(maps, {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'a'}}, '400 BadRequest'),
      post(maps, {apiVersion: 'v2', kind: 'ConfigMap', metadata: {name: 'a'}}, '400 BadRequest'),
      post(maps, {apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'a'}}, '400 BadRequest'),
      post(maps, {apiVersion: 'example.com/v1', kind: 'Nothing', metadata: {name: 'a'}}, '400 BadRequest'),
      post(maps, {kind: 'ConfigMap', metadata: {name: 'a'}}, '201'),
      post(maps, {apiVersion: 'v1', metadata: {name: 'a'}}, '409 AlreadyExists'),
      post(maps, {metadata: {name: 'a'}}, '409 AlreadyExists'),
    ],
  },
  {
    name: 'media types that are not understood are refused',
    steps: [
      post(maps, map('a'), '415 UnsupportedMediaType', {type: 'text/plain'}),
      post(maps, map('a'), '415 UnsupportedMediaType', {type: 'application/xml'}),
      {ask: `GET ${maps}`, accept: 'text/html', expect: '406 NotAcceptable'},
      {ask: `PATCH ${maps}/a`, body: {}, type: 'application/json', expect: '415 UnsupportedMediaType'},
    ],
  },
  {
    name: 'a body of more than three megabytes is refused',
    steps: [post(maps, map('a', {data: {x: 'x'.repeat(3_200_000)}}), '413 RequestEntityTooLarge')],
  },
  {
    name: 'a ConfigMap of more than one megabyte is refused',
    steps: [post(maps, map('a', {data: {x: 'x'.repeat(1_100_000)}}), '422 Invalid FieldValueTooLong@[]')],
  },
  {
    name: 'an object in another namespace than the path’s is refused',
    steps: [
      post(
        maps,
        {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a', namespace: 'default'}},
        '400 BadRequest',
      ),
    ],
  },
  {
    name: 'a namespace that does not exist is not found',
    steps: [
      post('/api/v1/namespaces/no-such/configmaps', map('a'), '404 NotFound'),
      {ask: 'GET /api/v1/namespaces/no-such/configmaps', expect: '200', loose: true},
    ],
  },
  {
    name: 'paths that do not exist are not found',
    steps: [
      {ask: 'GET /api/v1/nothing', expect: '404 NotFound'},
      {ask: 'GET /apis/example.com/v1/things', expect: '404'},
      {ask: 'GET /nowhere', expect: '404', loose: true},
      {ask: `GET ${maps}/none`, expect: '404 NotFound'},
      {ask: `DELETE ${maps}/none`, expect: '404 NotFound'},
      {ask: `PUT ${maps}/none`, body: map('none'), expect: '404 NotFound'},
      {ask: `PATCH ${maps}/none`, body: {}, type: 'application/merge-patch+json', expect: '404 NotFound'},
      {ask: 'POST /api/v1/configmaps', body: map('a'), expect: '405 MethodNotAllowed'},
      {ask: `PUT ${maps}`, body: map('a'), expect: '405 MethodNotAllowed'},
    ],
  },
];

const names: Case[] = [
  {
    name: 'illegal names are refused with their cause',
    steps: [
      post(maps, map('Capital'), '422 Invalid FieldValueInvalid@metadata.name'),
      post(maps, map('under_score'), '422 Invalid FieldValueInvalid@metadata.name'),
      post(maps, map('a'.repeat(254)), '422 Invalid FieldValueInvalid@metadata.name'),
      post(maps, map(''), '422 Invalid FieldValueRequired@metadata.name'),
      post(maps, map('-a'), '422 Invalid FieldValueInvalid@metadata.name'),
      post(maps, map(7), '400 BadRequest'),
      post(
        maps,
        {apiVersion: 'v1', kind: 'ConfigMap', metadata: {generateName: 'Bad_'}},
        '422 Invalid FieldValueInvalid@metadata.generateName FieldValueInvalid@metadata.name',
        {loose: true},
      ),
      post(
        '/api/v1/namespaces',
        {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'a.b'}},
        '422 Invalid FieldValueInvalid@metadata.name',
      ),
      post(services, service({ports: [{port: 1}]}, '1abc'), '201'),
      post(
        pods,
        pod({containers: [{name: 'c', image: 'i'}]}, 'A'),
        '422 Invalid FieldValueInvalid@metadata.name',
      ),
    ],
  },
  {
    name: 'illegal labels, annotations, finalizers and owners are refused',
    steps: [
      post(
        maps,
        {...map('a'), metadata: {name: 'a', labels: {'bad key!': 'v'}}},
        '422 Invalid FieldValueInvalid@metadata.labels',
      ),
      post(
        maps,
        {...map('a'), metadata: {name: 'a', labels: {k: 'bad value!'}}},
        '422 Invalid FieldValueInvalid@metadata.labels',
      ),
      post(maps, {...map('a'), metadata: {name: 'a', labels: {k: 3}}}, '400 BadRequest'),
      post(
        maps,
        {...map('a'), metadata: {name: 'a', annotations: {'bad key!': 'v'}}},
        '422 Invalid FieldValueInvalid@metadata.annotations',
      ),
      post(
        maps,
        {...map('a'), metadata: {name: 'a', finalizers: ['unqualified']}},
        '422 Invalid FieldValueInvalid@metadata.finalizers[0]',
      ),
      post(
        maps,
        {...map('a'), metadata: {name: 'a', ownerReferences: [{apiVersion: 'v1', kind: 'Pod', name: 'p'}]}},
        '422 Invalid FieldValueInvalid@metadata.ownerReferences.uid',
      ),
      post(maps, {...map('a'), metadata: {name: 'a', labels: 'none'}}, '400 BadRequest'),
    ],
  },
];

const versions: Case[] = [
  {
    name: 'a version that is not the stored one is a conflict',
    steps: [
      post(maps, map('a', {data: {n: '1'}}), '201'),
      {
        ask: `PUT ${maps}/a`,
        body: {...map('a'), metadata: {name: 'a', resourceVersion: '1'}},
        expect: '409 Conflict',
      },
      {
        ask: `PUT ${maps}/a`,
        body: {...map('a'), metadata: {name: 'a', resourceVersion: 'abc'}},
        expect: '500',
      },
      {
        ask: `PUT ${maps}/a`,
        body: {...map('a'), metadata: {name: 'a', uid: '00000000-0000-0000-0000-000000000000'}},
        expect: '409 Conflict',
      },
      {ask: `PUT ${maps}/a`, body: map('b'), expect: '400 BadRequest'},
      {
        ask: `DELETE ${maps}/a`,
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          preconditions: {uid: '00000000-0000-0000-0000-000000000000'},
        },
        expect: '409 Conflict',
      },
      {
        ask: `DELETE ${maps}/a`,
        body: {kind: 'DeleteOptions', apiVersion: 'v1', preconditions: {resourceVersion: '1'}},
        expect: '409 Conflict',
      },
      {
        ask: `DELETE ${maps}/a`,
        body: {kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Sideways'},
        expect: '422 Invalid FieldValueNotSupported@propagationPolicy',
      },
      {ask: `GET ${maps}/a`, expect: '200'},
    ],
  },
  {
    name: 'a name that is taken, and a version on create',
    steps: [
      post(maps, map('a'), '201'),
      post(maps, map('a'), '409 AlreadyExists'),
      post(maps, {...map('b'), metadata: {name: 'b', resourceVersion: '5'}}, '500'),
    ],
  },
  {
    name: 'an immutable ConfigMap stays as it is',
    steps: [
      post(maps, map('a', {data: {n: '1'}, immutable: true}), '201'),
      {
        ask: `PUT ${maps}/a`,
        body: map('a', {data: {n: '2'}, immutable: true}),
        expect: '422 Invalid FieldValueForbidden@data',
      },
      {
        ask: `PUT ${maps}/a`,
        body: map('a', {data: {n: '1'}, immutable: false}),
        expect: '422 Invalid FieldValueForbidden@immutable',
      },
    ],
  },
];

const schema: Case[] = [
  {
    name: 'unknown and doubled fields: strict, warned of, ignored',
    steps: [
      post(`${maps}?fieldValidation=Strict`, map('a', {extra: 1}), '400 BadRequest'),
      post(
        `${maps}?fieldValidation=Strict`,
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1","x":"2"}}',
        '400 BadRequest',
      ),
      post(`${maps}?fieldValidation=Warn`, map('a', {extra: 1, data: {n: '1'}}), '201 warnings:1'),
      post(`${maps}?fieldValidation=Ignore`, map('b', {extra: 1}), '201'),
      post(`${maps}?fieldValidation=Maybe`, map('c'), '422 Invalid FieldValueNotSupported@fieldValidation'),
      post(
        `${deployments}?fieldValidation=Strict`,
        deployment({selector: {matchLabels: {app: 'a'}}, template, replica: 2}),
        '400 BadRequest',
      ),
      post(`${maps}?dryRun=Some`, map('d'), '422 Invalid FieldValueNotSupported@dryRun'),
    ],
  },
  {
    name: 'wrong types are named',
    steps: [
      post(maps, map('a', {data: {n: 1}}), '400 BadRequest'),
      post(maps, map('a', {data: ['x']}), '400 BadRequest'),
      post(maps, map('a', {immutable: 'yes'}), '400 BadRequest'),
      post(maps, {apiVersion: 'v1', kind: 'ConfigMap', metadata: []}, '400 BadRequest'),
      post(
        deployments,
        deployment({replicas: 'two', selector: {matchLabels: {app: 'a'}}, template}),
        '400 BadRequest',
      ),
      post(
        deployments,
        deployment({replicas: 1.5, selector: {matchLabels: {app: 'a'}}, template}),
        '400 BadRequest',
      ),
      post(pods, pod({containers: 'none'}), '400 BadRequest'),
    ],
  },
  {
    name: 'ConfigMap and Secret data',
    steps: [
      post(maps, map('a', {data: {'bad key!': 'v'}}), '422 Invalid FieldValueInvalid@data[bad key!]'),
      post(
        maps,
        map('a', {data: {k: 'v'}, binaryData: {k: 'AAAA'}}),
        '422 Invalid FieldValueInvalid@data[k]',
      ),
      post(maps, map('a', {binaryData: {k: '%%%'}}), '400 BadRequest'),
      post(
        secrets,
        {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'a'}, data: {k: 'not base64!'}},
        '400 BadRequest',
      ),
      post(
        secrets,
        {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'a'}, data: {'bad key!': 'AAAA'}},
        '422 Invalid FieldValueInvalid@data[bad key!]',
      ),
      post(
        secrets,
        {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'a'}, type: 'kubernetes.io/tls', data: {}},
        '422 Invalid FieldValueRequired@data[tls.crt] FieldValueRequired@data[tls.key]',
      ),
      post(secrets, {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'ok'}, stringData: {k: 'v'}}, '201'),
      {
        ask: `PUT ${secrets}/ok`,
        body: {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'ok'}, type: 'other'},
        expect: '422 Invalid FieldValueInvalid@type',
      },
    ],
  },
  {
    name: 'Services',
    steps: [
      post(services, service({}), '422 Invalid FieldValueRequired@spec.ports'),
      post(
        services,
        service({ports: [{port: 0}]}),
        '422 Invalid FieldValueInvalid@spec.ports[0].port FieldValueInvalid@spec.ports[0].targetPort',
      ),
      post(
        services,
        service({ports: [{port: 70_000}]}),
        '422 Invalid FieldValueInvalid@spec.ports[0].port FieldValueInvalid@spec.ports[0].targetPort',
      ),
      post(
        services,
        service({ports: [{port: 80}, {port: 81}]}),
        '422 Invalid FieldValueRequired@spec.ports[0].name FieldValueRequired@spec.ports[1].name',
      ),
      post(
        services,
        service({
          ports: [
            {name: 'a', port: 80},
            {name: 'a', port: 81},
          ],
        }),
        '422 Invalid FieldValueDuplicate@spec.ports[1].name',
      ),
      post(
        services,
        service({ports: [{port: 80, protocol: 'FTP'}]}),
        '422 Invalid FieldValueNotSupported@spec.ports[0].protocol',
      ),
      post(
        services,
        service({type: 'Odd', ports: [{port: 80}]}),
        '422 Invalid FieldValueNotSupported@spec.type',
      ),
      post(
        services,
        service({ports: [{port: 80}], selector: {'bad key!': 'v'}}),
        '422 Invalid FieldValueInvalid@spec.selector',
      ),
      post(
        services,
        service({ports: [{port: 80}], sessionAffinity: 'Maybe'}),
        '422 Invalid FieldValueNotSupported@spec.sessionAffinity',
      ),
      post(
        services,
        service({ports: [{port: 80, targetPort: 'Not_A_Port'}]}),
        '422 Invalid FieldValueInvalid@spec.ports[0].targetPort',
      ),
      post(services, service({type: 'ExternalName'}), '422 Invalid FieldValueRequired@spec.externalName'),
    ],
  },
  {
    name: 'Pods',
    steps: [
      post(pods, pod({}), '422 Invalid FieldValueRequired@spec.containers'),
      post(pods, pod({containers: []}), '422 Invalid FieldValueRequired@spec.containers'),
      post(pods, pod({containers: [{name: 'c'}]}), '422 Invalid FieldValueRequired@spec.containers[0].image'),
      post(
        pods,
        pod({containers: [{name: 'Bad_Name', image: 'i'}]}),
        '422 Invalid FieldValueInvalid@spec.containers[0].name',
      ),
      post(
        pods,
        pod({
          containers: [
            {name: 'c', image: 'i'},
            {name: 'c', image: 'j'},
          ],
        }),
        '422 Invalid FieldValueDuplicate@spec.containers[1].name',
      ),
      post(
        pods,
        pod({containers: [{name: 'c', image: 'i', ports: [{containerPort: 0}]}]}),
        '422 Invalid FieldValueRequired@spec.containers[0].ports[0].containerPort',
      ),
      post(
        pods,
        pod({containers: [{name: 'c', image: 'i', imagePullPolicy: 'Sometimes'}]}),
        '422 Invalid FieldValueNotSupported@spec.containers[0].imagePullPolicy',
      ),
      post(
        pods,
        pod({containers: [{name: 'c', image: 'i'}], restartPolicy: 'Never ever'}),
        '422 Invalid FieldValueNotSupported@spec.restartPolicy',
      ),
      post(
        pods,
        pod({containers: [{name: 'c', image: 'i', volumeMounts: [{name: 'none', mountPath: '/x'}]}]}),
        '422 Invalid FieldValueNotFound@spec.containers[0].volumeMounts[0].name',
      ),
      post(
        pods,
        pod({containers: [{name: 'c', image: 'i', resources: {requests: {cpu: '2'}, limits: {cpu: '1'}}}]}),
        '422 Invalid FieldValueInvalid@spec.containers[0].resources.requests',
      ),
      post(
        pods,
        pod({containers: [{name: 'c', image: 'i', resources: {requests: {cpu: 'lots'}}}]}),
        '400 BadRequest',
      ),
      post(
        pods,
        pod({containers: [{name: 'c', image: 'i', env: [{name: '', value: 'v'}]}]}),
        '422 Invalid FieldValueRequired@spec.containers[0].env[0].name',
      ),
      post(
        pods,
        pod({containers: [{name: 'c', image: 'i'}], dnsPolicy: 'Odd'}),
        '422 Invalid FieldValueNotSupported@spec.dnsPolicy',
      ),
    ],
  },
  {
    name: 'Deployments',
    steps: [
      post(
        deployments,
        deployment({}),
        '422 Invalid FieldValueInvalid@spec.template.metadata.labels FieldValueRequired@spec.selector FieldValueRequired@spec.template.spec.containers',
      ),
      post(
        deployments,
        deployment({
          selector: {matchLabels: {app: 'a'}},
          template: {metadata: {labels: {app: 'b'}}, spec: template.spec},
        }),
        '422 Invalid FieldValueInvalid@spec.template.metadata.labels',
      ),
      post(deployments, deployment({selector: {}, template}), '422 Invalid FieldValueInvalid@spec.selector'),
      post(
        deployments,
        deployment({replicas: -1, selector: {matchLabels: {app: 'a'}}, template}),
        '422 Invalid FieldValueInvalid@spec.replicas',
      ),
      post(
        deployments,
        deployment({
          selector: {matchLabels: {app: 'a'}},
          template: {...template, spec: {...template.spec, restartPolicy: 'Never'}},
        }),
        '422 Invalid FieldValueNotSupported@spec.template.spec.restartPolicy',
      ),
      post(
        deployments,
        deployment({selector: {matchLabels: {app: 'a'}}, template, strategy: {type: 'Odd'}}),
        '422 Invalid FieldValueNotSupported@spec.strategy',
      ),
      post(
        deployments,
        deployment({
          selector: {matchLabels: {app: 'a'}},
          template,
          strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}},
        }),
        '422 Invalid FieldValueInvalid@spec.strategy.rollingUpdate.maxUnavailable',
      ),
      post(deployments, deployment({selector: {matchLabels: {app: 'a'}}, template, replicas: 0}), '201', {
        loose: true,
      }),
      {
        ask: `PATCH ${deployments}/d`,
        body: {spec: {selector: {matchLabels: {app: 'b'}}, template: {metadata: {labels: {app: 'b'}}}}},
        type: 'application/merge-patch+json',
        expect: '422 Invalid FieldValueInvalid@spec.selector',
      },
    ],
  },
  {
    name: 'Jobs, Leases and Namespaces',
    steps: [
      post(
        jobs,
        {apiVersion: 'batch/v1', kind: 'Job', metadata: {name: 'j'}, spec: {}},
        '422 Invalid FieldValueRequired@spec.template.spec.containers FieldValueRequired@spec.template.spec.restartPolicy',
      ),
      post(
        jobs,
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: {name: 'j'},
          spec: {template: {spec: {containers: [{name: 'c', image: 'i'}], restartPolicy: 'Always'}}},
        },
        '422 Invalid FieldValueRequired@spec.template.spec.restartPolicy',
      ),
      post(
        jobs,
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: {name: 'j'},
          spec: {
            parallelism: -1,
            template: {spec: {containers: [{name: 'c', image: 'i'}], restartPolicy: 'Never'}},
          },
        },
        '422 Invalid FieldValueInvalid@spec.parallelism',
      ),
      post(
        leases,
        {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: {name: 'l'},
          spec: {leaseDurationSeconds: 0},
        },
        '422 Invalid FieldValueInvalid@spec.leaseDurationSeconds',
      ),
      post(
        leases,
        {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: {name: 'l'},
          spec: {renewTime: 'yesterday'},
        },
        '400 BadRequest',
      ),
      post(
        leases,
        {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: {name: 'l'},
          spec: {leaseTransitions: -1},
        },
        '422 Invalid FieldValueInvalid@spec.leaseTransitions',
      ),
      post(
        '/api/v1/namespaces',
        {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'default'}},
        '409 AlreadyExists',
      ),
      {ask: 'DELETE /api/v1/namespaces/default', expect: '403 Forbidden'},
      {ask: 'DELETE /api/v1/namespaces/kube-system', expect: '403 Forbidden'},
    ],
  },
];

export const badInput: Record<string, Case[]> = {
  'bad bodies': bodies,
  'bad names': names,
  'wrong versions': versions,
  'values that do not fit': schema,
};

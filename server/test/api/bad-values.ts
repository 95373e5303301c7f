// Values that do not fit their fields, kind by kind: unknown and duplicate fields, wrong types, broken rules.

import {
  deployment,
  deployments,
  jobs,
  leases,
  map,
  maps,
  pod,
  pods,
  post,
  secrets,
  service,
  services,
  template,
} from './objects.ts';
import type {Case} from './transcript.ts';

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
];

const workloads: Case[] = [
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

export const badValues: Record<string, Case[]> = {
  'values that do not fit': [...schema, ...workloads],
};

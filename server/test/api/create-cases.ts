// What creating and updating does: defaults, ownership, generations, dry runs, status and scale.
import {
  deployments,
  leases,
  mapOf,
  maps,
  merge,
  patch,
  pods,
  services,
  strategic,
  webContainers,
  webDeployment,
} from './objects.ts';
import type {Case} from './transcript.ts';

const creating: Case[] = [
  {
    name: 'a ConfigMap, its update, an update that changes nothing, a dry run',
    steps: [
      {
        ask: `POST ${maps}?fieldManager=one`,
        body: mapOf({n: '1'}, {labels: {l: '1'}, annotations: {a: '1'}}),
        expect: '201',
      },
      {ask: `PUT ${maps}/a?fieldManager=two`, body: mapOf({n: '1', m: '2'}), expect: '200'},
      {ask: `PUT ${maps}/a?fieldManager=three`, body: mapOf({n: '1', m: '2'}), expect: '200'},
      {ask: `PUT ${maps}/a?dryRun=All&fieldManager=four`, body: mapOf({}), expect: '200'},
      {ask: `POST ${maps}?dryRun=All`, body: mapOf({n: '1'}, {name: 'b'}), expect: '201'},
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
          spec: {schedulerName: 'nobody', automountServiceAccountToken: false, containers: webContainers},
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
      {ask: `POST ${deployments}?fieldManager=one&dryRun=All`, body: webDeployment, expect: '201'},
      {ask: `POST ${deployments}?fieldManager=one`, body: webDeployment, expect: '201'},
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

export const createCases: Record<string, Case[]> = {'objects are made': creating};

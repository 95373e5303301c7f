// Responses of reads: selectors, tables, partial objects, discovery, and invalid requests.

import type {Case} from './transcript.ts';

const maps = '/api/v1/namespaces/{ns}/configmaps';
const pods = '/api/v1/namespaces/{ns}/pods';
const services = '/api/v1/namespaces/{ns}/services';
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';
const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const partials = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

const map = (name: string, labels: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name, labels},
  data: {n: name},
});
const make = (name: string, labels: object) => ({
  ask: `POST ${maps}` as const,
  body: map(name, labels),
  expect: '201',
});
const three = [make('a', {app: 'x', tier: '1'}), make('b', {app: 'x', tier: '2'}), make('c', {app: 'y'})];
const mine = 'labelSelector=app';

const selecting: Case[] = [
  {
    name: 'label selectors',
    steps: [
      ...three,
      {ask: `GET ${maps}?labelSelector=app%3Dx`, expect: '200'},
      {ask: `GET ${maps}?labelSelector=app%3D%3Dx%2Ctier!%3D1`, expect: '200'},
      {ask: `GET ${maps}?labelSelector=app%20in%20(x%2Cy)%2C!tier`, expect: '200'},
      {ask: `GET ${maps}?labelSelector=app%20notin%20(x)%2Capp`, expect: '200'},
      {ask: `GET ${maps}?labelSelector=tier`, expect: '200'},
      {ask: `GET ${maps}?labelSelector=tier%3E1`, expect: '200'},
      {ask: `GET ${maps}?labelSelector=app%3D%3D%3Dx`, expect: '400 BadRequest'},
      {ask: `GET ${maps}?labelSelector=%2C%2C`, expect: '400 BadRequest'},
      {ask: `GET ${maps}?labelSelector=bad%20key!`, expect: '400 BadRequest'},
    ],
  },
  {
    name: 'field selectors',
    steps: [
      ...three,
      {ask: `GET ${maps}?fieldSelector=metadata.name%3Db`, expect: '200'},
      {ask: `GET ${maps}?${mine}&fieldSelector=metadata.name!%3Db`, expect: '200'},
      {ask: `GET ${maps}?fieldSelector=data.n%3Da`, expect: '400 BadRequest'},
      {ask: `GET ${maps}?fieldSelector=nonsense`, expect: '400 BadRequest'},
      {ask: `GET ${pods}?fieldSelector=spec.nodeName%3Dx%2Cstatus.phase%3DRunning`, expect: '200'},
      {ask: `GET ${pods}?fieldSelector=spec.odd%3Dx`, expect: '400 BadRequest'},
      {ask: `GET /api/v1/namespaces/{ns}/secrets?fieldSelector=type%3DOpaque`, expect: '200', loose: true},
      {ask: `GET /api/v1/namespaces/{ns}/events?fieldSelector=involvedObject.name%3Dx`, expect: '200'},
    ],
  },
  {
    name: 'questions that make no sense',
    steps: [
      {ask: `GET ${maps}?limit=x`, expect: '400 BadRequest', loose: true},
      {ask: `GET ${maps}?limit=1&continue=nonsense`, expect: '400 BadRequest', loose: true},
      {ask: `GET ${maps}?resourceVersion=abc`, expect: '400 BadRequest'},
      {ask: `GET ${maps}?resourceVersion=-1`, expect: '400 BadRequest'},
      {
        ask: `GET ${maps}?resourceVersionMatch=Exact`,
        expect: '422 Invalid FieldValueForbidden@resourceVersionMatch',
      },
      {
        ask: `GET ${maps}?resourceVersion=0&resourceVersionMatch=Exact`,
        expect: '422 Invalid FieldValueForbidden@resourceVersionMatch',
      },
      {
        ask: `GET ${maps}?resourceVersion=1&resourceVersionMatch=Odd`,
        expect: '422 Invalid FieldValueNotSupported@resourceVersionMatch',
      },
      {ask: `GET ${maps}?watch=true&resourceVersion=abc`, expect: '500'},
      {
        ask: `GET ${maps}?watch=true&sendInitialEvents=true`,
        expect: '422 Invalid FieldValueForbidden@resourceVersionMatch',
      },
      {
        ask: `GET ${maps}?watch=true&resourceVersionMatch=NotOlderThan&resourceVersion=1`,
        expect: '422 Invalid FieldValueForbidden@resourceVersionMatch',
      },
      {
        ask: `GET ${maps}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
        expect: '422 Invalid FieldValueForbidden@resourceVersionMatch FieldValueForbidden@sendInitialEvents',
      },
    ],
  },
];

const shapes: Case[] = [
  {
    name: 'a table of ConfigMaps, whole and with objects',
    steps: [
      ...three,
      {ask: `GET ${maps}?${mine}`, accept: table, expect: '200', loose: true},
      {ask: `GET ${maps}?${mine}&includeObject=None`, accept: table, expect: '200', loose: true},
      {ask: `GET ${maps}/a?includeObject=Object`, accept: table, expect: '200', loose: true},
      {ask: `GET ${maps}?includeObject=Odd`, accept: table, expect: '400 BadRequest', loose: true},
    ],
  },
  {
    name: 'partial objects',
    steps: [
      ...three,
      {ask: `GET ${maps}/a`, accept: partial, expect: '200'},
      {ask: `GET ${maps}?${mine}`, accept: partials, expect: '200'},
    ],
  },
  {
    name: 'columns of the kinds people look at',
    steps: [
      {ask: `GET ${pods}?includeObject=None`, accept: table, expect: '200', loose: true},
      {ask: `GET ${services}?includeObject=None`, accept: table, expect: '200', loose: true},
      {ask: `GET ${deployments}?includeObject=None`, accept: table, expect: '200', loose: true},
    ],
  },
  {
    name: 'rights',
    steps: [
      {
        ask: 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: {resourceAttributes: {verb: 'list', resource: 'pods'}},
        },
        expect: '201',
        loose: true,
      },
      {ask: 'GET /healthz', expect: '200'},
      {ask: 'GET /livez', expect: '200'},
      {ask: 'GET /readyz', expect: '200'},
      {ask: 'GET /version', expect: '200', loose: true},
      {ask: 'GET /openapi/v3', expect: '200', loose: true},
      {ask: 'GET /openapi/v3/api/v1', expect: '200', loose: true},
    ],
  },
];

export const readCases: Record<string, Case[]> = {
  'objects are selected': selecting,
  'answers take a shape': shapes,
};

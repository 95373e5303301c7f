// Requests that are invalid for every kind: bodies that are not JSON, of the wrong kind or size, with illegal
// names, for missing paths or versions. The server stores nothing of them.

import {map, maps, pod, pods, post, service, services} from './objects.ts';
import type {Case, Step} from './transcript.ts';

/** Each line has nine aliases of the line before, nine to the eighth in all. */
const bomb = [...'abcdefgh']
  .map((name, i, all) => `${name}: &${name} [${Array(9).fill(i === 0 ? 'x' : `*${all[i - 1]}`)}]`)
  .join('\n');

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
    name: 'YAML that stands for more than it says, or for nothing, is refused',
    steps: [
      ...[bomb, 'data: {a: *b}', 'data: &a {b: *a}', 'data: {<<: 3}'].flatMap((text): Step[] => {
        const body = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n${text}\n`;
        return [
          post(maps, body, '400 BadRequest', {type: 'application/yaml'}),
          {
            ask: `PATCH ${maps}/a?fieldManager=one`,
            body,
            type: 'application/apply-patch+yaml',
            expect: '400 BadRequest',
          },
        ];
      }),
    ],
  },
  {
    name: 'a body that is deeper than any object is refused',
    steps: [post(maps, `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, '400 BadRequest')],
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

export const badRequests: Record<string, Case[]> = {
  'bad bodies': bodies,
  'bad names': names,
  'wrong versions': versions,
};

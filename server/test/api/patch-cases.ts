// What the four patches do, and how appliers share an object.
import {deployments, mapOf, maps, merge, patch, strategic, webDeployment} from './objects.ts';
import type {Case} from './transcript.ts';

const apply = 'application/apply-patch+yaml';
const json = 'application/json-patch+json';

const template = (containers: object[]) => ({spec: {template: {spec: {containers}}}});

const patching: Case[] = [
  {
    name: 'a merge patch sets and removes; a null field is gone',
    steps: [
      {ask: `POST ${maps}?fieldManager=one`, body: mapOf({n: '1', m: '2'}), expect: '201'},
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
      {ask: `POST ${maps}?fieldManager=one`, body: mapOf({n: '1', m: '2'}), expect: '201'},
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
      {ask: `POST ${deployments}?fieldManager=one`, body: webDeployment, expect: '201', part: 'spec'},
      patch(
        `${deployments}/d?fieldManager=two&dryRun=All`,
        strategic,
        template([
          {name: 'side', image: 'envoy'},
          {name: 'web', env: [{name: 'A', value: '1'}]},
        ]),
        '200',
        {part: 'spec'},
      ),
      patch(
        `${deployments}/d?fieldManager=two&dryRun=All`,
        strategic,
        template([
          {name: 'side', image: 'envoy'},
          {name: 'web', $patch: 'delete'},
        ]),
        '200',
        {part: 'spec'},
      ),
      patch(
        `${deployments}/d?fieldManager=two&dryRun=All`,
        strategic,
        template([{$patch: 'replace'}, {name: 'only', image: 'x'}]),
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
        template([{image: 'nameless'}]),
        '500',
        {loose: true},
      ),
    ],
  },
];

const applying: Case[] = [
  {
    name: 'apply creates, owns, shares, conflicts, forces and gives up',
    steps: [
      patch(`${maps}/a?fieldManager=one`, apply, mapOf({x: '1', y: '1'}), '201'),
      patch(`${maps}/a?fieldManager=one`, apply, mapOf({x: '1', y: '1'}), '200'),
      patch(
        `${maps}/a?fieldManager=two`,
        apply,
        mapOf({x: '2'}),
        '409 Conflict FieldManagerConflict@.data.x',
      ),
      patch(`${maps}/a?fieldManager=two`, apply, mapOf({x: '1'}), '200'),
      patch(`${maps}/a?fieldManager=two&force=true`, apply, mapOf({x: '2'}), '200'),
      patch(`${maps}/a?fieldManager=one`, apply, mapOf({y: '1'}), '200'),
      patch(`${maps}/a?fieldManager=one`, apply, mapOf({}), '200'),
      patch(`${maps}/a?fieldManager=two&dryRun=All`, apply, mapOf({z: '9'}), '200'),
      {ask: `GET ${maps}/a`, expect: '200'},
    ],
  },
  {
    name: 'apply meets an update: both are managers',
    steps: [
      {ask: `POST ${maps}?fieldManager=one`, body: mapOf({x: '1'}), expect: '201'},
      patch(
        `${maps}/a?fieldManager=one`,
        apply,
        mapOf({x: '2'}),
        '409 Conflict FieldManagerConflict@.data.x',
      ),
      patch(`${maps}/a?fieldManager=one&force=true`, apply, mapOf({x: '2', y: '3'}), '200'),
      patch(`${maps}/a?fieldManager=three`, merge, {data: {y: '4'}}, '200'),
    ],
  },
  {
    name: 'apply of a Deployment merges lists by their keys',
    steps: [
      patch(`${deployments}/d?fieldManager=one`, apply, webDeployment, '201'),
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
      patch(`${maps}/a`, apply, mapOf({x: '1'}), '422 Invalid FieldValueRequired@fieldManager'),
      patch(`${maps}/a?fieldManager=one`, apply, {metadata: {name: 'a'}, data: {}}, '400 BadRequest'),
      patch(
        `${maps}/a?fieldManager=one`,
        apply,
        {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'a'}},
        '400 BadRequest',
      ),
      patch(`${maps}/a?fieldManager=one`, apply, mapOf({}, {name: 'b'}), '400 BadRequest'),
      patch(
        `${maps}/a?fieldManager=one`,
        apply,
        mapOf({}, {managedFields: [{manager: 'x'}]}),
        '400 BadRequest',
      ),
      patch(`${maps}/a?fieldManager=one`, apply, 'not: [yaml', '400 BadRequest', {loose: true}),
      patch(
        `${maps}/a?fieldManager=one`,
        apply,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {from: yaml}\n',
        '201',
      ),
      patch(`${maps}/a?fieldManager=one`, apply, mapOf({x: 3 as unknown as string}), '500'),
      patch(
        `${maps}/a?fieldManager=${'x'.repeat(129)}`,
        apply,
        mapOf({}),
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

export const patchCases: Record<string, Case[]> = {
  'objects are patched': patching,
  'objects are applied': applying,
};

// What deletes leave behind: finalizers, preconditions, collections.

import type {Case} from './transcript.ts';

const maps = '/api/v1/namespaces/{ns}/configmaps';
const merge = 'application/merge-patch+json';
const map = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name, labels: {suite: 'a'}, ...metadata},
});

export const deleteCases: Record<string, Case[]> = {
  'objects are deleted': [
    {
      name: 'a finalizer holds the object until it is taken off',
      steps: [
        {
          ask: `POST ${maps}?fieldManager=one`,
          body: map('a', {finalizers: ['example.com/hold']}),
          expect: '201',
        },
        {ask: `DELETE ${maps}/a`, expect: '200'},
        {ask: `GET ${maps}/a`, expect: '200'},
        {ask: `DELETE ${maps}/a`, expect: '200'},
        {
          ask: `PATCH ${maps}/a`,
          type: merge,
          body: {metadata: {finalizers: ['example.com/hold', 'example.com/more']}},
          expect:
            '422 Invalid FieldValueForbidden@metadata.finalizers FieldValueForbidden@metadata.finalizers',
        },
        {
          ask: `PATCH ${maps}/a?fieldManager=two`,
          type: merge,
          body: {data: {still: 'writable'}},
          expect: '200',
        },
        {ask: `PATCH ${maps}/a`, type: merge, body: {metadata: {finalizers: null}}, expect: '200'},
        {ask: `GET ${maps}/a`, expect: '404 NotFound'},
      ],
    },
    {
      name: 'a foreground delete waits for what it owns; orphans are left',
      steps: [
        {ask: `POST ${maps}`, body: map('a'), expect: '201'},
        {
          ask: `DELETE ${maps}/a`,
          body: {kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground', dryRun: ['All']},
          expect: '200',
        },
        {
          ask: `DELETE ${maps}/a`,
          body: {kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0},
          expect: '200',
        },
        {ask: `DELETE ${maps}/a`, body: '{"not json', expect: '400 BadRequest', loose: true},
      ],
    },
    {
      name: 'a collection by its selector',
      steps: [
        {ask: `POST ${maps}`, body: map('a'), expect: '201'},
        {ask: `POST ${maps}`, body: map('b'), expect: '201'},
        {ask: `POST ${maps}`, body: map('c', {labels: {suite: 'b'}}), expect: '201'},
        {ask: `DELETE ${maps}?labelSelector=suite%3Da`, expect: '200', loose: true},
        {ask: `GET ${maps}?labelSelector=suite`, expect: '200'},
      ],
    },
  ],
};

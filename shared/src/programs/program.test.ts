import {expect, test} from 'vitest';
import {type FromProgramInput, fromProgramSchema, toProgramSchema} from './program.ts';

const said: FromProgramInput[] = [
  {type: 'hello', protocol: 1, name: 'my-operator', instance: '0123456789abcdef', pid: 1},
  {type: 'collections', collections: [{name: 'Pods', kind: 'source'}]},
  {type: 'snapshot', sequence: 4, at: 1, items: [['Pods', 'a/b', {spec: {}}]], last: true},
  {
    type: 'batch',
    sequence: 5,
    received: 1,
    settled: 2,
    changes: [{collection: 'Pods', key: 'a/b', event: 'delete', run: null}],
    runs: [{collection: 'Ready', input: 'a/b', outcome: 'deleted'}],
  },
  {type: 'gap', from: 1, to: 2, text: 'slow'},
  {type: 'controllers', controllers: [{name: 'database', workers: 1}]},
  {type: 'queue', controller: 'database', at: 1, requests: [{key: 'a/b', state: 'delayed', due: 9}]},
  {
    type: 'facts',
    facts: [
      {fact: 'enqueue', controller: 'database', at: 1, key: 'a/b', reason: 'event', event: 3, added: 'ready'},
      {fact: 'start', controller: 'database', at: 2, run: 'r1', key: 'a/b', attempt: 1},
      {
        fact: 'end',
        controller: 'database',
        at: 3,
        run: 'r1',
        key: 'a/b',
        attempt: 1,
        took: 1,
        result: 'done',
      },
    ],
  },
];

test('what a sender may leave out is filled in', () => {
  const read = said.map(message => fromProgramSchema.parse(JSON.parse(JSON.stringify(message))));
  expect(read[1]).toEqual({
    type: 'collections',
    collections: [{name: 'Pods', kind: 'source', from: [], synced: true}],
  });
  expect(read[3]).toMatchObject({runs: [{causes: [], fetches: [], outputs: []}], synced: []});
});

test.each([
  ['a name that would not fit an address', {...said[0], name: 'a/b'}],
  ['a name that is empty', {...said[0], name: ''}],
  ['a message of no known type', {type: 'exec'}],
  ['a time that is no number', {type: 'gap', from: 'now', to: 2, text: ''}],
  ['a place before the first', {...said[3], changes: [{collection: 'P', key: 'k', event: 'add', run: -1}]}],
])('%s is refused', (_, message) => {
  expect(fromProgramSchema.safeParse(message).success).toBe(false);
});

test('the server answers in three words', () => {
  const words = [
    {type: 'welcome', protocol: 1, session: 'program:x'},
    {type: 'resync', reason: 'the engine process was started again'},
    {type: 'refused', code: 'too-many', message: '8 programs are connected', retry: true},
  ];
  for (const word of words) expect(toProgramSchema.parse(word)).toEqual(word);
});

import {expect, test} from 'vitest';
import {makeCluster, sourceNames} from '../../graph/testing-cluster.ts';
import type {FromHost, ToHost} from '../link/host-messages.ts';
import {Host} from './host.ts';
import {startOptions} from './testing-start-options.ts';

/** The messages of a process that got these before its start message. */
function startHostAfter(before: readonly ToHost[]): {atFirst: FromHost[]; answer: unknown} {
  const said: FromHost[] = [];
  const host = new Host(
    message => said.push(message),
    error => {
      throw error;
    },
  );
  for (const message of before) host.take(message);
  const atFirst = [...said];
  host.take({type: 'start', options: startOptions});
  host.take({type: 'replay', objects: JSON.stringify(makeCluster({pods: 40}))});
  host.take({
    type: 'replay-end',
    reports: sourceNames.map(name => [name, {state: 'synced', synced: true}]),
    rows: [],
    lives: '{"collections":[],"modules":[]}',
  });
  host.take({type: 'ask', id: 1, question: {ask: 'graph'}});
  const answer = said.find(message => message.type === 'answer');
  const timeless = (name: string, value: unknown) => (name === 'at' ? undefined : value);
  return {atFirst, answer: answer?.type === 'answer' ? JSON.parse(answer.value, timeless) : undefined};
}

test('a process that has practised says nothing of it, and is like one that has not', () => {
  const strange = ['Widgets', 'a', {metadata: {name: 'a'}}];
  const objects = JSON.stringify([...makeCluster({pods: 60}), strange]);
  const practised = startHostAfter([
    {type: 'practise', objects, last: false},
    {type: 'practise', objects, last: true},
  ]);
  expect(practised.atFirst).toEqual([]);
  expect(practised.answer).toMatchObject({sequence: expect.any(Number), collections: expect.any(Array)});
  expect(practised.answer).toEqual(startHostAfter([]).answer);
});

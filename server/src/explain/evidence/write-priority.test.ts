// People's writes come before those of controllers in the Overview, the timeline and the trace.

import type {TraceAnswer} from '@krtscope/shared/run.ts';
import {type Stats, statsSchema, type Timeline, timelineSchema} from '@krtscope/shared/timeline.ts';
import {expect, test} from 'vitest';
import {createTestGraphHost, namespace, pod, service} from '../../engine/host/query/testing-graph-host.ts';

const by = (manager: string) => ({manager, operation: 'Update'});

test('what a person wrote stands first, however much the kubelet writes after it', () => {
  const r = createTestGraphHost();
  r.write(
    {Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]},
    by('kubectl'),
  );
  r.sync();
  const person = r.write({Pods: [pod('web-1', {app: 'wbe'})]}, by('kubectl-label'));
  for (let beat = 0; beat < 30; beat++)
    r.write({Pods: [pod('web-1', {app: 'wbe'}, {ip: `10.0.9.${beat}`})]}, by('kubelet'));
  r.write({Pods: [pod('web-2')]}, by('kube-controller-manager'));
  const {writes, writeCounts} = statsSchema.parse(r.ask<Stats>({ask: 'stats'}));
  expect(writes[0]).toMatchObject({sequence: person, signal: 'person', path: 'metadata.labels.app'});
  expect(writes.map(one => one.signal)).toEqual(['person', 'controller', ...Array(6).fill('churn')]);
  expect(writeCounts).toEqual({person: 1, controller: 1, churn: 30});
  const {buckets} = timelineSchema.parse(r.ask<Timeline>({ask: 'timeline', buckets: 1}));
  expect(buckets[0]).toMatchObject({people: 1});
  const {runs} = r.ask<TraceAnswer>({ask: 'trace', collection: 'Workloads', limit: 1000});
  expect(runs.find(run => run.sequence === person)?.signal).toBe('person');
  expect(runs.filter(run => run.signal === 'churn').length).toBeGreaterThan(20);
});

test('what nobody signed may be somebody’s intent, unless a controller keeps it or it was asked to go before', () => {
  const r = createTestGraphHost();
  const owned = {ownerReferences: [{kind: 'ReplicaSet', name: 'web', uid: 'r', controller: true}]};
  const kept = {...pod('web-1'), metadata: {...pod('web-1').metadata, ...owned}};
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})]}, by('kubectl'));
  r.write({Pods: [kept, pod('alone')]}, by('kubectl'));
  r.sync();
  const going = {...pod('alone').metadata, deletionTimestamp: '2026-11-17T04:00:00Z'};
  const expected = [
    [r.write({Services: ['shop/web']}), 'person'],
    [r.write({Pods: [pod('web-1')]}), 'controller'],
    [r.write({Pods: [kept]}, by('kube-controller-manager')), 'controller'],
    [r.write({Pods: ['shop/web-1']}), 'controller'],
    [r.write({Pods: [{...pod('alone'), metadata: going}]}), 'person'],
    [r.write({Pods: ['shop/alone']}), 'controller'],
  ];
  const {writes} = r.ask<Stats>({ask: 'stats'});
  for (const [sequence, signal] of expected)
    expect(writes.find(one => one.sequence === sequence)).toMatchObject({sequence, signal});
  expect(writes.filter(one => one.writer === undefined)).toHaveLength(expected.length - 1);
});

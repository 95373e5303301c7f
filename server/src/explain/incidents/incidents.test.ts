// Incidents: one origin with all findings that follow from it, recorded when they open, grow and end.
import type {Checks} from '@krtscope/shared/checks.ts';
import {type Incident, type Incidents, incidentsSchema} from '@krtscope/shared/incidents.ts';
import {expect, test} from 'vitest';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';
import {reopenAsFile} from '../../engine/host/query/testing-reopened-file.ts';

const kubectl = {manager: 'kubectl-label', operation: 'Update'};

function incidents(r: TestGraphHost, more: {at?: number; state?: 'open' | 'ended' | 'all'} = {}): Incident[] {
  const question = {ask: 'incidents' as const, ...more};
  const answer = incidentsSchema.parse(r.ask<Incidents>(question));
  expect(reopenAsFile(r).ask<Incidents>(question)).toEqual(answer);
  return answer.incidents;
}

function owned(name: string, labels: Record<string, string>): HostTestObject {
  const made = pod(name, labels, {ip: `10.0.1.${name.at(-1)}`});
  const ownerReferences = [{kind: 'StatefulSet', name: 'catalog', uid: 'u', controller: true}];
  return {...made, metadata: {...made.metadata, ownerReferences}};
}

function crashing(name: string, reason = 'CrashLoopBackOff'): HostTestObject {
  const sick = pod(name);
  const containerStatuses = [{name: 'c', restartCount: 3, state: {waiting: {reason}}}];
  return {...sick, status: {...(sick.status as object), containerStatuses}};
}

function shop(): TestGraphHost {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Namespaces: [namespace('shop')],
    Services: [service('catalog', {app: 'catalog'})],
    Pods: [owned('c-0', {app: 'catalog'}), owned('c-1', {app: 'catalog'})],
  });
  r.runChecks();
  return r;
}

test('an incident names the write, what would mend it, and is there from its opening on', () => {
  const r = shop();
  expect(incidents(r)).toEqual([]);
  const written = r.write({Pods: [owned('c-1', {app: 'catlog'})]}, kubectl);
  r.runChecks();
  const began = r.records.newest();
  const [incident] = incidents(r);
  expect(incident).toMatchObject({
    id: `${began} unselected-pod Pods shop/c-1`,
    severity: 'warning',
    began,
    origin: {
      write: {collection: 'Pods', key: 'shop/c-1', path: 'metadata.labels.app', sequence: written},
      fix: 'kubectl -n shop label pod c-1 app=catalog --overwrite',
    },
    symptoms: [{code: 'unselected-pod', collection: 'Pods', keys: ['shop/c-1'], began}],
  });
  expect(incident?.sentence).toMatch(
    /^No Service selects Pod shop\/c-1: it has app=catlog, and Service shop\/catalog selects app=catalog\. kubectl-label changed label app of Pod shop\/c-1 from catalog to catlog at /,
  );
  expect(incidents(r, {at: began - 1})).toEqual([]);
  r.write({Pods: [owned('c-0', {app: 'catalog', v: '2'})]});
  r.runChecks();
  expect(incidents(r)).toEqual([incident]);
  expect(incidents(r, {at: began})).toEqual([incident]);
});

test('what the same write brought about joins it', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Namespaces: [namespace('shop')],
    Services: [service('a', {app: 'web'}), service('b', {app: 'web'})],
    Pods: [pod('web-1')],
  });
  r.runChecks();
  r.write({Pods: [pod('web-1', {app: 'wbe'})]}, kubectl);
  r.runChecks();
  const [incident, ...others] = incidents(r);
  expect(others).toEqual([]);
  expect(incident?.symptoms).toMatchObject([
    {code: 'selects-nothing', collection: 'Services', keys: ['shop/a', 'shop/b']},
  ]);
});

test('a symptom that comes and goes is one incident, which ends a minute after the last of it', () => {
  const r = shop();
  r.write({Pods: [crashing('pay-1')]});
  r.runChecks();
  const [{id} = {id: ''}] = incidents(r);
  for (let turn = 0; turn < 3; turn++) {
    r.write({Pods: [crashing('pay-1', 'ContainerCreating')]});
    r.runChecks();
    expect(incidents(r)).toMatchObject([{id, symptoms: [{code: 'crash-loop', ended: expect.any(Number)}]}]);
    r.write({Pods: [crashing('pay-1')]});
    r.runChecks();
    expect(incidents(r).filter(one => one.id === id)[0]?.symptoms[0]?.ended).toBeUndefined();
  }
  const last = r.records.newest();
  r.runChecks();
  r.write({Pods: [crashing('pay-1', 'ContainerCreating')]});
  r.runChecks();
  r.runChecks(50_000);
  expect(incidents(r).some(one => one.id === id)).toBe(true);
  r.runChecks(61_000);
  expect(incidents(r).some(one => one.id === id)).toBe(false);
  expect(incidents(r, {state: 'ended'}).find(one => one.id === id)).toMatchObject({ended: last});
  expect(incidents(r, {at: last}).some(one => one.id === id)).toBe(true);
});

test('credentials that are not accepted are one incident that names every source, read by others or not', () => {
  const r = shop();
  for (const source of ['Nodes', 'Pods', 'Secrets'])
    r.report(source, {state: 'unauthorized', synced: false, reason: 'the token is not known'});
  r.runChecks();
  const [incident, ...others] = incidents(r);
  expect(others).toEqual([]);
  expect(incident).toMatchObject({title: '3 sources cannot be read', severity: 'error'});
  expect(incident?.sentence).toContain('the token is not known');
});

test('failures of sources are one incident, and what is only worth knowing makes none', () => {
  const r = shop();
  for (const source of ['Nodes', 'Services', 'Secrets'])
    r.report(source, {state: 'unreachable', synced: false, reason: 'connection refused'});
  r.runChecks();
  const all = incidents(r);
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({title: '3 sources cannot be read', severity: 'error', origin: {write: null}});
  expect(all.flatMap(one => one.symptoms).every(one => one.severity !== 'info')).toBe(true);
});

test('sources that are no longer current are one incident, which says since when and why, and ends with them', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({Namespaces: [namespace('shop')], Pods: [pod('a')]});
  const asOf = Date.UTC(2026, 10, 17, 15, 4, 12);
  const behind = (current: boolean) =>
    r.live.freshen(['Pods', 'Services'].map(collection => ({collection, asOf, current})));
  r.report('Pods', {state: 'reconnecting', reason: 'etcdserver: leader changed', synced: true});
  r.runChecks();
  // A watch that reopens at once is not worth a finding.
  expect(incidents(r)).toEqual([]);
  behind(false);
  r.report('Services', {state: 'unauthorized', reason: 'the token expired', synced: true});
  r.runChecks();
  const checks = r.ask<Checks>({ask: 'checks'}).checks;
  expect(checks.find(({code}) => code === 'stale')).toMatchObject({
    collection: 'Pods',
    message:
      'Pods has had no data since 15:04:12 UTC: etcdserver: leader changed; what is computed from it is as old',
  });
  expect(checks.find(({code}) => code === 'unauthorized')).toMatchObject({
    collection: 'Services',
    message: 'Services: the token expired',
  });
  expect(
    checks.filter(({code}) => code === 'stale' || code === 'unauthorized').some(one => one.unknown),
  ).toBe(false);
  expect(incidents(r).map(({symptoms}) => symptoms.map(({code}) => code).sort())).toEqual([
    ['stale', 'unauthorized'],
  ]);
  behind(true);
  for (const source of ['Pods', 'Services']) r.report(source, {state: 'synced', synced: true});
  r.runChecks();
  r.runChecks(61_000);
  expect(incidents(r)).toEqual([]);
});

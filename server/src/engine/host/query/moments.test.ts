// A moment is one state in every answer. Answers about it stay the same, live and from a file.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Incidents} from '@krtscope/shared/incidents.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {QuestionInput} from '@krtscope/shared/questions.ts';
import {expect, test, vi} from 'vitest';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from './testing-graph-host.ts';
import {reopenAsFile} from './testing-reopened-file.ts';

type Ask = <T>(question: QuestionInput) => T;

/** The answers without rates, which depend on a time range, and without ages. */
function answersAt(ask: Ask, at?: number): unknown {
  const graph = ask<Graph>({ask: 'graph', at});
  const checks = ask<Checks>({ask: 'checks', at});
  const {incidents, open, ended} = ask<Incidents>({ask: 'incidents', state: 'all', at});
  return {
    collections: graph.collections.map(({name, kind, size, synced, state, reason, runs, failed}) => ({
      name,
      kind,
      size,
      synced,
      state,
      reason,
      runs,
      failed,
    })),
    edges: graph.edges.map(({from, to, kind}) => `${from} ${kind} ${to}`).sort(),
    checks: checks.checks,
    promises: checks.promises,
    incidents,
    open,
    ended,
  };
}

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

function crashing(name: string, reason: string): HostTestObject {
  const sick = pod(name);
  const containerStatuses = [{name: 'c', restartCount: 3, state: {waiting: {reason}}}];
  return {...sick, status: {...(sick.status as object), containerStatuses}};
}

function randomWrite(
  r: TestGraphHost,
  next: (below: number) => number,
  model: Map<string, HostTestObject>,
): void {
  const name = `web-${next(6)}`;
  const key = `shop/${name}`;
  switch (next(7)) {
    case 0:
      r.write({Pods: [key]});
      model.delete(key);
      return;
    case 1:
      r.write({Services: [service('web', {app: ['web', 'api', 'none'][next(3)] as string})]});
      return;
    case 2:
      r.report('Nodes', {state: next(2) === 0 ? 'unreachable' : 'synced', synced: true, reason: 'refused'});
      return;
    case 3:
      r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': `w${next(2)}`})]});
      return;
    default: {
      const made =
        next(4) === 0
          ? crashing(name, ['CrashLoopBackOff', 'ContainerCreating'][next(2)] as string)
          : pod(name, {app: ['web', 'api'][next(2)] as string}, {ip: `10.0.0.${next(200)}`});
      r.write({Pods: [made]});
      model.set(key, made);
    }
  }
}

test('fifty moments are told the same at once, later and from a file, and their rows are those of a model', () => {
  const r = createTestGraphHost();
  const next = numbers(7);
  const model = new Map<string, HostTestObject>();
  const start = performance.now();
  let clock = start;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  r.sync();
  r.write({Services: [service('web', {app: 'web'})], Namespaces: [namespace('shop')]});
  const seen: {at: number; said: unknown; pods: string[]; labels: unknown[]}[] = [];
  for (let round = 0; round < 150; round++) {
    // Minutes pass: incidents end, rates fall.
    clock += 200 + next(4000);
    randomWrite(r, next, model);
    if (next(2) === 0) r.runChecks();
    if (next(3) > 0) continue;
    const keys = [...model.keys()].sort();
    const labels = keys.map(key => model.get(key)?.metadata.labels);
    seen.push({at: r.records.newest(), said: structuredClone(answersAt(r.ask)), pods: keys, labels});
  }
  expect(seen.length).toBeGreaterThan(40);
  clock += 300_000;
  const file = reopenAsFile(r);
  for (const ask of [r.ask, file.ask] as Ask[])
    for (const {at, said, pods, labels} of seen) {
      expect([at, answersAt(ask, at)]).toEqual([at, said]);
      const {items} = ask<Items>({ask: 'items', collection: 'Pods', at, limit: 1000});
      expect(items.map(({key}) => key)).toEqual(pods);
      expect(items.map(({value}) => (value as HostTestObject).metadata.labels)).toEqual(labels);
    }
  const all = seen.at(-1)?.said as {ended: number};
  expect(all.ended).toBeGreaterThan(0);
});

// A user with few rights on a real server: computes what is possible, and names the missing rights.

import {expect, test} from 'vitest';
import {resources} from '../../src/kube/resource.ts';
import {grant, LimitedUser, namespacedKinds} from './rights.ts';
import type {TrialSession} from './trial-session.ts';

export function rightsSuite(trialSession: () => TrialSession): void {
  test('rights in one namespace, and to read it by name: everything is there but what needs Nodes, which says so', async () => {
    const {server} = trialSession().plane;
    const namespace = trialSession().writeLog.namespace;
    const rules = [
      ...namespacedKinds(['get', 'list', 'watch']),
      {apiGroups: [''], resources: ['namespaces'], verbs: ['get']},
    ];
    const take = await grant(server, 'one-namespace', rules, namespace);
    const visitor = await LimitedUser.open(server, {token: server.userToken}, ['--namespace', namespace]);
    try {
      await visitor.ready();
      expect(await visitor.keys('Namespaces')).toEqual([namespace]);
      expect((await visitor.node('Namespaces')).reason).toContain('read by name every 10 s');
      expect(await visitor.keys('Workloads')).toContain(`${namespace}/pod-0`);
      expect(await visitor.node('Nodes')).toMatchObject({state: 'forbidden', synced: false});
      expect((await visitor.node('Nodes')).hint).toMatch(/kubectl .*auth can-i list nodes/);
      expect(await visitor.node('ClusterSummary')).toMatchObject({synced: false, waitingFor: 'Nodes'});
      for (const name of ['Workloads', 'Backends', 'ServiceInfos'])
        expect(await visitor.node(name)).toMatchObject({synced: true});
    } finally {
      await visitor.close();
      await take();
    }
  }, 120_000);

  test('the right to list and not to watch, none to Nodes and Namespaces: polled, and what needs those names them', async () => {
    const {server} = trialSession().plane;
    const take = await grant(server, 'list-only', namespacedKinds(['list']));
    const visitor = await LimitedUser.open(server, {token: server.userToken});
    try {
      await visitor.ready();
      expect(await visitor.node('Pods')).toMatchObject({state: 'synced', synced: true});
      expect((await visitor.node('Pods')).reason).toContain(
        'listed every 10 s, because you may not watch it',
      );
      expect(await visitor.node('Workloads')).toMatchObject({synced: false, waitingFor: 'Namespaces'});
      expect(await visitor.node('ServiceInfos')).toMatchObject({synced: true});
      const name = `late-${trialSession().writeLog.writes}`;
      await server.client.create(resources.ConfigMaps, {metadata: {namespace: 'default', name}});
      await visitor.until('polled', async () =>
        (await visitor.keys('ConfigMaps')).includes(`default/${name}`),
      );
    } finally {
      await visitor.close();
      await take();
    }
  }, 120_000);
}

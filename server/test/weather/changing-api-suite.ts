// A real server's API changes during a watch: an aggregated API whose server is down, and a kind that
// appears, moves to another version and disappears.

import {afterAll, beforeAll, expect, test} from 'vitest';
import {type Resource, resources} from '../../src/kube/resource.ts';
import type {TestServer} from '../servers.ts';
import {LimitedUser} from './rights.ts';

const apiServices: Resource = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  plural: 'apiservices',
  kind: 'APIService',
  namespaced: false,
};

const widgets = (version: string): Resource => ({
  group: 'odd.example.io',
  version,
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
});

const widget = (version: string, name: string) => ({
  apiVersion: `odd.example.io/${version}`,
  kind: 'Widget',
  metadata: {namespace: 'default', name},
});

const schema = {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}};

/** The kind with these versions. The last one is stored. */
const definition = (...served: [string, boolean][]) => ({
  metadata: {name: 'widgets.odd.example.io'},
  spec: {
    group: 'odd.example.io',
    scope: 'Namespaced',
    names: {plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList'},
    versions: served.map(([name, isServed], at) => ({
      name,
      served: isServed,
      storage: at === served.length - 1,
      schema,
    })),
  },
});

export function changingApiSuite(serverNow: () => TestServer): void {
  let server: TestServer;
  let visitor: LimitedUser;
  beforeAll(async () => {
    server = serverNow();
    visitor = await LimitedUser.open(server, {token: server.token});
    await visitor.ready();
  });
  afterAll(() => visitor.close());

  test('an aggregated API whose server is down: it is named, and everything else is there', async () => {
    await server.client.create(apiServices, {
      metadata: {name: 'v1beta1.down.example.io'},
      spec: {
        group: 'down.example.io',
        version: 'v1beta1',
        service: {namespace: 'default', name: 'nobody'},
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
      },
    } as never);
    try {
      await visitor.until('named', async () => {
        const {failed, kinds} = await visitor.session.kinds();
        expect(kinds.map(({name}) => name)).toContain('Pods');
        return failed.includes('down.example.io/v1beta1');
      });
      await expect(visitor.session.addSource('things.down.example.io')).rejects.toMatchObject({
        code: 'not-found',
        message: expect.stringContaining('down.example.io/v1beta1 did not answer'),
      });
      expect((await visitor.session.addSource('leases')).name).toBe('Leases');
      await visitor.ready();
    } finally {
      await server.client.delete(apiServices, {name: 'v1beta1.down.example.io'});
    }
  }, 120_000);

  test('a kind that comes, moves to another version while it is watched, and goes', async () => {
    const {client} = server;
    const name = 'widgets.odd.example.io';
    const key = 'default/one';
    await client.create(resources.CustomResourceDefinitions, definition(['v1', true]) as never);
    await visitor.until('served', async () => {
      const added = await visitor.session.addSource('widgets').catch(() => undefined);
      return added?.name === 'Widgets';
    });
    await client.create(widgets('v1'), widget('v1', 'one'));
    await visitor.until('there', async () => (await visitor.keys('Widgets')).includes(key));

    // Rows stay during the move, because the objects are the same.
    const seen: string[] = [];
    const {metadata} = await client.get(resources.CustomResourceDefinitions, {name});
    const next = {...definition(['v1', false], ['v2', true]), metadata: {...metadata}};
    await client.update(resources.CustomResourceDefinitions, next as never);
    await visitor.until('moved', async () => {
      const {state, size, resource} = await visitor.node('Widgets');
      seen.push(`${state} ${size}`);
      return resource?.version === 'v2' && state === 'synced';
    });
    expect(seen.filter(one => !one.endsWith(' 1'))).toEqual([]);
    expect(seen.filter(one => one.startsWith('not installed'))).toEqual([]);
    await client.create(widgets('v2'), widget('v2', 'two'));
    await client.delete(widgets('v2'), {namespace: 'default', name: 'one'});
    await visitor.until('followed', async () => String(await visitor.keys('Widgets')) === 'default/two');

    await client.delete(resources.CustomResourceDefinitions, {name});
    await visitor.until('gone', async () => (await visitor.node('Widgets')).state === 'not installed');
    expect(await visitor.keys('Widgets')).toEqual([]);
    await visitor.ready();
  }, 180_000);
}

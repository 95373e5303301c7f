// A server from before EndpointSlices were v1: they are read in the version that it has. Where there is no such server,
// servers.ts says so.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {parseConfig} from '../src/config.ts';
import type {OpenSession} from '../src/engine/link/session.ts';
import {resources} from '../src/kube/resource.ts';
import {SessionList} from '../src/session/session-list.ts';
import {realServers, startReal, type TestServer} from './servers.ts';

describe.runIf(realServers !== undefined)('Kubernetes v1.20', () => {
  let server: TestServer;
  let sessions: SessionList;
  let session: OpenSession;
  const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-old-'));

  beforeAll(async () => {
    server = await startReal('v1.20');
    const args = ['--kubeconfig', server.kubeconfig, '--data-dir', dataDir];
    sessions = new SessionList(parseConfig(args, {}).config, 'test');
    await sessions.chooseFirst({});
    session = sessions.first();
  });
  afterAll(async () => {
    await sessions.stop();
    await server.stop();
    rmSync(dataDir, {recursive: true, force: true});
  });

  const nodes = async () => ((await session.link.ask({ask: 'graph'})) as Graph).collections;

  test('EndpointSlices are read as v1beta1, and what is computed from them agrees with the Pods', async () => {
    const metadata = {namespace: 'default', name: 'web', labels: {app: 'web'}};
    // Its controller leaves out Pods of nodes that it does not know.
    await server.client.create(resources.Nodes, {metadata: {name: 'n1'}});
    await server.client.create(resources.Services, {
      metadata,
      spec: {selector: {app: 'web'}, ports: [{port: 80}]},
    });
    await server.client.create(resources.Pods, {
      metadata,
      spec: {nodeName: 'n1', containers: [{name: 'main', image: 'web'}]},
    });
    await server.client.patch(
      resources.Pods,
      metadata,
      {
        status: {
          phase: 'Running',
          podIP: '10.1.2.3',
          podIPs: [{ip: '10.1.2.3'}],
          conditions: [{type: 'Ready', status: 'True'}],
        },
      },
      {type: 'merge', subresource: 'status'},
    );
    await expect
      .poll(async () => (await nodes()).find(({name}) => name === 'EndpointSlices'), {timeout: 40_000})
      .toMatchObject({state: 'synced', resource: {version: 'v1beta1'}});
    await expect
      .poll(
        async () => {
          const question = {ask: 'items', collection: 'Backends', limit: 100} as const;
          const {items} = (await session.link.ask(question)) as Items;
          return items
            .map(({value}) => value as {service: string; agreement: string})
            .filter(({service}) => service === 'web')
            .map(({agreement}) => agreement);
        },
        {timeout: 40_000},
      )
      .toEqual(['agree']);
    await expect.poll(async () => (await session.ready()).reasons, {timeout: 40_000}).toEqual([]);
  }, 120_000);
});

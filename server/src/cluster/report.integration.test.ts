// The cluster process reports its controllers over its own channel, with the messages of any program.
import {fork} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import type {FromCluster} from './main.ts';
import {TestHttpsClient} from './testing-https-client.ts';

interface Fact {
  fact: string;
  controller: string;
  key?: string;
  kind?: string;
  verb?: string;
}

test('a Deployment that is made is reconciled, and every step of it is told', async () => {
  const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const facts: Fact[] = [];
  const names = new Set<string>();
  const hello = Promise.withResolvers<{name: string}>();
  const ready = Promise.withResolvers<Extract<FromCluster, {type: 'ready'}>>();
  const settled = Promise.withResolvers<void>();
  child.on('message', (message: FromCluster) => {
    if (message.type === 'ready') ready.resolve(message);
    if (message.type === 'failed') ready.reject(new Error(message.message));
    if (message.type !== 'program') return;
    const told = JSON.parse(message.text);
    if (told.type === 'hello') hello.resolve(told);
    if (told.type === 'controllers') for (const {name} of told.controllers) names.add(name);
    if (told.type === 'facts') facts.push(...told.facts);
    if (facts.some(one => one.controller === 'replicaset-controller' && one.fact === 'end'))
      settled.resolve();
  });
  try {
    child.send({type: 'start', options: {shop: false, pace: 0}});
    const wire = new TestHttpsClient(await ready.promise);
    expect((await hello.promise).name).toBe('krtscope-cluster');
    child.send({type: 'program', text: JSON.stringify({type: 'welcome', session: 'demo'})});
    await wire.post('/apis/apps/v1/namespaces/default/deployments', {
      metadata: {name: 'web'},
      spec: {
        replicas: 1,
        selector: {matchLabels: {app: 'web'}},
        template: {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'c', image: 'x'}]}},
      },
    });
    await settled.promise;
    expect([...names].sort()).toEqual([
      'daemonset-controller',
      'deployment-controller',
      'disruption-controller',
      'endpointslice-controller',
      'garbage-collector-controller',
      'job-controller',
      'replicaset-controller',
      'statefulset-controller',
    ]);
    const of = facts.filter(one => one.controller === 'deployment-controller' && one.key === 'default/web');
    const steps = of.map(one => one.fact);
    expect(steps.slice(0, 3)).toEqual(['event', 'enqueue', 'start']);
    expect(of.find(one => one.fact === 'write')).toMatchObject({verb: 'create', kind: 'ReplicaSet'});
    expect(steps).toContain('read');
    expect(steps).toContain('end');
  } finally {
    child.disconnect();
  }
});

// A program whose collection is filled by an informer: krtscope names the writer behind a row of its formula.

import type {Graph} from '@krtscope/shared/graph.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {until} from '../src/engine/testing-engine.ts';
import {createEngine, newCollection} from '../src/krt/index.ts';
import {chooseCluster, connect, Informers, resources} from '../src/kube/index.ts';
import {collectionOf, reportEngine} from '../src/program/index.ts';
import {TestInstance} from '../src/start/testing-instance.ts';

let instance: TestInstance;
beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0']);
  await instance.ready();
});
afterAll(() => instance.stop());

test('origin of a computed row names the manager that wrote the object', async () => {
  const {url, token} = await instance.address();
  const {cluster} = await instance.json<SessionAnswer>('/api/v1/session?session=demo');
  const choice = chooseCluster({kubeconfig: cluster.kubeconfig ?? ''});
  if (choice === undefined) throw new Error('the demo has a kubeconfig');
  const client = connect({...choice, readOnly: false});
  const informers = new Informers({client});
  const engine = createEngine();
  const configMaps = collectionOf(engine, informers.get(resources.ConfigMaps));
  newCollection(
    configMaps,
    (_, {metadata, data}) => {
      const {mood} = (data ?? {}) as {mood?: string};
      return mood === undefined ? undefined : {key: String(metadata.name), mood};
    },
    {name: 'Moods'},
  );
  const program = reportEngine(engine, {
    name: 'moods',
    retry: 100,
    env: {KRTSCOPE_URL: `${url}/?token=${token}`},
  });
  const ask = <T>(path: string) => instance.json<T>(`/api/v1${path}?session=program:moods`);
  try {
    const session = await until(async () => program.session);
    expect(session).toBe('program:moods');
    const source = await until(async () =>
      (await ask<Graph>('/graph')).collections.find(({name, synced}) => name === 'ConfigMaps' && synced),
    );
    expect(source).toMatchObject({kind: 'source', resource: {kind: 'ConfigMap'}});
    const object = {metadata: {namespace: 'default', name: 'mood'}, data: {mood: 'good'}};
    await client.create(resources.ConfigMaps, object, {fieldManager: 'mood-writer'});
    const origin = await until(async () => {
      const answer = await ask<Origin & {write?: unknown}>('/origin/Moods/mood').catch(() => undefined);
      return answer?.write ? answer : undefined;
    });
    expect(origin.write).toMatchObject({
      collection: 'ConfigMaps',
      key: 'default/mood',
      manager: 'mood-writer',
    });
  } finally {
    program.end();
    engine.stop();
    await informers.stop();
    await client.transport.close();
  }
});

// Servers and proxies that answer with what no API server says: endless lists and foreign kinds.
import {expect, test} from 'vitest';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {InformerRig} from './rig.ts';

export function lieSuite(server: () => TestServer): void {
  const listOf = (items: unknown[], metadata: object = {resourceVersion: '1'}) =>
    ({kind: 'answer', code: 200, body: {kind: 'ConfigMapList', apiVersion: 'v1', metadata, items}}) as const;

  test.each([
    ['one token', () => 'again'],
    ['ever new tokens', (page: number) => `page-${page}`],
  ])('a list whose pages never end is given up, and tried again with growing waits: %s', async (_, token) => {
    await using rig = await InformerRig.make(server());
    let page = 0;
    rig.proxy.rules = [() => listOf([], {resourceVersion: '1', continue: token(page++)})];
    const informer = rig.informer({streaming: false});
    informer.start();
    const waits: number[] = [];
    for (let round = 0; round < 4; round++) {
      await eventually('the refusal', () => informer.state.reason.includes('never ends'), {
        between: () => void rig.clock.advance(200),
      });
      await eventually('a wait', () => rig.clock.waits().some(ms => ms >= 800));
      waits.push(Math.max(...rig.clock.waits()));
      rig.clock.advance(Math.max(...rig.clock.waits()));
    }
    expect(waits.at(-1)).toBeGreaterThanOrEqual(3200);
    expect(informer.hasSynced()).toBe(false);
  });

  test('an object of another kind in a list is skipped and named', async () => {
    await using rig = await InformerRig.make(server());
    const item = (kind: string | undefined, name: string) => ({
      ...(kind === undefined ? {} : {kind}),
      metadata: {name, namespace: rig.namespace, uid: name, resourceVersion: '1'},
    });
    rig.proxy.rules = [
      ({watch}) =>
        watch ? {kind: 'hang'} : listOf([item('ConfigMap', 'a'), item('Secret', 'b'), item(undefined, 'c')]),
    ];
    const informer = rig.informer({streaming: false});
    informer.start();
    await eventually('the first list', () => informer.hasSynced());
    expect([...informer.cache.keys()].sort()).toEqual([`${rig.namespace}/a`, `${rig.namespace}/c`]);
    expect(rig.problems).toContainEqual(
      expect.stringContaining('the list of ConfigMap has a Secret; it was skipped'),
    );
  });
}

import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../kube/object.ts';
import {ConfigMap, Node, Pod, ReplicaSet, Secret} from '../scheme/built-in-kinds.ts';
import {kind} from '../scheme/kind.ts';
import {Channel} from './channel.ts';
import {enqueueMapped, enqueueObject, enqueueOwner} from './event-handler.ts';
import {channelSource, rawSource} from './event-source.ts';
import {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelector,
  not,
  or,
  type Predicate,
  predicate,
  resourceVersionChanged,
} from './predicate.ts';
import {pod, settle, TestHost} from './testing-controller-host.ts';

const nothing = () => undefined;

describe('the rules of building', () => {
  const build = () => new TestHost().build();
  test('for is said once, owns needs it, and something must be watched', () => {
    expect(() => build().for(Pod).for(Secret)).toThrow(/already for Pod/);
    expect(() => build().owns(Pod).named('x').complete(nothing)).toThrow(/owns\(Pod\) needs for/);
    expect(() => build().named('x').complete(nothing)).toThrow(/needs a watch/);
    expect(() =>
      build()
        .for(Pod)
        .complete(undefined as never),
    ).toThrow(/no reconciler/);
    const built = build().for(Pod);
    built.complete(nothing);
    expect(() => built.complete(nothing)).toThrow(/already called/);
  });

  test('the name is the kind in lower case, or must be given', () => {
    expect(build().for(ReplicaSet).complete(nothing).name).toBe('replicaset');
    expect(build().for(Pod).named('other').complete(nothing).name).toBe('other');
    expect(() => build().watches(Pod, enqueueObject()).complete(nothing)).toThrow(/needs a name/);
  });

  test('[113] a name is used once, unless told otherwise', () => {
    const host = new TestHost();
    host.build().for(Pod).complete(nothing);
    expect(() => host.build().for(Pod).complete(nothing)).toThrow(/pod exists already/);
    host.build().for(Pod).withOptions({skipNameValidation: true}).complete(nothing);
  });

  test('concurrency: the controller’s own, then its kind’s, then everyone’s, then 1', () => {
    const host = new TestHost({maxConcurrentReconciles: 4, groupKindConcurrency: {'ReplicaSet.apps': 9}});
    const workers = (of: typeof Pod | typeof ReplicaSet, own?: number) =>
      host
        .build()
        .for(of as typeof Pod)
        .withOptions({maxConcurrentReconciles: own, skipNameValidation: true})
        .complete(nothing)
        .view().workers;
    expect([workers(ReplicaSet, 2), workers(ReplicaSet), workers(Pod)]).toEqual([2, 9, 4]);
    expect(new TestHost().build().for(Pod).complete(nothing).view().workers).toBe(1);
    expect(() => workers(Pod, 0)).toThrow(/at least 1/);
  });
});

/** The events that wake an operator over a kind. */
async function woken(
  setUp: (host: TestHost) => void,
  build: (host: TestHost) => ReturnType<TestHost['build']>,
  act: (host: TestHost) => void,
): Promise<string[]> {
  const host = new TestHost();
  setUp(host);
  const runs: string[] = [];
  build(host)
    .named('watcher')
    .complete(request => {
      runs.push(request.namespace ? `${request.namespace}/${request.name}` : request.name);
    });
  const running = await host.start();
  runs.length = 0;
  act(host);
  await settle();
  host.stop.abort();
  await Promise.all(running);
  return runs;
}

const owned = (
  name: string,
  ...owners: {kind: string; name: string; controller?: boolean; apiVersion?: string}[]
) =>
  pod(name, {
    ownerReferences: owners.map(one => ({
      apiVersion: 'apps/v1',
      uid: `uid-${one.name}`,
      controller: true,
      ...one,
    })),
  });

describe('handlers', () => {
  const owning = (host: TestHost) => host.build().for(ReplicaSet).owns(Pod);

  test('[108] the owner that controls an object is woken, whatever the version of its reference', async () => {
    const act = (host: TestHost) => {
      host.cache.apply(Pod, owned('a', {kind: 'ReplicaSet', name: 'rs1'}));
      host.cache.apply(Pod, owned('b', {kind: 'ReplicaSet', name: 'rs2', apiVersion: 'apps/v1beta2'}));
      host.cache.apply(Pod, owned('c', {kind: 'ReplicaSet', name: 'rs3', controller: false}));
      host.cache.apply(Pod, owned('d', {kind: 'ReplicaSet', name: 'rs4', apiVersion: 'other.dev/v1'}));
      host.cache.apply(Pod, pod('e'));
    };
    expect(await woken(() => {}, owning, act)).toEqual(['default/rs1', 'default/rs2']);
    const every = (host: TestHost) => host.build().for(ReplicaSet).owns(Pod, {everyOwner: true});
    expect(await woken(() => {}, every, act)).toEqual(['default/rs1', 'default/rs2', 'default/rs3']);
  });

  test('[107] a change of owner wakes both', async () => {
    const setUp = (host: TestHost) => host.cache.apply(Pod, owned('a', {kind: 'ReplicaSet', name: 'A'}));
    const act = (host: TestHost) => host.cache.apply(Pod, owned('a', {kind: 'ReplicaSet', name: 'B'}));
    expect(await woken(setUp, owning, act)).toEqual(['default/A', 'default/B']);
  });

  test('an owner without namespaces is asked for without one', async () => {
    const handler = enqueueOwner(kind('v1', 'Node'), new TestHost().host.mapper);
    const act = (host: TestHost) =>
      host.cache.apply(Pod, owned('a', {kind: 'Node', name: 'n1', apiVersion: 'v1'}));
    const build = (host: TestHost) => host.build().watches(Pod, handler);
    expect(await woken(() => {}, build, act)).toEqual(['n1']);
  });

  test('a map function is asked about old and new, and each request is added once', async () => {
    const handler = enqueueMapped(async (object: KubeObject) => {
      const target = object.metadata.labels?.target;
      return target
        ? [
            {namespace: 'x', name: target},
            {namespace: 'x', name: 'always'},
          ]
        : undefined;
    });
    const build = (host: TestHost) => host.build().watches(Secret, handler);
    const setUp = (host: TestHost) => host.cache.apply(Secret, pod('s', {labels: {target: 'old'}}));
    const act = (host: TestHost) =>
      host.cache.apply(Secret, pod('s', {labels: {target: 'new'}, resourceVersion: '2'}));
    expect(await woken(setUp, build, act)).toEqual(['x/old', 'x/always', 'x/new']);
  });

  test('a delete that was missed says so', async () => {
    const seen: boolean[] = [];
    const build = (host: TestHost) =>
      host.build().watches(Pod, {delete: event => seen.push(event.deleteStateUnknown)});
    const setUp = (host: TestHost) => ['a', 'b'].forEach(name => void host.cache.apply(Pod, pod(name)));
    await woken(setUp, build, host => {
      host.cache.remove(Pod, 'default/a');
      host.cache.remove(Pod, 'default/b', true);
    });
    expect(seen).toEqual([false, true]);
  });

  test('a handler or predicate that throws loses that event and no other', async () => {
    const host = new TestHost();
    const bad: Predicate = {
      name: 'bad',
      create() {
        throw new Error('predicate');
      },
    };
    const runs: string[] = [];
    host
      .build()
      .for(Pod, {predicates: [bad]})
      .watches(ConfigMap, {
        create() {
          throw new Error('handler');
        },
        update: ({object}, enqueue) => enqueue({namespace: 'default', name: object.metadata.name ?? ''}),
      })
      .complete(({name}) => {
        runs.push(name);
      });
    const running = await host.start();
    host.cache.apply(Pod, pod('a'));
    host.cache.apply(ConfigMap, pod('c'));
    host.cache.apply(ConfigMap, pod('c', {resourceVersion: '2'}));
    await settle();
    expect(runs).toEqual(['a', 'c']);
    expect(host.lines.map(line => line.message)).toEqual([
      'predicate failed',
      'event handler failed, event dropped',
    ]);
    host.stop.abort();
    await Promise.all(running);
  });
});

describe('sources', () => {
  test('a channel brings events from outside, through its predicates and past the event filter', async () => {
    const channel = new Channel();
    const source = channelSource({
      channel,
      handler: enqueueObject(),
      predicates: [predicate(object => object.metadata.name !== 'no')],
    });
    const build = (host: TestHost) =>
      host
        .build()
        .withEventFilter(predicate(() => false))
        .watchesRaw(source);
    const act = () => ['a', 'no', 'b'].forEach(name => void channel.send(pod(name)));
    expect(await woken(() => {}, build, act)).toEqual(['default/a', 'default/b']);
  });

  test('what was sent before anybody listened is not lost', async () => {
    const host = new TestHost();
    const channel = new Channel();
    channel.send(pod('early'));
    const runs: string[] = [];
    host
      .build()
      .named('x')
      .watchesRaw(channelSource({channel, handler: enqueueObject()}))
      .complete(({name}) => void runs.push(name));
    await host.start();
    expect(runs).toEqual(['early']);
    host.stop.abort();
  });

  test('a raw source enqueues what it likes', async () => {
    let enqueue = (_: {name: string}) => {};
    const source = rawSource('clock', add => {
      enqueue = add;
    });
    const build = (host: TestHost) => host.build().watchesRaw(source);
    expect(
      await woken(
        () => {},
        build,
        () => enqueue({name: 'tick'}),
      ),
    ).toEqual(['tick']);
  });

  test('only metadata is a watch of its own', async () => {
    const host = new TestHost();
    host.build().for(Pod).owns(Secret, {onlyMetadata: true}).complete(nothing);
    const running = await host.start();
    expect(host.cache.kinds).toEqual(['v1/Pod', 'v1/Secret metadata']);
    host.stop.abort();
    await Promise.all(running);
  });
});

describe('predicates', () => {
  const base = pod('a', {labels: {app: 'x'}, annotations: {n: '1'}});
  const changes: Record<string, KubeObject> = {
    resync: base,
    status: {...base, metadata: {...base.metadata, resourceVersion: '2'}},
    label: {...base, metadata: {...base.metadata, resourceVersion: '2', labels: {app: 'y'}}},
    annotation: {...base, metadata: {...base.metadata, resourceVersion: '2', annotations: {n: '2'}}},
    spec: {...base, metadata: {...base.metadata, resourceVersion: '2', generation: 2}},
  };
  /** The events that reach the handler. */
  const passing = async (...predicates: Predicate[]) => {
    const seen: string[] = [];
    for (const [name, object] of Object.entries(changes)) {
      const runs = await woken(
        host => host.cache.apply(Node, base),
        host => host.build().for(Node, {predicates}),
        host => (name === 'resync' ? host.cache.resync(Node) : host.cache.apply(Node, object)),
      );
      if (runs.length) seen.push(name);
    }
    for (const name of ['create', 'delete']) {
      const runs = await woken(
        host => name === 'delete' && host.cache.apply(Node, base),
        host => host.build().for(Node, {predicates}),
        host => (name === 'create' ? host.cache.apply(Node, base) : host.cache.remove(Node, 'default/a')),
      );
      if (runs.length) seen.push(name);
    }
    return seen;
  };

  test.each<[string, Predicate, string[]]>([
    ['[109] generationChanged', generationChanged(), ['spec', 'create', 'delete']],
    [
      'resourceVersionChanged',
      resourceVersionChanged(),
      ['status', 'label', 'annotation', 'spec', 'create', 'delete'],
    ],
    ['labelChanged', labelChanged(), ['label', 'create', 'delete']],
    ['annotationChanged', annotationChanged(), ['annotation', 'create', 'delete']],
    ['[110] or', or(generationChanged(), labelChanged()), ['label', 'spec', 'create', 'delete']],
    ['and', and(resourceVersionChanged(), labelChanged()), ['label', 'create', 'delete']],
    ['[111] not', not(labelSelector({app: 'x'})), ['label']],
    [
      'not of what it does not speak of',
      not(generationChanged()),
      ['resync', 'status', 'label', 'annotation'],
    ],
    ['a label selector in words', labelSelector('app in (y)'), ['label']],
  ])('%s', async (_, one, expected) => {
    expect(await passing(one)).toEqual(expected);
  });

  test('the event filter is asked before the kind’s own', async () => {
    const asked: string[] = [];
    const asking = (name: string, answer: boolean): Predicate => ({
      create: () => {
        asked.push(name);
        return answer;
      },
    });
    const build = (host: TestHost) =>
      host
        .build()
        .withEventFilter(asking('filter', true))
        .for(Pod, {predicates: [asking('own', false), asking('never', true)]});
    expect(
      await woken(
        () => {},
        build,
        host => host.cache.apply(Pod, pod('a')),
      ),
    ).toEqual([]);
    expect(asked).toEqual(['filter', 'own']);
  });
});

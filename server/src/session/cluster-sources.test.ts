// Changes to the sources of a cluster session between two answers.
import {shippedSources} from '@krtscope/shared/sources.ts';
import {expect, test} from 'vitest';
import type {SourceChange} from '../engine/link/engine-link.ts';
import type {Informer} from '../kube/informer/informer.ts';
import {fromWireResource, type Resource} from '../kube/resource.ts';
import {ClusterSources} from './cluster-sources.ts';

/** A server that has EndpointSlices only in an older version. */
const older = {
  metadata: {name: 'discovery.k8s.io'},
  versions: [
    {
      version: 'v1beta1',
      resources: [
        {
          resource: 'endpointslices',
          responseKind: {group: 'discovery.k8s.io', version: 'v1beta1', kind: 'EndpointSlice'},
          scope: 'Namespaced',
          verbs: ['list', 'watch'],
        },
      ],
    },
  ],
};

const gateways = {
  metadata: {name: 'example.com'},
  versions: [
    {
      version: 'v1',
      resources: [
        {
          resource: 'gateways',
          responseKind: {group: 'example.com', version: 'v1', kind: 'Gateway'},
          scope: 'Namespaced',
          verbs: ['list', 'watch'],
        },
      ],
    },
  ],
};

const plainBodies: Record<string, unknown> = {
  '/apis/discovery.k8s.io': {name: 'discovery.k8s.io', versions: [{version: 'v1beta1'}]},
  '/apis/discovery.k8s.io/v1beta1': {
    resources: [{name: 'endpointslices', kind: 'EndpointSlice', namespaced: true, verbs: ['list', 'watch']}],
  },
};

const transport = {
  request: async ({path}: {path: string}) => ({
    headers: {'content-type': 'application/json;as=APIGroupDiscoveryList'},
    body: plainBodies[path] ?? {items: path === '/apis' ? [older, gateways] : []},
  }),
};

const informerOf = (resource: Resource) =>
  ({
    resource,
    cache: {keys: () => [].values(), get: () => undefined},
    state: {phase: 'synced', reason: '', seen: 0},
    hasSynced: () => true,
    addHandler: () => {},
  }) as unknown as Informer;

function createTestSources(informers: object, engine: object = {}): ClusterSources {
  return new ClusterSources({
    engine: {
      sourceState: () => {},
      apply: () => {},
      ask: async () => ({collections: [], edges: []}),
      ...engine,
    } as never,
    client: {transport} as never,
    informers: informers as never,
    namespaces: [],
    kubectl: 'kubectl',
    wanted: [],
    without: [],
    log: () => {},
    now: () => 0,
    onState: () => {},
    onFed: () => {},
    onDropped: () => {},
  });
}

test('a source that moves to another version when its session is closed harms nobody', async () => {
  const removed = Promise.withResolvers<void>();
  let stopped = false;
  const informers = {
    get: (resource: Resource) => {
      if (stopped) throw new Error('the informers were stopped');
      return informerOf(resource);
    },
    remove: () => removed.promise,
    watchDefinitions: () => {},
  };
  const desk = createTestSources(informers);
  desk.begin();
  expect(await desk.isServedInOtherVersion(fromWireResource(shippedSources.EndpointSlices))).toBe(true);
  const unheard: unknown[] = [];
  const hear = (error: unknown) => void unheard.push(error);
  process.on('unhandledRejection', hear);
  try {
    stopped = true;
    removed.resolve();
    for (let turns = 0; turns < 3; turns++) await new Promise(resolve => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', hear);
  }
  expect(unheard).toEqual([]);
});

test('a source that is not dropped after all loses what went while that was asked', async () => {
  const written: string[] = [];
  const synced: (() => void)[] = [];
  const caches = [
    ['a', 'b'],
    ['b', 'c'],
  ];
  const informers = {
    get: (resource: Resource) => {
      const keys = resource.plural === 'gateways' ? (caches.shift() ?? []) : [];
      return {
        ...informerOf(resource),
        cache: {keys: () => keys.values(), get: (key: string) => (keys.includes(key) ? {} : undefined)},
        addHandler: ({onSynced}: {onSynced(): void}) => {
          if (resource.plural === 'gateways') synced.push(onSynced);
        },
      };
    },
    remove: async () => {},
    watchDefinitions: () => {},
  };
  const desk = createTestSources(informers, {
    apply: (changes: SourceChange[]) => {
      for (const {collection, key, event} of changes) written.push(`${event} ${collection} ${key}`);
    },
    command: async ({command}: {command: string}) => {
      if (command === 'drop-source') throw new Error('somebody reads it');
    },
  });
  desk.begin();
  const {name} = await desk.add('gateways.example.com');
  await expect(desk.drop(name)).rejects.toThrow('somebody reads it');
  expect(synced).toHaveLength(2);
  for (const tell of synced) tell();
  expect(written).toEqual([`delete ${name} a`]);
});

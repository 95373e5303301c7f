// Reads that know the client's own writes, over a connection whose watch lags behind its writes.
import {Readable} from 'node:stream';
import {expect, test} from 'vitest';
import {startApiServer} from '../../src/cluster/api-server.ts';
import {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {systemClock} from '../../src/kube/clock.ts';
import type {Wire} from '../../src/kube/transport/transport.ts';
import {
  type CacheOptions,
  type Client,
  ConfigMap,
  controllerFor,
  createManager,
  InformerCache,
  Mapper,
  metadataOf,
  OwnWriteNotSeenError,
  type ReadSeen,
  RuntimeClient,
  rawSource,
  silentLogger,
} from '../../src/runtime/index.ts';
import type {Tracer} from '../../src/runtime/trace/tracer.ts';

/** Holds back what watches receive until it is released. */
class LaggingWire {
  #open = Promise.withResolvers<void>();
  readonly wire: Wire;

  constructor(inner: Wire) {
    this.#open.resolve();
    this.wire = {
      server: inner.server,
      readOnly: inner.readOnly,
      clock: inner.clock,
      request: options => inner.request(options),
      stream: async options => {
        const answer = await inner.stream(options);
        const source = answer.body;
        const lag = this;
        const body = Readable.from(
          (async function* () {
            for await (const chunk of source) {
              await lag.#open.promise;
              yield chunk;
            }
          })(),
        );
        return {...answer, body};
      },
      close: () => inner.close(),
    };
  }

  hold(): void {
    this.#open = Promise.withResolvers<void>();
  }

  release(): void {
    this.#open.resolve();
  }
}

const map = (name: string, value = '1', namespace = 'default') =>
  ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace, name}, data: {value}}) as const;

async function laggingClient(options: Partial<CacheOptions> = {}) {
  const server = await startApiServer();
  const lag = new LaggingWire(server.transport);
  const client = new DynamicClient(lag.wire);
  const mapper = new Mapper(lag.wire);
  const cache = new InformerCache({client, mapper, clock: systemClock, ...options});
  const reads: ReadSeen[] = [];
  const plain: Client = new RuntimeClient({client, mapper, cache, hooks: {onRead: read => reads.push(read)}});
  const end = new AbortController();
  const running = cache.start(end.signal);
  await plain.list(ConfigMap);
  return {
    lag,
    reads,
    cache,
    plain,
    own: plain.with({readOwnWrites: true}),
    async stop() {
      lag.release();
      end.abort();
      await running;
      await server.stop();
    },
  };
}

/** True if the promise is not settled after a moment. A slow machine can only make it true. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const waiting = Symbol('waiting');
  await new Promise(resolve => setTimeout(resolve, 20));
  return (await Promise.race([promise.catch(() => undefined), Promise.resolve(waiting)])) === waiting;
}

test('a read waits for a create, an update and a delete of its kind, and a plain read is marked stale', async () => {
  const {lag, reads, plain, own, stop} = await laggingClient();
  try {
    const key = {namespace: 'default', name: 'a'};
    lag.hold();
    await plain.create(map('a'));
    await expect(plain.get(ConfigMap, key)).rejects.toMatchObject({code: 404});
    expect(reads.at(-1)).toMatchObject({count: 0, stale: true});
    const created = own.get(ConfigMap, key);
    const listed = own.list(ConfigMap, {namespace: 'default'});
    expect(await isPending(created)).toBe(true);
    expect(await isPending(listed)).toBe(true);
    lag.release();
    const object = await created;
    expect((await listed).items.map(({metadata}) => metadata.name)).toContain('a');
    expect(reads.at(-1)?.stale).toBeUndefined();

    lag.hold();
    await own.update({...object, data: {value: '2'}});
    const updated = own.get(ConfigMap, key);
    expect(await isPending(updated)).toBe(true);
    // Another object of the kind has no write of its own, so a plain read of it is not stale.
    await plain.get(ConfigMap, {namespace: 'default', name: 'kube-root-ca.crt'}).catch(() => {});
    expect(reads.at(-1)?.stale).toBeUndefined();
    lag.release();
    expect((await updated).data).toEqual({value: '2'});

    lag.hold();
    await own.delete(map('a'));
    const gone = own.get(ConfigMap, key);
    expect(await isPending(gone)).toBe(true);
    expect((await plain.get(ConfigMap, key)).data).toEqual({value: '2'});
    expect(reads.at(-1)).toMatchObject({count: 1, stale: true});
    lag.release();
    await expect(gone).rejects.toMatchObject({code: 404});
  } finally {
    await stop();
  }
});

test('a dry run and an object that the cache leaves out are not waited for', async () => {
  const {lag, own, cache, stop} = await laggingClient({labels: {app: 'mine'}, ownWritesTimeout: 600_000});
  try {
    const mine = (name: string) => ({
      ...map(name),
      metadata: {namespace: 'default', name, labels: {app: 'mine'}},
    });
    await own.create(mine('mine'));
    await own.get(ConfigMap, {namespace: 'default', name: 'mine'});
    lag.hold();
    await own.apply(mine('mine'), {fieldOwner: 'test', dryRun: true});
    await own.create(map('other'));
    expect((await own.list(ConfigMap)).items).toHaveLength(1);
    // The metadata-only cache is another watch, which begins after the writes.
    lag.release();
    await own.create(mine('second'));
    await cache.informer(metadataOf(ConfigMap));
    expect((await own.list(metadataOf(ConfigMap))).items).toHaveLength(2);
  } finally {
    await stop();
  }
});

test('a write that does not arrive in time is an error, and so is an aborted wait', async () => {
  const {lag, own, stop} = await laggingClient({ownWritesTimeout: 30});
  try {
    lag.hold();
    await own.create(map('late'));
    const read = own.get(ConfigMap, {namespace: 'default', name: 'late'});
    await expect(read).rejects.toThrow(OwnWriteNotSeenError);
    await expect(read).rejects.toThrow(
      /ConfigMap \(v1\) has not received .* waited 0.03 s, the watch is synced/,
    );
    const abort = AbortSignal.abort(new Error('stopped'));
    await expect(own.list(ConfigMap, {signal: abort})).rejects.toThrow('stopped');
  } finally {
    await stop();
  }
});

test('with waitForOwnWrites a run starts when the cache has the writes of earlier runs', async () => {
  const server = await startApiServer();
  const lag = new LaggingWire(server.transport);
  const manager = await createManager({
    transport: lag.wire,
    metrics: {bindAddress: '0'},
    report: false,
    log: silentLogger,
  });
  const seen: (string | undefined)[] = [];
  let enqueue: (name: string) => void = () => {};
  const stale: boolean[] = [];
  const tracer = {
    onRead: (_controller, _run, read) => stale.push(read.stale === true),
  } as Partial<Tracer>;
  const silent = new Proxy(tracer, {get: (of, name) => Reflect.get(of, name) ?? (() => {})}) as Tracer;
  manager.tracer.current = silent;
  controllerFor(manager)
    .named('counter')
    .watchesRaw(
      rawSource('test', async add => {
        enqueue = name => add({namespace: 'default', name});
      }),
    )
    .withOptions({waitForOwnWrites: true})
    .complete(async ({namespace = '', name}) => {
      const {items} = await manager.client.list(ConfigMap, {namespace: 'default'});
      const count = items.find(one => one.metadata.name === name)?.data?.value;
      seen.push(count);
      await manager.client.apply(map(name, String(Number(count ?? '0') + 1), namespace), {
        fieldOwner: 'test',
      });
    });
  const end = new AbortController();
  const running = manager.start(end.signal);
  try {
    await manager.elected;
    await manager.client.list(ConfigMap);
    lag.hold();
    enqueue('n');
    await expect.poll(() => seen).toEqual([undefined]);
    enqueue('n');
    await new Promise(resolve => setTimeout(resolve, 30));
    // The second run waits for the watch.
    expect(seen).toHaveLength(1);
    lag.release();
    await expect.poll(() => seen).toEqual([undefined, '1']);
    expect(stale).not.toContain(true);
  } finally {
    lag.release();
    end.abort();
    await running;
    await server.stop();
  }
});

// The server's own half for the stream benchmarks: an engine process with Pods in it, the stream in front, no cluster.
import {fork} from 'node:child_process';
import {createServer, type Server} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {fileURLToPath} from 'node:url';
import {shippedSources} from '@krtscope/shared/sources.ts';
import type {EngineHandle} from '../../src/engine/link/engine-link.ts';
import {startEngine} from '../../src/engine/supervisor/start-engine.ts';
import {AccessControl} from '../../src/http/access-control.ts';
import {RecordingFeed} from '../../src/session/recording-feed.ts';
import {Session} from '../../src/session/session.ts';
import {serveStream} from '../../src/stream/stream-server.ts';
import type {ReadersReport} from './stream-readers.ts';

const TOKEN = 'bench-token-bench-token';

export function pod(n: number, generation: number) {
  const name = `web-${String(n).padStart(6, '0')}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: `ns-${n % 20}`,
      name,
      uid: `u${n}`,
      resourceVersion: String(generation),
      labels: {app: `app-${n % 50}`},
    },
    spec: {nodeName: `node-${n % 30}`, containers: [{name: 'main', image: `web:${generation % 7}`}]},
    status: {
      phase: 'Running',
      podIP: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
      conditions: [{type: 'Ready', status: 'True'}],
    },
  };
}

export interface StreamRig {
  url: string;
  engine: EngineHandle;
  /** Writes this many Pods again, round and round, as one batch. */
  change(count: number): void;
  readers(count: number, collection: string): {report(): Promise<ReadersReport>; stop(): void};
  /** The most bytes that lie unsent in any socket now. */
  unsent(): number;
  stop(): Promise<void>;
}

export async function streamRig(pods: number): Promise<StreamRig> {
  const engine = startEngine({
    name: 'bench',
    memoryMb: 4096,
    historyRuns: 50_000,
    historyMb: 64,
    redacted: true,
    sources: Object.entries(shippedSources).map(([collection, resource]) => ({collection, resource})),
  });
  const session = new Session(engine, new RecordingFeed({name: 'bench'}), {
    name: 'bench',
    version: 'bench',
    redacted: true,
    readOnly: true,
    limits: {runs: 50_000, megabytes: 64, engineMegabytes: 4096},
  });
  for (const collection of Object.keys(shippedSources))
    engine.sourceState(collection, {state: 'synced', synced: true});
  let generation = 1;
  let next = 0;
  const apply = (from: number, count: number, event: 'add' | 'update') => {
    const received = Date.now();
    const changes = Array.from({length: count}, (_, i) => {
      const object = pod((from + i) % pods, generation++);
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      return {collection: 'Pods', key, event, new: object, received};
    });
    engine.apply(changes);
  };
  for (let from = 0; from < pods; from += 1000) apply(from, Math.min(1000, pods - from), 'add');
  while (engine.state !== 'ready') await new Promise(resolve => setTimeout(resolve, 20));

  const server: Server = createServer();
  const connections = new Set<Socket>();
  server.on('connection', socket => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  const access = new AccessControl({token: TOKEN, host: '127.0.0.1', port: () => port});
  const sessions = {
    first: () => session,
    find: () => session,
    list: () => [session],
    opening: () => [],
    open: async () => session,
    close: async () => false,
    contexts: async () => ({contexts: []}),
    recordings: async () => [],
    removeRecording: async () => false,
  };
  const stopStream = serveStream({
    server,
    sessions,
    refuse: req => access.checkOrigin(req) ?? access.checkToken(req),
  });
  return {
    url: `http://127.0.0.1:${port}`,
    engine,
    change: count => {
      apply(next, count, 'update');
      next = (next + count) % pods;
    },
    readers: (count, collection) => {
      const entry = fileURLToPath(new URL('./stream-readers.ts', import.meta.url));
      const child = fork(entry, [`ws://127.0.0.1:${port}`, TOKEN, String(count), collection]);
      return {
        report: () =>
          new Promise(resolve => {
            child.once('message', message => resolve(message as ReadersReport));
            child.send('report');
          }),
        stop: () => child.disconnect(),
      };
    },
    unsent: () => Math.max(0, ...[...connections].map(({writableLength}) => writableLength)),
    stop: async () => {
      stopStream();
      server.close();
      await session.stop();
    },
  };
}

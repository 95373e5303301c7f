// The ways to a server that a kubeconfig can name: a bastion's HTTP and SOCKS proxies, and IPv6. Lists and watches go
// through each of them, and nothing goes past it.
import {once} from 'node:events';
import {connect as connectTcp, createServer, type Server, type Socket} from 'node:net';
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest';
import {connect} from '../src/kube/client/connect.ts';
import {DynamicClient} from '../src/kube/client/dynamic-client.ts';
import {systemClock} from '../src/kube/clock.ts';
import {tokenCredentials} from '../src/kube/credentials/credentials.ts';
import {parseKubeconfig} from '../src/kube/credentials/kubeconfig.ts';
import {Informer} from '../src/kube/informer/informer.ts';
import type {ReflectorState} from '../src/kube/reflector/reflector-state.ts';
import {resources} from '../src/kube/resource.ts';
import {Transport} from '../src/kube/transport/transport.ts';
import {BandwidthLimit} from './bandwidth-limit.ts';
import {FaultProxy} from './fault-proxy.ts';
import {startEmbedded} from './servers.ts';

let embedded: Awaited<ReturnType<typeof startEmbedded>>;
const servers: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  embedded = await startEmbedded();
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => embedded.stop());

async function listen(host: string, take: (socket: Socket) => void): Promise<number> {
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    take(socket);
  });
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  return (server.address() as {port: number}).port;
}

function pipe(socket: Socket, host: string, port: number, opened: (upstream: Socket) => void): void {
  const upstream = connectTcp(port, host, () => {
    opened(upstream);
    socket.pipe(upstream);
    upstream.pipe(socket);
  });
  sockets.add(upstream);
  upstream.on('error', () => socket.destroy());
}

/** What the kubeconfig's server is reached by; `names` are the targets that the proxy was asked for. */
function httpProxy(names: string[]): Promise<number> {
  return listen('127.0.0.1', socket => {
    let head = '';
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      const [, host = '', port = ''] = /^CONNECT ([^:]+):(\d+)/.exec(head) ?? [];
      names.push(`${host}:${port}`);
      pipe(socket, host, Number(port), () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    };
    socket.on('data', read);
  });
}

/** With `user` it wants that name and password, as `name:password`. */
function socksProxy(names: string[], user?: string): Promise<number> {
  return listen('127.0.0.1', socket => {
    socket.once('data', async () => {
      if (user === undefined) socket.write(Buffer.from([5, 0]));
      else {
        socket.write(Buffer.from([5, 2]));
        const [shown] = (await once(socket, 'data')) as [Buffer];
        const length = shown[1] as number;
        const said = `${shown.subarray(2, 2 + length)}:${shown.subarray(3 + length)}`;
        socket.write(Buffer.from([1, said === user ? 0 : 1]));
      }
      socket.once('data', (request: Buffer) => {
        const type = request[3];
        const host =
          type === 1
            ? [...request.subarray(4, 8)].join('.')
            : request.subarray(5, 5 + (request[4] as number)).toString();
        const port = request.readUInt16BE(type === 1 ? 8 : 5 + (request[4] as number));
        names.push(`${host}:${port}`);
        pipe(socket, host, port, () => socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
      });
    });
  });
}

function clientFor(cluster: object) {
  const text = JSON.stringify({
    clusters: [
      {
        name: 'c',
        cluster: {'certificate-authority-data': Buffer.from(embedded.ca).toString('base64'), ...cluster},
      },
    ],
    users: [{name: 'u', user: {token: embedded.token}}],
    contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
  });
  return connect({config: parseKubeconfig(text, '/nowhere/kubeconfig'), context: 'c'});
}

/** Lists, then hears of a write by its watch. */
async function follows(cluster: object, name: string): Promise<void> {
  const client = clientFor(cluster);
  const informer = new Informer({client, resource: resources.ConfigMaps, clock: systemClock});
  try {
    const heard = new Promise<void>(resolve => {
      informer.addHandler({
        onChanges: changes => {
          if (changes.some(({key}) => key === `default/${name}`)) resolve();
        },
      });
    });
    informer.start();
    await expect.poll(() => informer.hasSynced(), {timeout: 20_000}).toBe(true);
    await embedded.client.create(resources.ConfigMaps, {metadata: {namespace: 'default', name}});
    await heard;
  } finally {
    await informer.stop();
    await client.transport.close();
  }
}

test('an HTTP proxy of the kubeconfig is asked for the server, by CONNECT', async () => {
  const names: string[] = [];
  const port = await httpProxy(names);
  await follows({server: embedded.url, 'proxy-url': `http://127.0.0.1:${port}`}, 'by-http-proxy');
  expect(new Set(names)).toEqual(new Set([new URL(embedded.url).host]));
});

test.each(['socks5', 'socks5h'])('a %s proxy of the kubeconfig is asked for the server', async scheme => {
  const names: string[] = [];
  const port = await socksProxy(names);
  await follows({server: embedded.url, 'proxy-url': `${scheme}://127.0.0.1:${port}`}, `by-${scheme}`);
  expect(new Set(names)).toEqual(new Set([new URL(embedded.url).host]));
});

test('a SOCKS proxy gets the name and password of its address, and says so if it does not take them', async () => {
  const names: string[] = [];
  const port = await socksProxy(names, 'me:s3cret');
  await follows({server: embedded.url, 'proxy-url': `socks5://me:s3cret@127.0.0.1:${port}`}, 'by-password');
  const client = clientFor({server: embedded.url, 'proxy-url': `socks5://me:wrong@127.0.0.1:${port}`});
  const failed = (await client.list(resources.ConfigMaps).catch((error: Error) => error)) as Error;
  expect(failed.message).toContain('rejects the user name and password');
  expect(failed.message).not.toContain('wrong');
  await client.transport.close();
});

test('a server at an IPv6 address', async () => {
  const {hostname, port} = new URL(embedded.url);
  const own = await listen('::1', socket => pipe(socket, hostname, Number(port), () => {}));
  await follows({server: `https://[::1]:${own}`, 'tls-server-name': 'localhost'}, 'by-ipv6');
});

test('a proxy that is not there is named, not the server behind it', async () => {
  const client = clientFor({server: embedded.url, 'proxy-url': 'http://127.0.0.1:1'});
  const failed = client.list(resources.ConfigMaps).catch((error: Error) => error);
  expect((await failed) as Error).toMatchObject({message: expect.stringContaining('127.0.0.1:1')});
  await client.transport.close();
});

test('a list over a thin line goes on in small pages, compressed, and says how far it is', async () => {
  const namespace = 'thin-line';
  await embedded.client.create(resources.Namespaces, {metadata: {name: namespace}});
  // And the one that every namespace has.
  const text = 'x'.repeat(2000);
  for (let n = 0; n < 120; n++)
    await embedded.client.create(resources.ConfigMaps, {
      metadata: {namespace, name: `map-${n}`},
      data: {text},
    });
  const proxy = new FaultProxy(embedded);
  proxy.line = new BandwidthLimit(100_000);
  await proxy.start();
  const client = new DynamicClient(new Transport(tokenCredentials(proxy.url, 'any')));
  // Five seconds pass in one: how long a stream may take is not what is tried here.
  const clock = {...systemClock, now: () => performance.now() * 5};
  const informer = new Informer({client, resource: resources.ConfigMaps, clock, scopes: [{namespace}]});
  const told: ReflectorState[] = [];
  informer.addHandler({onState: state => told.push(state)});
  try {
    informer.start();
    await expect.poll(() => informer.cache.list().length, {timeout: 30_000}).toBe(121);
    const lists = proxy.seen.filter(({watch}) => !watch);
    expect(lists.map(({gzip}) => gzip)).toEqual(lists.map(() => true));
    expect(lists[0]?.query.get('limit')).toBe('100');
    expect(lists.length).toBeGreaterThan(1);
    expect(told.map(({seen, total}) => [seen, total])).toContainEqual([100, 121]);
  } finally {
    await informer.stop();
    await client.transport.close();
    await proxy.close();
  }
});

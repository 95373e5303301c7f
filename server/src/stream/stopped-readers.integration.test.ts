// Clients that stop reading, on real sockets: their queue does not grow, and they are disconnected.
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {expect, test, vi} from 'vitest';
import {WebSocket} from 'ws';
import type {UpdateWithoutId} from '../engine/link/engine-link.ts';
import type {OpenSession, Sessions} from '../engine/link/session.ts';
import {serveStream} from './stream-server.ts';

const READERS = 8;

test('readers that stop are ended and asked for no more, and one that reads stays', async () => {
  let publish: (update: UpdateWithoutId, sequence: number) => void = () => {};
  const told = new Set<() => void>();
  const session = {
    name: 'demo',
    link: {
      subscribe: (_: unknown, on: typeof publish) => {
        publish = on;
        return () => {};
      },
    },
    describe: () => ({id: 'rec', name: 'demo', kept: {newest: {sequence: 1, time: 0}}}) as SessionAnswer,
    onChange: (f: () => void) => {
      told.add(f);
      return () => told.delete(f);
    },
    onEnd: () => () => {},
  } as unknown as OpenSession;
  const server = createServer();
  const stop = serveStream({
    server,
    sessions: {find: () => session} as unknown as Sessions,
    refuse: () => undefined,
    pingMs: 1500,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  const open = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/stream`);
    await once(socket, 'open');
    socket.send(JSON.stringify({type: 'hello', protocol: 1}));
    socket.send(
      JSON.stringify({
        type: 'subscribe',
        id: 'p',
        question: {ask: 'window', collection: 'Pods', offset: 0, limit: 10},
      }),
    );
    await once(socket, 'message');
    return socket;
  };
  const reader = await open();
  let heard = 0;
  reader.on('message', bytes => {
    heard += (bytes as Buffer).length;
  });
  const stopped = await Promise.all(Array.from({length: READERS}, open));
  // A socket that is not read does not answer pings either; it may still send.
  for (const socket of stopped) socket.pause();
  expect(told.size).toBe(READERS + 1);
  const text = 'x'.repeat(100_000);
  let sequence = 1;
  const sending = setInterval(() => {
    sequence += 1;
    const row = {key: 'a', value: {text}, inputs: [], outcome: 'changed' as const, runs: 1, sequence, at: 0};
    publish({topic: 'window', snapshot: {total: 1, of: 1, offset: 0, rows: [row]}}, sequence);
    for (const tell of told) tell();
    for (const socket of stopped)
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({type: 'ping', n: 1}));
  }, 100);
  try {
    // Only the client that reads is left, and it still gets everything.
    await vi.waitFor(() => expect(told.size).toBe(1), {timeout: 30_000});
    const before = heard;
    await vi.waitFor(() => expect(heard).toBeGreaterThan(before + text.length), {timeout: 30_000});
    expect(reader.readyState).toBe(reader.OPEN);
  } finally {
    clearInterval(sending);
    for (const socket of [reader, ...stopped]) socket.terminate();
    stop();
    server.close();
  }
});

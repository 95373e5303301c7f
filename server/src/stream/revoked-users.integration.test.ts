// A user whose right is taken away loses open sockets, too.
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, test} from 'vitest';
import {WebSocket, WebSocketServer} from 'ws';
import {serveUpgrades} from './upgrades.ts';

const clean: (() => void)[] = [];
afterEach(() => {
  for (const step of clean.splice(0)) step();
});

test('a socket whose user is refused later is closed, and the others stay', async () => {
  const refused = new Set<string>();
  const nameOf = (req: IncomingMessage) => req.headers.authorization ?? '';
  const server = createServer();
  const asked: string[] = [];
  clean.push(
    () => server.close(),
    serveUpgrades({
      server,
      sockets: new WebSocketServer({noServer: true}),
      takes: () => true,
      refuse: () => undefined,
      recheck: async req => {
        asked.push(nameOf(req));
        return refused.has(nameOf(req)) ? {code: 'forbidden', message: 'no', hint: ''} : undefined;
      },
      admit: () => () => {},
      most: 10,
      tooMany: {code: 'too-many', message: '', hint: ''},
      pingMs: 1000,
    }),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const open = (name: string) => {
    const {port} = server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, {headers: {authorization: name}});
    const closed = new Promise<[number, string]>(resolve =>
      socket.on('close', (code, reason) => resolve([code, String(reason)])),
    );
    return {socket, closed, opened: new Promise(resolve => socket.on('open', resolve))};
  };
  const [jane, joe] = [open('jane'), open('joe')];
  await Promise.all([jane.opened, joe.opened]);
  refused.add('jane');
  expect(await jane.closed).toEqual([1008, 'forbidden']);
  const before = asked.length;
  const ofJoe = () => asked.slice(before).filter(name => name === 'joe').length;
  await expect.poll(ofJoe, {timeout: 20_000}).toBeGreaterThan(0);
  expect(joe.socket.readyState).toBe(WebSocket.OPEN);
});

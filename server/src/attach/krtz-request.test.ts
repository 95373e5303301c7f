// Names that resolve to another address at each lookup, as in DNS rebinding.
import dns, {type LookupAddress} from 'node:dns';
import {createServer, type Server} from 'node:http';
import {syncBuiltinESMExports} from 'node:module';
import {type AddressInfo, isIP} from 'node:net';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {requestKrtz} from './krtz-request.ts';

let server: Server;
let url: URL;
let answers: string[][];

beforeEach(async () => {
  server = createServer((_, response) => response.end('[]'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://rebind.test:${(server.address() as AddressInfo).port}/debug/krtz`);
  // The last answer is repeated.
  const next = (): LookupAddress[] =>
    ((answers.length > 1 ? answers.shift() : answers[0]) ?? []).map(address => ({
      address,
      family: isIP(address),
    }));
  type Done = (error: Error | null, found: LookupAddress[] | string, family?: number) => void;
  const resolve = (_name: string, options: {all?: boolean}, done: Done) => {
    const found = next();
    if (options.all === true) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  };
  vi.spyOn(dns, 'lookup').mockImplementation(resolve as never);
  vi.spyOn(dns.promises, 'lookup').mockImplementation((async () => next()) as never);
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  server.closeAllConnections();
  server.close();
});

const request = () => requestKrtz(url, new AbortController().signal);

test('the address that was checked is the address that is asked', async () => {
  answers = [['127.0.0.1'], ['169.254.169.254']];
  expect(await request()).toEqual({text: '[]'});
});

test('a name that has come to stand for a metadata address is refused', async () => {
  answers = [['127.0.0.1'], ['169.254.169.254']];
  await request();
  server.closeAllConnections();
  expect(await request()).toMatchObject({
    reason:
      'rebind.test (169.254.169.254) is an address at which clouds serve credentials; krtscope does not read it',
  });
});

test('a name with one metadata address among others is refused', async () => {
  answers = [['127.0.0.1', '::ffff:169.254.169.254']];
  expect(await request()).toMatchObject({reason: expect.stringContaining('clouds serve credentials')});
});

// A server sees a checked request whole or not at all.
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {tokenCredentials} from '../credentials/credentials.ts';
import {Transport} from './transport.ts';

const whole: {length: number; header: string | undefined}[] = [];
const server = createServer(async (request: IncomingMessage, response) => {
  let length = 0;
  try {
    for await (const chunk of request) length += (chunk as Buffer).length;
  } catch {
    // The client closed the connection before the end.
    return;
  }
  whole.push({length, header: request.headers['content-length']});
  response.writeHead(200, {'content-type': 'application/json'}).end('{}');
});
let transport: Transport;

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  transport = new Transport(tokenCredentials(`http://127.0.0.1:${port}`, 'any'), {readOnly: false});
});
beforeEach(() => {
  whole.length = 0;
});
afterAll(async () => {
  await transport.close();
  server.close();
});

const put = (body: string, beforeSend: () => void) =>
  transport.request({method: 'PUT', path: '/x', body, beforeSend, retries: 0});

test('a body is checked before each part, and has its length', async () => {
  let checks = 0;
  await put('x'.repeat(200_000), () => checks++);
  expect(whole).toEqual([{length: 200_000, header: '200000'}]);
  expect(checks).toBe(4);
});

test.each([1, 3, 4])('a check that fails before part %i stops the request', async failing => {
  let checks = 0;
  const sent = put('x'.repeat(200_000), () => {
    if (++checks === failing) throw new Error('not any more');
  });
  await expect(sent).rejects.toThrow('not any more');
  // The next request shows that the server has handled the first one's connection.
  await put('{}', () => {});
  expect(whole).toEqual([{length: 2, header: '2'}]);
});

import type {IncomingMessage} from 'node:http';
import {expect, test} from 'vitest';
import {AccessControl} from './access-control.ts';

const access = new AccessControl({token: 'right', host: 'scope.example', port: () => 7070});
const request = (headers: Record<string, string>, remoteAddress = '127.0.0.1', url = '/') =>
  ({method: 'GET', headers, socket: {remoteAddress}, url}) as IncomingMessage;

test.each([
  '127.0.0.1:7070',
  'localhost:7070',
  '[::1]:7070',
  'localhost',
  'scope.example:7070',
  '10.1.2.3:80',
])('the Host %s is served', host => {
  expect(access.checkOrigin(request({host}))).toBeUndefined();
});

test.each(['evil.example:7070', 'localhost.evil.example', '127.0.0.1.nip.example', ''])(
  'the Host %s, a name pointed at this address, is refused',
  host => {
    expect(access.checkOrigin(request({host}))).toMatchObject({code: 'foreign-origin'});
  },
);

test('a page may use it from its own origin only', () => {
  const from = (origin: string) => access.checkOrigin(request({host: 'localhost:7070', origin}));
  expect(from('http://localhost:7070')).toBeUndefined();
  expect(from('http://localhost:8080')).toMatchObject({code: 'foreign-origin'});
  expect(from('https://evil.example')).toMatchObject({code: 'foreign-origin'});
  expect(from('null')).toMatchObject({code: 'foreign-origin'});
});

test('the token is taken from the header, a subprotocol or the address of a GET, never from a cookie', () => {
  const check = (headers: Record<string, string>, url?: string, method = 'GET') =>
    access.checkToken({...request(headers, '127.0.0.1', url), method} as IncomingMessage)?.code;
  expect(check({authorization: 'Bearer right'})).toBeUndefined();
  expect(check({'sec-websocket-protocol': 'krtscope, krtscope.bearer.right'})).toBeUndefined();
  expect(check({}, '/api/v1/graph?token=right')).toBeUndefined();
  expect(check({authorization: 'Bearer wrong'}, '/api/v1/graph?token=right')).toBeUndefined();
  expect(check({}, '/api/v1/sessions?token=right', 'POST')).toBe('unauthorized');
  expect(check({authorization: 'Bearer wrong'})).toBe('unauthorized');
  expect(check({'sec-websocket-protocol': 'krtscope.bearer.wrong'})).toBe('unauthorized');
  expect(check({cookie: 'krtscope_7070=right'})).toBe('unauthorized');
  expect(check({})).toBe('unauthorized');
});

test('a token with other characters than ASCII arrives as UTF-8', () => {
  const other = new AccessControl({token: 'Schlüssel', host: 'scope.example', port: () => 7070});
  const bytes = Buffer.from('Schlüssel').toString('latin1');
  expect(other.checkToken(request({authorization: `Bearer ${bytes}`}))).toBeUndefined();
});

test('tokens that come side by side from a strange address are not all looked at, in whichever place they come', () => {
  const strict = new AccessControl({token: 'right', host: 'scope.example', port: () => 7070, now: () => 0});
  const stranger = '10.9.8.7';
  const tries = (headers: Record<string, string>, url?: string) => {
    const req = request(headers, stranger, url);
    const refusal = strict.checkToken(req);
    if (refusal !== undefined) strict.delay(req);
    return refusal?.code;
  };
  const old = {'sec-websocket-protocol': 'krtscope.bearer.old'};
  for (let n = 0; n < 5; n++) expect(tries(old, `/?token=guess${n}`)).toBe('unauthorized');
  expect(tries({authorization: 'Bearer right'})).toBe('too-many');
  expect(tries({}, '/?token=right')).toBe('too-many');
  expect(strict.checkBearer(request({authorization: 'Bearer right'}, stranger))?.code).toBe('too-many');
  expect(tries(old)).toBe('unauthorized');
  expect(tries({})).toBe('unauthorized');
  expect(strict.checkToken(request({authorization: 'Bearer right'}, '10.9.8.6'))).toBeUndefined();
});

import {expect, test} from 'vitest';
import {isLoggedAccess} from './listen-address.ts';

test.each([
  [{host: '127.0.0.1', auth: 'token'}, true, false],
  [{host: '127.0.0.1', auth: 'token'}, false, true],
  [{host: '127.0.0.1', auth: 'token'}, undefined, true],
  [{host: '0.0.0.0', auth: 'token'}, true, true],
  [{host: '127.0.0.1', auth: 'kubernetes'}, true, true],
] as const)('%j in a terminal (%s): accesses are logged: %s', (config, isTTY, isLogged) => {
  expect(isLoggedAccess(config, isTTY === undefined ? {} : {isTTY})).toBe(isLogged);
});

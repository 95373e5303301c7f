import {connect} from 'node:net';
import {createSecureContext} from 'node:tls';
import {expect, test} from 'vitest';
import {failureOf, rootMessage} from './error.ts';

const thrown = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

test('a client certificate that is none is told in words, with what Node says behind them', () => {
  const error = thrown(() => createSecureContext({cert: 'nonsense', key: 'nonsense'}));
  expect(failureOf(new Error('fetch failed', {cause: error}))).toBe('tls');
  expect(rootMessage(new Error('fetch failed', {cause: error}))).toMatch(
    /^a certificate or key of the kubeconfig is not PEM text \(.+\)$/,
  );
});

test('a port where nothing listens, and a name that is none', async () => {
  const failed = (port: number, host: string) =>
    new Promise<unknown>(resolve => connect({port, host}).on('error', resolve));
  expect(rootMessage(await failed(1, '127.0.0.1'))).toBe(
    'nothing is listening there (connect ECONNREFUSED 127.0.0.1:1)',
  );
  expect(rootMessage({code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND nowhere.invalid'})).toMatch(
    /^the host name does not resolve/,
  );
  expect(rootMessage(new Error('a plugin said no'))).toBe('a plugin said no');
});

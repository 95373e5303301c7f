// Credentials recover: the kubeconfig and its files are read again.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {generate} from 'selfsigned';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {describeExpiry} from './credential-expiry.ts';
import {credentialsOf} from './credentials.ts';
import {readKubeconfig} from './kubeconfig.ts';

vi.mock('@kubernetes/client-node', () => {
  throw new Error('the library is loaded');
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-credentials-'));
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

function write(file: string, user: object): string {
  const path = join(folder, file);
  writeFileSync(
    path,
    JSON.stringify({
      clusters: [{name: 'c', cluster: {server: 'http://127.0.0.1:1'}}],
      users: [{name: 'u', user}],
      contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
    }),
  );
  return path;
}

test('a token that was mended in the kubeconfig is used after a refusal', async () => {
  const file = write('token', {token: 'old'});
  const credentials = credentialsOf(readKubeconfig([file]), 'c');
  expect((await credentials.authorize()).headers.authorization).toBe('Bearer old');
  expect(credentials.refresh()).toBe(false);
  write('token', {token: 'renewed'});
  expect(credentials.refresh()).toBe(true);
  expect((await credentials.authorize()).headers.authorization).toBe('Bearer renewed');
});

test('a token file is read again after a minute and after a refusal, without a library', async () => {
  const token = join(folder, 'pod-token');
  writeFileSync(token, 'first\n');
  const credentials = credentialsOf(readKubeconfig([write('pod', {tokenFile: token, as: 'someone'})]), 'c');
  const sent = async () => (await credentials.authorize()).headers;
  expect(await sent()).toEqual({authorization: 'Bearer first', 'impersonate-user': 'someone'});
  writeFileSync(token, 'second');
  expect((await sent()).authorization).toBe('Bearer first');
  vi.useFakeTimers({toFake: ['performance'], now: 0});
  try {
    vi.advanceTimersByTime(1e9);
    expect((await sent()).authorization).toBe('Bearer second');
    writeFileSync(token, 'third');
    expect((await sent()).authorization).toBe('Bearer second');
    expect(credentials.refresh()).toBe(true);
    expect((await sent()).authorization).toBe('Bearer third');
    rmSync(token);
    expect((await sent()).authorization).toBe('Bearer third');
    credentials.refresh();
    await expect(sent()).rejects.toThrow(/cannot read the token file: ENOENT/);
  } finally {
    vi.useRealTimers();
  }
});

test('a client certificate’s file is read again, and a broken kubeconfig changes nothing', async () => {
  const cert = join(folder, 'tls.crt');
  const key = join(folder, 'tls.key');
  for (const path of [cert, key]) writeFileSync(path, 'first');
  const file = write('certificate', {'client-certificate': cert, 'client-key': key});
  const credentials = credentialsOf(readKubeconfig([file]), 'c');
  writeFileSync(cert, 'the second');
  expect(credentials.refresh()).toBe(true);
  expect(String((await credentials.authorize()).tls.cert)).toBe('the second');
  writeFileSync(file, '{');
  expect(credentials.refresh()).toBe(false);
  expect(String((await credentials.authorize()).tls.cert)).toBe('the second');
});

test('what has expired is said, with where it stands and what to do', async () => {
  const claims = Buffer.from(JSON.stringify({exp: 1000})).toString('base64url');
  const token = `x.${claims}.y`;
  expect(describeExpiry({token, file: 'config'}, 2_000_000)).toBe(
    'the token in config expired at 1970-01-01T00:16:40.000Z; renew it there, krtscope reads it again',
  );
  expect(describeExpiry({token, file: 'config'}, 999_000)).toBeUndefined();
  expect(describeExpiry({token: 'opaque', file: 'config'}, 2_000_000)).toBeUndefined();
  const {cert} = await generate([{name: 'commonName', value: 'x'}], {
    keyType: 'ec',
    notBeforeDate: new Date(0),
    notAfterDate: new Date(86_400_000),
  });
  expect(describeExpiry({certificate: Buffer.from(cert), file: 'config'}, Date.now())).toContain(
    'the client certificate in config expired at 1970-01-02',
  );
});

// Credentials that a real server refuses: the session says what is wrong and what to do, and recovers after
// the fix.

import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {connect} from '../../src/kube/client/connect.ts';
import {systemClock} from '../../src/kube/clock.ts';
import {readKubeconfig} from '../../src/kube/credentials/kubeconfig.ts';
import {Informer} from '../../src/kube/informer/informer.ts';
import {resources} from '../../src/kube/resource.ts';
import type {TestServer} from '../servers.ts';
import {expiredCertificate, makeAccount, makeToken} from './identities.ts';
import {LimitedUser, userConfig} from './rights.ts';

export function credentialsSuite(serverNow: () => TestServer & {state: string}): void {
  let server: TestServer & {state: string};
  beforeAll(async () => {
    server = serverNow();
    await makeAccount(server);
  });

  /** Opens with bad credentials, checks the message, fixes them and retries. */
  async function heals(user: object, says: RegExp, mend: (kubeconfig: string) => void): Promise<void> {
    const kubeconfig = userConfig(server, server.state, user);
    const client = connect({config: readKubeconfig([kubeconfig]), context: 'real'});
    const informer = new Informer({client, resource: resources.ConfigMaps, clock: systemClock});
    try {
      informer.start();
      await expect.poll(() => informer.state.phase, {timeout: 30_000}).toBe('unauthorized');
      expect(informer.state.reason).toMatch(says);
      expect(informer.state.reason).not.toContain('does not answer');
      mend(kubeconfig);
      informer.wake();
      await expect.poll(() => informer.state.phase, {timeout: 30_000}).toBe('synced');
    } finally {
      await informer.stop();
      await client.transport.close();
    }
  }

  /** The kubeconfig with another user in it. */
  const become = (user: object) => () => void userConfig(server, server.state, user);

  test('a client certificate that has expired', async () => {
    await heals(
      await expiredCertificate(server),
      /the client certificate in .*kubeconfig-visitor expired at \d{4}-.*; renew it there, krtscope reads it again/,
      become({token: server.token}),
    );
  }, 120_000);

  test('a client certificate with another’s key', async () => {
    const one = (await expiredCertificate(server)) as Record<string, string>;
    const other = (await expiredCertificate(server)) as Record<string, string>;
    await heals(
      {...one, 'client-key-data': other['client-key-data']},
      /the client certificate and its key do not match/,
      become({token: server.token}),
    );
  }, 120_000);

  test('a token that has expired', async () => {
    const claims = Buffer.from(JSON.stringify({exp: 1_700_000_000})).toString('base64url');
    await heals(
      {token: `x.${claims}.y`},
      /the token in .*kubeconfig-visitor expired at 2023-11-14T22:13:20.000Z; renew it there/,
      become({token: server.token}),
    );
  }, 120_000);

  test('a token file whose token was taken back, until another is in it', async () => {
    const [old, next] = [await makeToken(server, 'old'), await makeToken(server, 'next')];
    await old.end();
    const tokenFile = join(server.state, 'visitor-token');
    writeFileSync(tokenFile, old.token);
    await heals(
      {tokenFile},
      /it rejects the token in .*visitor-token; renew it there, krtscope reads it again/,
      () => writeFileSync(tokenFile, next.token),
    );
  }, 120_000);

  test('an exec plugin that fails, run once for all sources', async () => {
    const command = join(server.state, 'plugin.sh');
    const runs = join(server.state, 'plugin-runs');
    const plugin = (script: string) => {
      writeFileSync(command, `#!/bin/sh\necho run >> ${runs}\n${script}\n`);
      chmodSync(command, 0o755);
    };
    plugin('echo "log in first" >&2; exit 1');
    const status = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: {token: server.token},
    });
    const exec = {apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never'};
    const visitor = await LimitedUser.open(server, {exec});
    const says = /the exec plugin .*plugin.sh failed: log in first; run kubectl to see/;
    try {
      await visitor.until('refused', async () => (await visitor.node('Pods')).state === 'unauthorized');
      expect((await visitor.node('Pods')).reason).toMatch(says);
      await visitor.until('told', async () => visitor.session.describe().connection.state === 'unreachable');
      expect((await visitor.session.ready()).reasons.join()).toMatch(says);
      plugin(`echo '${status}'`);
      writeFileSync(runs, '');
      visitor.session.retry();
      await visitor.ready();
      expect(readFileSync(runs, 'utf8').trim().split('\n').length).toBeLessThan(5);
    } finally {
      await visitor.close();
    }
  }, 120_000);
}

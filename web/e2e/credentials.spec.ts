// Credentials that are refused: the page says what is wrong, and Try now really tries.
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {TestInstance} from '../../server/src/start/testing-instance.ts';
import {demoAccess, writeKubeconfig} from './helpers/kubeconfig.ts';
import {expect, test} from './helpers/page-test.ts';

test('a login that has run out: Try now asks for it again, and once it is renewed all comes', async ({
  page,
  server,
}, info) => {
  const {cluster, user} = await demoAccess(server);
  mkdirSync(info.outputPath(), {recursive: true});
  const command = join(info.outputPath(), 'login.sh');
  const runs = join(info.outputPath(), 'runs');
  const login = (script: string) => {
    writeFileSync(command, `#!/bin/sh\ndate +%s%3N >> ${runs}\n${script}\n`);
    chmodSync(command, 0o755);
  };
  login('echo "log in first" >&2; exit 1');
  const file = join(info.outputPath(), 'kubeconfig.json');
  const exec = {apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never'};
  writeKubeconfig(file, 'visitor', cluster, {exec});
  const looker = new TestInstance(['--kubeconfig', file, '--port', '0', '--no-open']);
  try {
    const {url, token} = await looker.address();
    await page.goto(`${url}/s/visitor/overview?token=${token}`);
    const strip = page.getByRole('status').filter({hasText: 'visitor does not answer'});
    await expect(strip).toContainText('log in first');
    const tryNow = async () => {
      const answered = page.waitForResponse(response => response.url().includes('/sessions/retry'));
      const clicked = Date.now();
      await strip.getByRole('button', {name: 'Try now'}).click();
      expect((await answered).status()).toBe(202);
      // The login is asked for again, whatever came of it the last time.
      await expect.poll(() => timesIn(runs).some(time => time > clicked)).toBe(true);
    };
    await tryNow();
    await expect(strip).toBeVisible();

    const status = {token: user.token};
    const credential = {apiVersion: exec.apiVersion, kind: 'ExecCredential', status};
    login(`echo '${JSON.stringify(credential)}'`);
    await tryNow();
    await expect(page.getByText('LIVE', {exact: true})).toBeVisible();
    await expect(page.getByRole('region', {name: 'Sync'})).toContainText('synced');
    await expect(strip).toHaveCount(0);
  } finally {
    await looker.stop();
  }
});

function timesIn(file: string): number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

// Measures how soon a session notices changed rights or tokens on a real server.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {TestServer} from '../servers.ts';
import {makeAccount, makeToken} from './identities.ts';
import {grant, LimitedUser, namespacedKinds} from './rights.ts';

export interface NoticeTime {
  what: string;
  ms: number;
  /** Seconds. */
  limit: number;
}

const all = ['get', 'list', 'watch'];

export async function measureRightsNotice(server: TestServer): Promise<NoticeTime[]> {
  const noticed: NoticeTime[] = [];
  const note = (what: string, ms: number) => noticed.push({what, ms, limit: 60});
  const takeOthers = await grant(server, 'all-but-namespaces', namespacedKinds(all));
  const visitor = await LimitedUser.open(server, {token: server.userToken});
  const node = (name: string) => visitor.node(name);
  try {
    await visitor.ready();
    await visitor.until('waiting', async () => (await node('Workloads')).waitingFor === 'Namespaces');
    const rules = [{apiGroups: [''], resources: ['namespaces'], verbs: all}];
    const take = await grant(server, 'namespaces', rules);
    const given = async () => (await node('Workloads')).synced && (await node('Namespaces')).current === true;
    note('the right to Namespaces was given: Workloads is there', await visitor.until('given', given));
    await take();
    const taken = async () => {
      const {state, current} = await node('Namespaces');
      const {current: derived, behind} = await node('Workloads');
      const gone = state === 'forbidden' && current === false && derived === false && behind === 'Namespaces';
      return gone && !(await visitor.session.ready()).ready;
    };
    note(
      'it was taken: Namespaces and Workloads are not current, not ready',
      await visitor.until('taken', taken),
    );
    const takeAgain = await grant(server, 'namespaces', rules);
    note('it was given again: ready', await visitor.ready());
    await takeAgain();
  } finally {
    await visitor.close();
    await takeOthers();
  }
  return noticed;
}

export async function measureTokenNotice(server: TestServer): Promise<NoticeTime[]> {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-token-'));
  const tokenFile = join(folder, 'token');
  await makeAccount(server);
  const [first, second] = [await makeToken(server, 'first'), await makeToken(server, 'second')];
  writeFileSync(tokenFile, first.token);
  const visitor = await LimitedUser.open(server, {tokenFile});
  try {
    await visitor.ready();
    await first.end();
    const refused = async () => {
      const {state, current} = await visitor.node('Pods');
      return state === 'unauthorized' && current === false && !(await visitor.session.ready()).ready;
    };
    const ended = await visitor.until('refused', refused);
    writeFileSync(tokenFile, second.token);
    const mended = await visitor.ready();
    return [
      // The server caches a valid token for ten seconds.
      {what: 'the token was taken back: unauthorized, not current, not ready', ms: ended, limit: 70},
      {what: 'another token is in the file: ready', ms: mended, limit: 10},
    ];
  } finally {
    await visitor.close();
    rmSync(folder, {recursive: true, force: true});
  }
}

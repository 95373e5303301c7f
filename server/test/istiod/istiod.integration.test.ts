// A real istiod on a real Kubernetes, attached through the API server's port-forward and its Pod's log. `npm run istiod` makes
// all changes and holds back istiod's watches for 20 seconds; KRTSCOPE_ISTIOD=short makes ten. Not part of `npm test`.
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as rest} from 'node:timers/promises';
import type {Check, Checks} from '@krtscope/shared/checks.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {LagAnswer} from '@krtscope/shared/programs/lag.ts';
import type {AttachedState, SessionsAnswer} from '@krtscope/shared/session.ts';
import express from 'express';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {
  isUpstreamInDocument,
  kindOfInformer,
  type RecordedCase,
  rowsToExplain,
} from '../../src/attach/testing-cases.ts';
import {parseConfig} from '../../src/config.ts';
import {until} from '../../src/engine/testing-engine.ts';
import {apiRouter} from '../../src/http/api.ts';
import {failureHandler} from '../../src/http/failure.ts';
import {SessionList} from '../../src/session/session-list.ts';
import {type IstiodChange, istiodChanges} from './istiod-changes.ts';
import {hasIstiod, IstiodProgram} from './istiod-program.ts';
import {recordCase} from './recorded-case.ts';
import {StallingProxy} from './stalling-proxy.ts';

const isLong = process.env.KRTSCOPE_ISTIOD === 'all';
/** Of different kinds; the long form has all. */
const shortChanges = [
  'label namespace shop use-waypoint=second',
  'patch service bank/pay selector app=pay',
  'delete the pods of bank/pay',
  'authorizationpolicy bank/deny',
  'serviceentry bank/cards second host',
  'label node-1 zone',
  'configmap nobody reads',
  'waypoint.yaml',
  'namespace shop asks for shop-waypoint',
  'delete waypoint',
];
const changes = istiodChanges.filter(({what}) => isLong || shortChanges.includes(what));
const SESSION = 'attached:istiod';
const WAIT_MS = 60_000;

describe.runIf(hasIstiod)('a real istiod', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-istiod-'));
  let istiod: IstiodProgram;
  let sessions: SessionList;
  let api: Server;
  let base = '';

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(`${base}${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  const attached = async (): Promise<AttachedState | undefined> =>
    (await get<SessionsAnswer>('/sessions')).sessions.find(({name}) => name === SESSION)?.attached;
  const checks = async (): Promise<Check[]> => (await get<Checks>(`/checks?session=${SESSION}`)).checks;
  const originOf = ({collection, key}: {collection: string; key: string}) =>
    get<Origin>(`/origin/${encodeURIComponent(collection)}/${encodeURIComponent(key)}?session=${SESSION}`);

  beforeAll(async () => {
    istiod = await IstiodProgram.start();
    const {config} = parseConfig(
      ['--data-dir', dataDir, '--kubeconfig', istiod.kubeconfig, '--attach', 'istiod'],
      {},
    );
    sessions = new SessionList(config, 'test');
    api = createServer(express().use(apiRouter(sessions)).use(failureHandler));
    base = await new Promise(resolve => {
      api.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(api.address() as AddressInfo).port}`));
    });
    await sessions.chooseFirst({});
    await sessions.attachAtStart();
    await until(async () => {
      const {document, log} = (await attached()) ?? {};
      return document?.state === 'connected' && log !== undefined && log.state !== 'off' ? true : undefined;
    }, WAIT_MS);
  }, 600_000);
  afterAll(async () => {
    api?.closeAllConnections();
    api?.close();
    await sessions?.stop();
    await istiod?.stop();
    rmSync(dataDir, {recursive: true, force: true});
  }, 120_000);

  /** Resolves when the session has read two documents, or tried to, and every line of the log. */
  async function settled(): Promise<void> {
    const begun = Date.now();
    await until(async () => {
      const {document, log} = (await attached()) ?? {};
      const hasLines = log?.asOf === undefined || Date.now() - log.asOf > 1500;
      const isRead =
        document?.state === 'connected' ? (document.asOf ?? 0) > begun + 1000 : Date.now() > begun + 5000;
      return hasLines && isRead ? true : undefined;
    }, WAIT_MS);
  }

  async function explain(one: RecordedCase): Promise<{named: string[]; open: string[]}> {
    const named: string[] = [];
    const open: string[] = [];
    const document = [one.after, one.before].find(part => Array.isArray(part));
    for (const row of rowsToExplain(one)) {
      // A name that repeats has a number in krtscope, which the log does not write.
      if (document?.filter(({name}) => name === row.collection).length !== 1 && document !== undefined)
        continue;
      const origin = await originOf(row);
      const text = `${one.what}: ${row.collection} ${row.key}: ${origin.sentence}`;
      if (origin.write === null) {
        expect(origin.unknown, text).toBe(true);
        open.push(text);
        continue;
      }
      const {collection, key} = origin.write;
      expect(one.expected, text).toContainEqual({kind: kindOfInformer(collection), key});
      expect(isUpstreamInDocument(one, row.collection, collection), text).toBe(true);
      named.push(text);
    }
    return {named, open};
  }

  test('each row that a change led to goes back to that change', async () => {
    const named: string[] = [];
    const open: string[] = [];
    for (const [at, change] of changes.entries() as Iterable<[number, IstiodChange]>) {
      const one = await recordCase(istiod, change, at + 1);
      await settled();
      const answers = await explain(one);
      named.push(...answers.named);
      open.push(...answers.open);
      if (!Array.isArray(one.after))
        expect(
          (await checks()).map(({code}) => code),
          change.what,
        ).toContain('no-document');
    }
    console.info(
      `live istiod: ${named.length} of ${named.length + open.length} rows named after ${changes.length} changes`,
    );
    expect(named.length / (named.length + open.length), open.join('\n')).toBeGreaterThanOrEqual(0.9);
    const log = (await attached())?.log;
    expect(log?.level).toBe('debug');
    // Libraries that istiod uses may write lines of their own form, for example about a slow request.
    const samples = log?.samples ?? [];
    if (log?.unread !== 0) console.info(`unread lines: ${log?.unread}\n${samples.join('\n')}`);
    expect(samples.filter(line => line.includes('\tkrt\t'))).toEqual([]);
    expect((await checks()).map(({code}) => code)).not.toContain('no-document');
  }, 1_800_000);

  test('istiod is killed and started again', async () => {
    istiod.kill();
    await until(async () => ((await attached())?.document.state === 'lost' ? true : undefined), WAIT_MS);
    await istiod.startAgain();
    await until(async () => ((await attached())?.document.state === 'connected' ? true : undefined), WAIT_MS);
    await settled();
    const change = {
      what: 'label after the restart',
      args: ['label', 'ns', 'shop', '--overwrite', 'istio.io/use-waypoint=third'],
    };
    const one = await recordCase(istiod, change, 100);
    await settled();
    const {named, open} = await explain(one);
    expect(named.length, open.join('\n')).toBeGreaterThan(0);
  }, 300_000);

  test.runIf(isLong)(
    'watches that are held for 20 seconds show as lag, with the ghost by name',
    async () => {
      const proxy = await StallingProxy.start(istiod.server);
      try {
        await istiod.kubectl.ok(['-n', 'bank', 'create', 'service', 'clusterip', 'ghost', '--tcp=80']);
        istiod.kill();
        await istiod.startAgain({server: proxy.url});
        const lag = async () => {
          const answer = await get<LagAnswer>(`/sessions/${encodeURIComponent(SESSION)}/lag`);
          return answer.collections.find(({name}) => name === 'informer/Services');
        };
        await until(async () => ((await lag())?.rows.length === 0 ? true : undefined), WAIT_MS);
        await rest(3000);
        proxy.hold();
        const begun = Date.now();
        await istiod.kubectl.ok(['-n', 'bank', 'delete', 'service', 'ghost']);
        await istiod.kubectl.ok(['-n', 'bank', 'create', 'service', 'clusterip', 'unseen', '--tcp=80']);
        await istiod.kubectl.ok(['-n', 'bank', 'label', 'service', 'pay', 'held=yes']);
        const held = await until(async () => {
          const one = await lag();
          return one !== undefined && one.rows.length >= 3 ? one : undefined;
        }, 20_000);
        console.info(`lag was shown ${Date.now() - begun} ms after the watches were held`);
        expect(held.rows.map(({key, state}) => `${state} ${key}`).sort()).toEqual([
          'behind bank/pay',
          'extra bank/ghost',
          'missing bank/unseen',
        ]);
        await until(
          async () => ((await checks()).some(({code}) => code === 'informer-lag') ? true : undefined),
          WAIT_MS,
        );
        proxy.release();
        await until(async () => ((await lag())?.rows.length === 0 ? true : undefined), WAIT_MS);
        await until(
          async () => ((await checks()).some(({code}) => code === 'informer-lag') ? undefined : true),
          WAIT_MS,
        );
      } finally {
        proxy.stop();
      }
    },
    300_000,
  );
});

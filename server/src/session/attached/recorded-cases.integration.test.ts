// The recorded cases of a real istiod, through the product: documents over HTTP, the log appended to a file, and
// the origin of every row that changed.
import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Check, Checks} from '@krtscope/shared/checks.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {type ProgramWork, programWorkSchema} from '@krtscope/shared/programs/work.ts';
import type {SessionsAnswer} from '@krtscope/shared/session.ts';
import express from 'express';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {
  isUpstreamInDocument,
  kindOfInformer,
  type MergedCase,
  mergeCases,
  type RecordedCase,
  recordedCases,
  rowsToExplain,
} from '../../attach/testing-cases.ts';
import {parseConfig} from '../../config.ts';
import {until} from '../../engine/testing-engine.ts';
import {apiRouter} from '../../http/api.ts';
import {failureHandler} from '../../http/failure.ts';
import {SessionList} from '../session-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-cases-'));
const bodies = new Map<string, RecordedCase['before']>();
const requests = new Map<string, number>();
let program: Server;
let address = '';

beforeAll(async () => {
  program = createServer((req, res) => {
    const path = req.url ?? '';
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const body = bodies.get(path);
    if (Array.isArray(body)) res.end(JSON.stringify(body));
    else res.writeHead(500).end(body?.error.replace(/^500 /, ''));
  });
  address = await listening(program);
});
afterAll(() => {
  program.closeAllConnections();
  program.close();
  rmSync(folder, {recursive: true});
});

const listening = (server: Server): Promise<string> =>
  new Promise(resolve => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });

interface Played {
  origins: Origin[];
  sessions: SessionsAnswer;
  work: ProgramWork;
  /** Of the first case: what its equal runs led to. */
  equalRuns: Check | undefined;
}

interface PlayableCase extends Pick<RecordedCase, 'before' | 'after' | 'log'> {
  /** A part of the address of its document. */
  id: string;
  rows: readonly {collection: string; key: string}[];
}

/** Plays one case and returns the origins of its rows. */
async function originsOf(one: PlayableCase, logFirst: boolean): Promise<Played> {
  const path = `/${one.id}/debug/krtz`;
  const log = join(folder, `${one.id}-${logFirst}.log`);
  bodies.set(path, one.before);
  writeFileSync(log, '2026-11-17T18:01:00.000000Z\tinfo\tads\tan earlier line\n');
  const {config} = parseConfig(
    ['--data-dir', folder, '--attach', `it=${address}${path}`, '--attach-log', `it=${log}`],
    {},
  );
  const list = new SessionList({...config, demo: false, kubeconfig: undefined}, 'test');
  const api = createServer(express().use(apiRouter(list)).use(failureHandler));
  const base = await listening(api);
  const get = async <T>(question: string): Promise<T> =>
    (await (await fetch(`${base}${question}`)).json()) as T;
  try {
    await list.attachAtStart();
    const states = () => get<SessionsAnswer>('/sessions');
    await until(async () => {
      const {document} = (await states()).sessions[0]?.attached ?? {};
      return document?.state === (Array.isArray(one.before) ? 'connected' : 'unreachable') ? true : undefined;
    }, 60_000);
    if (logFirst) appendFileSync(log, one.log);
    bodies.set(path, one.after);
    if (!logFirst) setTimeout(() => appendFileSync(log, one.log), 300);
    const polls = () => requests.get(path) ?? 0;
    const from = polls();
    const lines = one.log.split('\n').filter(line => line !== '').length;
    // Two polls and a second.
    await until(async () => {
      const {attached} = (await states()).sessions[0] ?? {};
      return polls() >= from + 2 && (attached?.log.lines ?? 0) >= lines ? true : undefined;
    }, 60_000);
    const ask = () =>
      Promise.all(
        one.rows.map(({collection, key}) =>
          get<Origin>(
            `/origin/${encodeURIComponent(collection)}/${encodeURIComponent(key)}?session=attached:it`,
          ),
        ),
      );
    const origins = await until(async () => {
      const asked = await ask();
      return asked.every(({write}) => write) ? asked : undefined;
    }, 5000).catch(ask);
    const work = programWorkSchema.parse(await get('/sessions/attached:it/work'));
    // Other files of cases begin with other changes.
    const isLabel = one.id === '1' && process.env.KRTSCOPE_CASES === undefined;
    const equalRuns = isLabel ? await until(() => findEqualRuns(get), 60_000) : undefined;
    return {origins, sessions: await states(), work, equalRuns};
  } finally {
    api.closeAllConnections();
    api.close();
    await list.stop();
  }
}

async function findEqualRuns(get: <T>(question: string) => Promise<T>): Promise<Check | undefined> {
  const {checks} = await get<Checks>('/checks?session=attached:it');
  return checks.find(({code, collection}) => code === 'equal-runs' && collection === 'ambient/PodWorkloads');
}

async function inThrees(queue: (() => Promise<void>)[]): Promise<void> {
  await Promise.all(
    [0, 1, 2].map(async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
    }),
  );
}

test.runIf(recordedCases.length > 0)(
  'each row of the recorded cases goes back to an expected write',
  async () => {
    const named: string[] = [];
    const open: string[] = [];
    const play = async (one: RecordedCase, at: number) => {
      const playable = {...one, id: String(one.case), rows: rowsToExplain(one)};
      const {origins, sessions, work, equalRuns} = await originsOf(playable, at % 2 === 0);
      for (const origin of origins) {
        const row = `case ${one.case}: ${origin.collection} ${origin.key}: ${origin.sentence}`;
        if (origin.write === null) {
          expect(origin, row).toMatchObject({unknown: true, candidates: expect.any(Array)});
          open.push(row);
          continue;
        }
        const {collection, key} = origin.write;
        expect(one.expected, row).toContainEqual({kind: kindOfInformer(collection), key});
        expect(isUpstreamInDocument(one, origin.collection, collection), row).toBe(true);
        if (origin.steps.some(({run}) => run !== undefined)) expect(origin.inferred, row).toBe(true);
        named.push(row);
      }
      expect(sessions.sessions[0]?.attached?.log).toMatchObject({unread: 0});
      if (equalRuns === undefined) return;
      expect(equalRuns).toMatchObject({
        title: '6 of 6 runs of ambient/PodWorkloads changed nothing',
        count: 6,
      });
      expect(equalRuns.message).toContain(
        'After the last change of Namespace shop 3 inputs of it ran 6 times',
      );
      const workloads = work.collections.find(({name}) => name === 'ambient/PodWorkloads');
      expect(workloads).toMatchObject({runs: 6, equal: 6, share: 1, repeated: 3});
    };
    await inThrees(recordedCases.map((one, at) => () => play(one, at)));
    console.info(`recorded cases: ${named.length} of ${named.length + open.length} rows named`);
    expect(named.length / (named.length + open.length), open.join('\n')).toBeGreaterThanOrEqual(0.9);
  },
  600_000,
);

test.runIf(recordedCases.length > 0)(
  'two changes in one interval give the right write or none',
  async () => {
    let named = 0;
    let open = 0;
    const play = async (one: MergedCase, at: number) => {
      const {origins} = await originsOf({...one, id: `two-${one.case}`}, at % 2 === 0);
      for (const [place, {write, sentence, unknown}] of origins.entries()) {
        const {collection, key, expected} = one.rows[place] as MergedCase['rows'][number];
        const row = `${one.what}: ${collection} ${key}: ${sentence}`;
        if (write === null) {
          expect(unknown, row).toBe(true);
          open += 1;
          continue;
        }
        expect(expected, row).toContainEqual({kind: kindOfInformer(write.collection), key: write.key});
        expect(isUpstreamInDocument(one, collection, write.collection), row).toBe(true);
        named += 1;
      }
    };
    await inThrees(mergeCases(recordedCases, 2).map((one, at) => () => play(one, at)));
    console.info(`two changes in one interval: ${named} of ${named + open} rows named`);
    expect(named).toBeGreaterThan(0);
  },
  600_000,
);

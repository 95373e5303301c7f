// The same question about the same moment gives the same text: at once, a minute later, after one and two deaths of the
// engine process, and from the exported file. Over many rows of the demo's shop, with random writes behind them.
import {setTimeout as sleep} from 'node:timers/promises';
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Incidents} from '@krtscope/shared/incidents.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {QuestionInput} from '@krtscope/shared/questions.ts';
import type {Why, WhyNot} from '@krtscope/shared/why.ts';
import {afterEach, expect, test, vi} from 'vitest';
import type {EngineHandle} from '../src/engine/link/engine-link.ts';
import {openRecording} from '../src/engine/supervisor/start-engine.ts';
import {ask, engineFor, until, waitForRestart} from '../src/engine/testing-engine.ts';
import {TruthCluster} from './truth/cluster.ts';
import {sourceNames} from './truth/sources.ts';

type Ask = <T>(question: QuestionInput) => T | Promise<T>;

const running: {stop(): Promise<void>}[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

const derived = [
  'Workloads',
  'ServiceInfos',
  'WorkloadServices',
  'Endpoints',
  'Backends',
  'PolicyBindings',
  'WorkloadsByNode',
  'ClusterSummary',
];

/** Questions about rows of every collection, and about inputs that have none, at a moment. */
async function questionsAt(put: Ask, at: number): Promise<QuestionInput[]> {
  const found: QuestionInput[] = [];
  for (const collection of derived) {
    const {items} = await put<Items>({ask: 'items', collection, limit: 1000, at});
    for (const {key, value} of items.filter((_, i) => i % 3 === 0).slice(0, 12)) {
      found.push({ask: 'origin', collection, key, at}, {ask: 'why', collection, key, at});
      const [field] = Object.keys(value as object);
      if (field !== undefined) found.push({ask: 'origin', collection, key, field, at});
      const expected = {collection: 'Services', key: 'shop/cart'};
      found.push({ask: 'why-not', collection, key, expected, at});
    }
  }
  const pods = await put<Items>({ask: 'items', collection: 'Pods', limit: 1000, at});
  for (const {key, value} of pods.items)
    if ((value as {status?: {phase?: string}}).status?.phase !== 'Running')
      found.push(
        {ask: 'why-empty', collection: 'Workloads', key, at},
        {ask: 'origin', collection: 'Workloads', key, input: true, at},
      );
  return found;
}

/** What is told, in words: sentences, steps, the write, verdicts. */
async function words(put: Ask, question: QuestionInput): Promise<unknown> {
  const answer = await put<Partial<Origin & Why & WhyNot>>(question);
  return {
    question,
    sentence: answer.sentence,
    write: answer.write,
    fix: answer.fix,
    steps: answer.steps?.map(({sentence}) => sentence),
    run: answer.run?.id,
    causes: answer.causes?.map(({collection, key, sequence, changes}) => ({
      collection,
      key,
      sequence,
      changes,
    })),
    verdict: answer.verdict,
    ruled: answer.evidence?.ruled,
  };
}

async function allWords(put: Ask, questions: readonly QuestionInput[], at: number): Promise<unknown[]> {
  const said: unknown[] = [];
  for (const question of questions) said.push(await words(put, question));
  const {collections} = await put<Graph>({ask: 'graph', at});
  const {checks} = await put<Checks>({ask: 'checks', at});
  const {incidents} = await put<Incidents>({ask: 'incidents', state: 'all', at});
  return [
    ...said,
    collections.map(({name, kind, size, synced, state, failed}) => ({
      name,
      kind,
      size,
      synced,
      state,
      failed,
    })),
    checks,
    incidents,
  ];
}

test('after one and two deaths of the engine process, and from a file', {timeout: 300_000}, async () => {
  const engine = engineFor();
  running.push(engine);
  const cluster = await TruthCluster.start(11, changes => engine.apply([...changes]));
  for (const name of sourceNames) engine.sourceState(name, {state: 'synced', synced: true});
  for (let i = 0; i < 60; i++) cluster.change(1 + (i % 2));
  const on =
    (to: EngineHandle): Ask =>
    question =>
      ask(to, question);
  // The incidents of what was written are written down, too.
  await until(async () => ((await ask<Incidents>(engine, {ask: 'incidents'})).open > 0 ? true : undefined));
  const at = engine.sequence;
  const questions = await questionsAt(on(engine), at);
  expect(questions.length).toBeGreaterThan(200);
  const said = await allWords(on(engine), questions, at);
  for (let death = 0; death < 2; death++) {
    const back = waitForRestart(engine);
    process.kill(engine.pid, 'SIGKILL');
    await back;
    expect(await allWords(on(engine), questions, at)).toEqual(said);
    cluster.change(2);
    await sleep(600);
  }
  const opened = await openRecording(await engine.export(), {name: 'file:x', memoryMb: 512});
  running.push(opened);
  expect(await allWords(on(opened), questions, at)).toEqual(said);
});

test('a minute later, and after more has happened', {timeout: 300_000}, async () => {
  const cluster = await TruthCluster.start(12);
  for (let i = 0; i < 60; i++) cluster.change(1 + (i % 2));
  const {rig} = cluster;
  rig.runChecks();
  const at = rig.records.newest();
  const questions = await questionsAt(rig.ask, at);
  const said = await allWords(rig.ask, questions, at);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 61_000);
  expect(await allWords(rig.ask, questions, at)).toEqual(said);
  for (let i = 0; i < 30; i++) cluster.change(1);
  rig.runChecks();
  expect(await allWords(rig.ask, questions, at)).toEqual(said);
});

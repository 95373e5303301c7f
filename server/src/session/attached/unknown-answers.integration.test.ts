// Without the log no answer about an attached program claims a cause as a fact. Reads every sentence about every row
// that changed in recorded documents of a real istiod, or in small ones of the same form.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import type {Why, WhyNot} from '@krtscope/shared/why.ts';
import {afterAll, expect, test} from 'vitest';
import {type RecordedCase, recordedCases} from '../../attach/testing-cases.ts';
import {ownDocuments, type WrittenCollection} from '../../attach/testing-documents.ts';
import {parseConfig} from '../../config.ts';
import type {OpenSession} from '../../engine/link/session.ts';
import {until} from '../../engine/testing-engine.ts';
import {SessionList} from '../session-list.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-unknown-'));
const sessions = new SessionList(parseConfig(['--data-dir', dataDir], {}).config, 'test');
afterAll(async () => {
  await sessions.stop();
  rmSync(dataDir, {recursive: true});
});

/** Words that claim a cause, or that a run did or did not look. */
const CLAIM =
  /\bbecause\b|no recorded filter|matched it|no run was due|\b0 of \d+\b|stopped:|nothing reads|filter that the document/i;

const ask = <T>(session: OpenSession, question: Question) => session.link.ask(question) as Promise<T>;

interface TwoDocuments {
  what: string;
  before: WrittenCollection[];
  after: WrittenCollection[];
}

const isReadable = (one: RecordedCase): one is RecordedCase & TwoDocuments =>
  Array.isArray(one.before) && Array.isArray(one.after) && one.changed.length > 0;
const recorded = recordedCases.filter(isReadable).filter(one => changedRows(one).length > 0);
const small: TwoDocuments = {what: 'small', before: ownDocuments.shop, after: ownDocuments.after};

/** Computed rows of the later document that are new or different, with their inputs and what these read. */
function changedRows({before, after}: TwoDocuments) {
  return after.flatMap(({uid, name, state}) => {
    const old = before.find(one => one.uid === uid)?.state.outputs ?? {};
    if (state.inputCollection === undefined || state.inputCollection === name) return [];
    const isShared = after.some(one => one.name === name && one.uid !== uid);
    if (isShared) return [];
    return Object.entries(state.outputs ?? {}).flatMap(([key, value]) => {
      if (JSON.stringify(old[key]) === JSON.stringify(value)) return [];
      const input = Object.entries(state.inputs ?? {}).find(([, one]) => one.outputs?.includes(key));
      return [{collection: name, key, reads: input?.[1].dependencies ?? []}];
    });
  });
}

function parentOf(document: readonly WrittenCollection[], collection: string): string | undefined {
  return document.find(({name}) => name === collection)?.state.inputCollection;
}

test.each([small, ...recorded])(
  '$what',
  async documents => {
    const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
    const session = await sessions.openSavedPrograms([
      {name: 'before.json', bytes: bytesOf(documents.before)},
      {name: 'after.json', bytes: bytesOf(documents.after)},
    ]);
    const rows = changedRows(documents);
    expect(rows.length).toBeGreaterThan(0);
    const [first] = rows as [(typeof rows)[number]];
    await until(
      () =>
        ask<Why>(session, {ask: 'why', collection: first.collection, key: first.key})
          .then(({sentence}) => (sentence.includes('observed') ? true : undefined))
          .catch(() => undefined),
      60_000,
    );
    const {collections} = await ask<Graph>(session, {ask: 'graph'});
    const sizes = new Map(collections.map(({name, size}) => [name, size]));
    const said: string[] = [];
    let probable = 0;
    for (const {collection, key, reads} of rows) {
      const why = await ask<Why>(session, {ask: 'why', collection, key});
      expect(why.outcome, `${collection} ${key}`).toBe('observed');
      expect(why.sentence).toContain('The program does not say why');
      said.push(why.sentence);
      // Of several changes between two documents the nearest one comes first: its input, or a row that it reads.
      const near = why.candidates?.[0]?.collection;
      if (near !== undefined) {
        expect(why.probable).toBe(true);
        expect(why.sentence).toContain('Probably it follows from ');
        expect([parentOf(documents.after, collection), ...reads]).toContain(near.replace(/#\d+$/, ''));
        probable += 1;
      }
      const origin = await ask<Origin>(session, {ask: 'origin', collection, key});
      expect(origin.write, origin.sentence).toBeNull();
      expect(origin.candidates).toEqual(why.candidates ?? []);
      expect(origin.probable).toBe(why.probable);
      said.push(origin.sentence, ...origin.steps.map(step => step.sentence));
      for (const read of new Set(reads.filter(name => (sizes.get(name) ?? 0) > 0))) {
        const rowsOfRead = documents.after.find(one => one.name === read)?.state.outputs ?? {};
        const expected = Object.keys(rowsOfRead)[0];
        if (expected === undefined) continue;
        const whyNot = await ask<WhyNot>(session, {
          ask: 'why-not',
          collection,
          key,
          expected: {collection: read, key: expected},
        });
        expect(whyNot.verdict, whyNot.sentence).toBe('unknown');
        said.push(whyNot.sentence);
      }
    }
    expect(said.filter(sentence => CLAIM.test(sentence))).toEqual([]);
    expect(probable).toBeGreaterThan(0);
    await sessions.close(session.name).catch(() => {});
  },
  120_000,
);

test('why an input has no rows is probably what the others read and it does not', async () => {
  const inputs = Object.fromEntries(
    ['a', 'b', 'c', 'idle'].map(key => [
      key,
      key === 'idle' ? {dependencies: ['Hosts']} : {dependencies: ['Hosts', 'Zones'], outputs: [`w/${key}`]},
    ]),
  );
  const written: WrittenCollection[] = [
    {name: 'informer/Pods', uid: 1, state: {outputs: {a: 1, b: 1, c: 1, idle: 1}, synced: true}},
    {name: 'Hosts', uid: 2, state: {outputs: {h: 1}, synced: true}},
    {name: 'Zones', uid: 3, state: {outputs: {z: 1}, synced: true}},
    {
      name: 'Workloads',
      uid: 4,
      state: {
        inputCollection: 'informer/Pods',
        inputs,
        outputs: {'w/a': 1, 'w/b': 1, 'w/c': 1},
        synced: true,
      },
    },
  ];
  const bytes = Buffer.from(JSON.stringify(written));
  const session = await sessions.openSavedPrograms([{name: 'idle.json', bytes}]);
  const answer = await until(
    () =>
      ask<WhyNot>(session, {ask: 'why-empty', collection: 'Workloads', key: 'idle'}).catch(() => undefined),
    20_000,
  );
  expect(answer).toMatchObject({verdict: 'unknown', probable: true});
  expect(answer.sentence).toContain(
    'Probably its run ends before it reads Zones: 3 other inputs of Workloads with rows read it, and this one does not.',
  );
  expect(answer.sentence).not.toMatch(CLAIM);
}, 60_000);

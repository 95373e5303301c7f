import type {Effect, Hop, Why, WhyNot} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {alignLetters} from '../why-not/letter-alignment.ts';
import {checkedVerdicts} from '../why-not/verdict-words.ts';
import {endSentence, whyMarkdown, whyNotMarkdown} from './answer/answer-markdown.ts';
import {effectLines, summariseEffects} from './effect-lines.ts';
import {writePath, writeVerb} from './root-write.ts';
import {compareRuns} from './run-differences.ts';
import {createWaterfall, formatSpan, niceStep} from './waterfall.ts';
import {playbackStepMs, playbackSteps} from './wave-playback.ts';

const hop = (kind: Hop['kind'], collection: string, more: Partial<Hop> = {}): Hop => ({
  kind,
  collection,
  key: 'shop/a',
  sequence: 7,
  at: 0,
  changes: [],
  ...more,
});
const effect = (collection: string, depth: number, more: Partial<Effect> = {}): Effect => ({
  collection,
  key: 'shop/a',
  depth,
  outcome: 'changed',
  run: '7.2',
  start: 3,
  duration: 1,
  ...more,
});
const why = (more: Partial<Why> = {}): Why => ({
  sequence: 7,
  collection: 'Workloads',
  key: 'shop/a',
  outcome: 'changed',
  sentence: 'It changed because Namespaces shop changed',
  parts: [],
  run: null,
  causes: [
    hop('run', 'Workloads', {outcome: 'changed', start: 2.1, duration: 0.4}),
    hop('write', 'Namespaces', {
      key: 'shop',
      event: 'update',
      cause: {kind: 'fetch', collection: 'Namespaces', filter: 'key shop', matched: 'both'},
      changes: [{path: 'metadata.labels.x', new: 'wp'}],
      writer: {manager: 'kubectl-label', operation: 'Update'},
    }),
  ],
  effects: [
    effect('Backends', 0),
    effect('WorkloadServices', 0, {outcome: 'equal', stopped: {reason: 'equal', text: 'equal'}, start: 2.6}),
  ],
  together: [],
  blast: [],
  kept: [],
  strip: [],
  beyond: {before: 0, after: 0},
  equalSince: 0,
  settled: 4,
  ...more,
});

test('the waterfall begins with the write and waits end where runs start', () => {
  const {rows, ticks, most} = createWaterfall(why());
  expect(rows.map(row => [row.collection, row.wait, row.start, row.end])).toEqual([
    ['Namespaces', 0, 0, 0],
    ['Workloads', 0, 2.1, 2.5],
    ['WorkloadServices', 2.5, 2.6, 3.6],
    ['Backends', 2.5, 3, 4],
  ]);
  expect(most).toBeGreaterThanOrEqual(4);
  expect(ticks[0]).toBe(0);
  expect([niceStep(0.3), niceStep(1.3), niceStep(40)]).toEqual([0.5, 2, 50]);
  expect([formatSpan(0.005), formatSpan(0.4), formatSpan(38.2)]).toEqual(['5 µs', '0.4 ms', '38 ms']);
});

test('effects that came out alike are folded and counted', () => {
  const many = Array.from({length: 9}, (_, i) => effect('Endpoints', 1, {key: `shop/${i}`}));
  const lines = effectLines(many, false);
  expect(lines.map(line => line.more)).toEqual([0, 0, 6]);
  expect(effectLines(many, true)).toHaveLength(9);
  expect(summariseEffects(why().effects)).toEqual({ran: 2, changed: 1, equal: 1, stopped: 1});
});

test('Markdown tells the sentence, the chain with its diff, and where the wave stopped', () => {
  const text = whyMarkdown(why(), 'http://x/y');
  expect(text).toContain('It changed because Namespaces shop changed.');
  expect(text).toContain('fetch(Namespaces, key shop) matched both');
  expect(text).toContain('+ metadata.labels.x: wp');
  expect(text).toContain('by kubectl-label');
  expect(text).toContain('stopped: equal');
});

test('why not as Markdown names the clause that failed', () => {
  const answer = {
    sequence: 9,
    collection: 'ServiceInfos',
    key: 'shop/catalog',
    expected: {collection: 'Pods', key: 'shop/p'},
    verdict: 'looked-elsewhere',
    sentence: 'It looked elsewhere.',
    parts: [],
    evidence: {
      ruled: [],
      clauses: [{clause: 'labels.app', wants: '= catalog', old: 'catlog', new: 'catlog', matchesNew: false}],
      looked: [],
      reacted: [],
      holders: [],
      command: 'kubectl label',
    },
  } satisfies WhyNot;
  const text = whyNotMarkdown(answer, 'http://x');
  expect(text).toContain('| labels.app | = catalog | catlog | catlog | **no match** |');
  expect(text).toContain('kubectl label');
  expect(endSentence('a')).toBe('a.');
});

test('"It cannot be known" is a verdict of the bar only if it holds', () => {
  const ruled = [
    {verdict: 'unknown' as const, held: false, reason: 'its dependencies are recorded'},
    {verdict: 'equal' as const, held: true, reason: ''},
  ];
  const answer = {evidence: {ruled}} as unknown as WhyNot;
  expect(checkedVerdicts(answer).map(one => one.verdict)).toEqual(['equal']);
  const unknown = {evidence: {ruled: [{...ruled[0]!, held: true}]}} as unknown as WhyNot;
  expect(checkedVerdicts(unknown).map(one => one.verdict)).toEqual(['unknown']);
});

test('a compare marks what differs', () => {
  const rows = compareRuns(why(), why({outcome: 'equal'}));
  expect(rows.filter(row => row.differs).map(row => row.what)).toEqual(['outcome']);
});

test('letters are aligned with a gap where one is missing', () => {
  expect(alignLetters('catalog', 'catlog').filter(letter => !letter.same)).toEqual([
    {wants: 'a', has: null, same: false},
  ]);
  expect(alignLetters('a', 'b')).toEqual([{wants: 'a', has: 'b', same: false}]);
});

test('a wave is played from the root to the item and on, in at most ten seconds', () => {
  expect(playbackSteps(why()).map(step => step.collection)).toEqual([
    'Namespaces',
    'Workloads',
    'Backends',
    'WorkloadServices',
  ]);
  expect(playbackStepMs(4) * 4).toBeLessThanOrEqual(10_000);
  expect(playbackStepMs(500) * 500).toBeLessThanOrEqual(10_000);
});

test('the root write is named as the API names it', () => {
  const pods = {group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: true};
  expect(writePath(hop('write', 'Pods'), pods)).toBe('/api/v1/namespaces/shop/pods/a');
  expect(
    writePath(hop('write', 'X', {key: 'n'}), {...pods, group: 'apps', resource: 'x', namespaced: false}),
  ).toBe('/apis/apps/v1/x/n');
  expect(writeVerb(hop('write', 'Pods', {event: 'delete'}))).toBe('DELETE');
});

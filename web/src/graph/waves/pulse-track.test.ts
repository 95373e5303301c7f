import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {expect, test} from 'vitest';
import {addPulse, dropFinishedDots, emptyTrack, MAX_DOTS, sampledWords} from './pulse-track.ts';
import {stopsOf, waveSentence} from './wave-sentence.ts';

const pulse: BatchPulse = {
  sequence: 7,
  at: 0,
  roots: [{collection: 'Namespaces', key: 'shop', event: 'update'}],
  waves: [
    {from: 'Namespaces', to: 'Workloads', outcomes: {changed: 15, equal: 3}},
    {from: 'Workloads', to: 'WorkloadServices', outcomes: {equal: 15}},
  ],
};
const edge = (from: string, to: string) => `${from}→${to}`;

test('a wave leaves a collection after it has arrived there, and ends as its runs did', () => {
  const {dots} = addPulse(emptyTrack, pulse, edge, 1000);
  expect(dots.map(dot => [dot.edge, dot.end, dot.start])).toEqual([
    ['Namespaces→Workloads', 'changed', 1000],
    ['Workloads→WorkloadServices', 'equal', 1520],
  ]);
});

test('thirty dots fly at most, and the legend says which share is shown', () => {
  const burst = {...pulse, waves: Array.from({length: 240}, () => pulse.waves[0]!)};
  const track = addPulse(emptyTrack, burst, edge, 0);
  expect(track.dots).toHaveLength(MAX_DOTS);
  expect(sampledWords(track)).toBe('1 of 8');
});

test('edges that are not drawn are not counted', () => {
  expect(addPulse(emptyTrack, pulse, () => undefined, 0)).toEqual({dots: [], seen: 0, shown: 0});
});

test('dots go when their ring has faded', () => {
  expect(dropFinishedDots(addPulse(emptyTrack, pulse, edge, 0), 60_000).dots).toEqual([]);
});

test('one run names one object', () => {
  const one = {...pulse, waves: pulse.waves.map(wave => ({...wave, outcomes: {changed: 1}}))};
  const [, , ran] = waveSentence(
    one,
    () => [],
    () => 'Namespace',
  );
  expect(ran).toEqual({text: ' re-ran 1 Workload'});
});

test('the wave card says what ran, where it stopped and what did not run', () => {
  const parts = waveSentence(
    pulse,
    name => (name === 'WorkloadServices' ? ['Endpoints'] : []),
    () => 'Namespace',
  );
  const text = parts
    .map(part =>
      'text' in part
        ? part.text
        : 'code' in part
          ? part.code
          : 'item' in part
            ? `${part.item.collection} ${part.item.key}`
            : '',
    )
    .join('');
  expect(text).toBe(
    'A write to Namespace shop re-ran 18 Workloads: 15 changed, 3 equal. All 15 WorkloadServices runs were equal, so Endpoints did not run.',
  );
  expect(stopsOf(pulse).map(stop => stop.collection)).toEqual(['WorkloadServices']);
});

import fc from 'fast-check';
import {expect, test} from 'vitest';
import {LogStream} from './log-stream.ts';

let clock = 0;
const line = (message: string) =>
  `2026-11-17T18:01:06.${String(100_000 + clock++).padStart(6, '0')}Z\tdebug\tkrt\t${message}`;

/** Two owners at once: the lines of each are in order, and those of the other stand between them. */
const interleaved = [
  line('event size 1, impacts [a b] objects\towner=X'),
  line('Fetch\tparent=X{a} fetch=D filter={keys=[d]} size=1'),
  line('event size 1, impacts [c] objects\towner=Y'),
  line('Fetch\tparent=Y{c} fetch=D filter={} size=1'),
  line('Fetch\tparent=X{a} fetch=E filter={} size=0'),
  line('no match generic'),
  line('Fetch\tparent=X{b} fetch=D filter={keys=[d]} size=1'),
  line('handled\towner=X res=a type=update'),
  line('calling handlers\towner=X events=1'),
  line('Fetch\tparent=X{z} fetch=D filter={keys=[d]} size=1'),
  line('handled delete\towner=Z res=q'),
  'goroutine 1 [running]: ä',
  '2026-11-17T18:01:07.000000Z\tinfo\tads\tPush',
];

function read(pieces: readonly Uint8Array[]) {
  const stream = new LogStream();
  for (const piece of pieces) stream.write(piece);
  stream.endFile();
  return {batches: stream.take(), counts: stream.counts};
}

test('the lines of several owners become the batches of each', () => {
  const {batches, counts} = read([Buffer.from(`${interleaved.join('\n')}\n`)]);
  const told = batches.map(({collection, event, runs, outputs, published}) => ({
    collection,
    impacts: event?.impacts,
    runs: runs.map(({input, fetches}) => `${input} ${fetches.map(fetch => fetch.collection)}`),
    outputs: outputs.map(({key, change}) => `${key} ${change}`),
    published: published !== undefined,
  }));
  expect(told).toEqual([
    {collection: 'X', impacts: ['a', 'b'], runs: ['a D,E', 'b D'], outputs: ['a changed'], published: true},
    {collection: 'Y', impacts: ['c'], runs: ['c D'], outputs: [], published: false},
    {collection: 'X', impacts: undefined, runs: ['z D'], outputs: [], published: false},
    {collection: 'Z', impacts: undefined, runs: [], outputs: ['q deleted'], published: false},
  ]);
  expect(counts).toMatchObject({lines: 13, krt: 11, unread: 1, samples: ['goroutine 1 [running]: ä']});
});

test('pieces may end anywhere, inside lines and characters', () => {
  const bytes = Buffer.from(interleaved.join('\r\n'));
  const whole = read([bytes]);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), {maxLength: 20}), cuts => {
      const ends = [...cuts, bytes.length].sort((a, b) => a - b);
      const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
      expect(read(pieces)).toEqual(whole);
    }),
  );
});

test('an input that runs twice in a row has two runs', () => {
  const stream = new LogStream({fetchCount: () => 2});
  const run = [
    line('Fetch\tparent=X{a} fetch=D filter={} size=1'),
    line('Fetch\tparent=X{a} fetch=D filter={} size=1'),
  ];
  stream.writeText(`${[...run, ...run].join('\n')}\n`);
  expect(stream.take().flatMap(({runs}) => runs.map(one => one.fetches.length))).toEqual([2, 2]);
});

test('a line without an end is bounded', () => {
  const stream = new LogStream();
  for (let i = 0; i < 40; i++) stream.writeText('x'.repeat(100_000));
  stream.writeText(`\n${interleaved[0]}\n`);
  expect(stream.counts).toMatchObject({lines: 2, unread: 1, krt: 1});
});

import {expect, test} from 'vitest';
import {decodeBlock, type RecordedState} from '../encoding/block-decoder.ts';
import {flags} from '../encoding/block-encoder.ts';
import {ByteWriter} from '../encoding/bytes.ts';
import {runToEnd} from '../incremental-work.ts';
import {type RebuildOptions, rebuildRecording} from '../recording-rebuild.ts';
import {MemoryBudget} from './memory-budget.ts';
import {decodeFile, RecordingFileWriter} from './recording-file.ts';

const MB = 2 ** 20;
const MANY = 200_000;
const tooLarge =
  /^this recording is too large: what it holds takes more than 16 MB of memory; start krtscope with more /;

const header = {recording: 'r', redacted: true, written: 1, newest: 2, oldest: 1};

/** A block with the runs or changes that `rest` writes. */
function block(rest: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter();
  writer.uint(2);
  writer.float(0);
  writer.float(0);
  writer.uint(0);
  writer.uint(0);
  rest(writer);
  return writer.take();
}

/** The first use of a name. */
const say = (writer: ByteWriter, number: number, name: string) => {
  writer.uint(number);
  writer.text(name);
};

function run(writer: ByteWriter, isFirst: boolean, outputs: number, equal = 0): void {
  if (isFirst) say(writer, 0, 'c');
  else writer.uint(0);
  // Its input is that of its first cause, and it has no cause.
  for (const number of [flags.run.ownInput, 0, 0, 0, 0, equal + 1, outputs]) writer.uint(number);
  for (let i = 0; i < outputs; i++) {
    writer.uint(0);
    writer.text(String(i));
  }
}

const read = (bytes: Uint8Array, state: RecordedState = new Map()) =>
  decodeBlock(bytes, state, () => 0, false, new MemoryBudget(16 * MB));

test('items of a few bytes each are counted while they are read', () => {
  const writer = new RecordingFileWriter();
  writer.facts({});
  for (let from = 0; from < MANY; from += 1000)
    writer.items(
      'c',
      Array.from({length: 1000}, (_, i) => [String(from + i), 0] as const),
    );
  const bytes = writer.end(header);
  expect(bytes.byteLength).toBeLessThan(MB);
  const told: number[] = [];
  expect(() => runToEnd(decodeFile(bytes, new MemoryBudget(16 * MB), share => told.push(share)))).toThrow(
    tooLarge,
  );
  expect(Math.max(0, ...told)).toBeLessThan(0.4);
  expect(runToEnd(decodeFile(bytes)).state.get('c')?.size).toBe(MANY);
});

test('what is empty in JSON is not empty in memory', () => {
  const writer = new RecordingFileWriter();
  writer.facts(Array.from({length: MANY * 2}, () => ({})));
  expect(() => runToEnd(decodeFile(writer.end(header), new MemoryBudget(16 * MB)))).toThrow(tooLarge);
});

test('a field name is counted where it is new, in one object or in many, and not where it is known', () => {
  const open = (values: readonly unknown[]) => {
    const writer = new RecordingFileWriter();
    writer.facts({});
    values.forEach((value, i) => void writer.items('c', [[String(i), value]]));
    return runToEnd(decodeFile(writer.end(header), new MemoryBudget(16 * MB)));
  };
  const fields = (count: number, from = 0) =>
    Object.fromEntries(Array.from({length: count}, (_, i) => [`f"${from + i}`, ':']));
  const objects = (of: (i: number) => unknown) => Array.from({length: 1000}, (_, i) => of(i));
  expect(() => open([fields(MANY)])).toThrow(tooLarge);
  expect(() => open(objects(i => fields(200, i * 200)))).toThrow(tooLarge);
  expect(open(objects(() => fields(200))).state.get('c')?.size).toBe(1000);
});

test('runs and outputs of a block are counted, however short they are', () => {
  const runs = (count: number) =>
    block(writer => {
      for (const number of [0, 0, count]) writer.uint(number);
      for (let i = 0; i < count; i++) run(writer, i === 0, 0);
    });
  expect(read(runs(1000)).trace.runs).toHaveLength(1000);
  expect(() => read(runs(MANY))).toThrow(tooLarge);
  const outputs = block(writer => {
    for (const number of [0, 0, 1]) writer.uint(number);
    run(writer, true, MANY * 2);
  });
  expect(() => read(outputs)).toThrow(tooLarge);
});

test('a wide object of which one field changes again and again is counted each time', () => {
  const wide = Object.fromEntries(Array.from({length: 5000}, (_, i) => [`f${i}`, 0]));
  const changes = (count: number) =>
    block(writer => {
      writer.uint(count);
      for (let i = 0; i < count; i++) {
        if (i === 0) say(writer, 0, 'c');
        else writer.uint(0);
        writer.text('a');
        writer.uint(1 | flags.change.old);
        writer.text(JSON.stringify([1, {f0: [0, i]}, []]));
      }
      writer.uint(0);
      writer.uint(0);
    });
  const state = () => new Map([['c', new Map<string, unknown>([['a', wide]])]]);
  expect(read(changes(10), state()).trace.published).toHaveLength(10);
  expect(() => read(changes(1000), state())).toThrow(tooLarge);
});

test('outputs that are those of the run before are counted each time', () => {
  const bytes = block(writer => {
    for (const number of [0, 0, 300]) writer.uint(number);
    run(writer, true, 2000);
    for (let i = 1; i < 300; i++) run(writer, false, 0, 2000);
  });
  const options = (allowance: MemoryBudget): RebuildOptions => ({
    state: new Map(),
    blocks: [{sequence: 2, bytes}],
    oldest: 1,
    newest: 2,
    limits: {runs: Infinity, bytes: Infinity},
    lineage: {childrenOf: () => [], isJoin: () => false, ended: () => []},
    parentsOf: () => [],
    uidOf: () => 0,
    allowance,
  });
  expect(() => runToEnd(rebuildRecording(options(new MemoryBudget(16 * MB))))).toThrow(tooLarge);
  expect(runToEnd(rebuildRecording(options(new MemoryBudget()))).latest('c').runs).toBe(300);
});

test('what is heavier than it looks is refused when the memory is nearly full', () => {
  let held = 10 * MB;
  const allowance = new MemoryBudget(100 * MB, () => held);
  const half = () => {
    for (let i = 0; i < 50; i++) allowance.take(MB / 2);
  };
  half();
  held = 84 * MB;
  half();
  held = 86 * MB;
  expect(half).toThrow('what it holds takes more than 100 MB of memory');
});

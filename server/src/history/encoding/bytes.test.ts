import fc from 'fast-check';
import {expect, test} from 'vitest';
import {ByteReader, ByteWriter} from './bytes.ts';

test('numbers and texts come back as they were written', () => {
  const part = fc.oneof(
    fc.record({uint: fc.maxSafeNat()}),
    fc.record({uint: fc.nat({max: 300})}),
    fc.record({float: fc.double({noNaN: true})}),
    fc.record({text: fc.string({unit: 'binary', maxLength: 60})}),
    fc.record({text: fc.string({maxLength: 60})}),
  );
  const writer = new ByteWriter();
  fc.assert(
    fc.property(fc.array(part, {maxLength: 12}), parts => {
      writer.clear();
      for (const one of parts) {
        if ('uint' in one) writer.uint(one.uint);
        else if ('float' in one) writer.float(one.float);
        else writer.text(one.text);
      }
      const reader = new ByteReader(writer.take());
      for (const one of parts) {
        if ('uint' in one) expect(reader.uint()).toBe(one.uint);
        else if ('float' in one) expect(reader.float()).toBe(one.float);
        else expect(reader.text()).toBe(one.text);
      }
    }),
    {numRuns: 30},
  );
});

test('more than the writer has room for makes it grow, and what was taken stays', () => {
  const writer = new ByteWriter();
  const long = 'ä'.repeat(200_000);
  writer.text(long);
  const first = writer.take();
  writer.clear();
  for (let i = 0; i < 100_000; i++) writer.uint(i);
  const reader = new ByteReader(writer.take());
  for (let i = 0; i < 100_000; i++) if (reader.uint() !== i) throw new Error(`${i} is lost`);
  expect(new ByteReader(first).text()).toBe(long);
});

test('pieces are read as the text that they make together', () => {
  const writer = new ByteWriter();
  const piece = fc.oneof(
    fc.string({maxLength: 80}),
    fc.string({unit: 'binary', maxLength: 5}),
    fc.constant('x'.repeat(500)),
  );
  fc.assert(
    fc.property(fc.array(piece, {maxLength: 30}), list => {
      writer.clear();
      writer.uint(7);
      writer.pieces([...list, 'not this one'], list.length);
      writer.text('after');
      const reader = new ByteReader(writer.take());
      // Half of a surrogate pair is not a text; two halves that meet form one.
      const whole = list.join('').toWellFormed();
      expect([reader.uint(), reader.text(), reader.text()]).toEqual([7, whole, 'after']);
    }),
    {numRuns: 60},
  );
});

test('what was taken is not written over by what comes next', () => {
  const writer = new ByteWriter();
  const taken: Uint8Array[] = [];
  for (let i = 0; i < 5000; i++) {
    writer.clear();
    writer.text('given up');
    writer.clear();
    writer.text(`block ${i} of many`);
    taken.push(writer.take());
  }
  for (const [i, bytes] of taken.entries()) {
    if (new ByteReader(bytes).text() !== `block ${i} of many`) throw new Error(`block ${i} is lost`);
  }
});

test('a block that was cut off is told, not read past its end', () => {
  const writer = new ByteWriter();
  writer.text('whole');
  expect(() => new ByteReader(writer.take().subarray(0, 3)).text()).toThrow('in the middle of a text');
  expect(() => new ByteReader(new Uint8Array([200])).uint()).toThrow('in the middle of a number');
});

import type {TimelineGap} from '@krtscope/shared/timeline.ts';
import {expect, test} from 'vitest';
import {RecordingIndex} from './recording-index.ts';

test('of gaps without end the newest are kept', () => {
  const known = new RecordingIndex({
    name: 'a',
    memoryMb: 1,
    historyRuns: 1,
    historyMb: 1,
    redacted: true,
    sources: [],
  });
  const gap = (at: number): TimelineGap => ({kind: 'watch', from: at, to: at, sequence: at, text: 'away'});
  for (let at = 0; at < 3000; at++) {
    if (at % 2 === 0) known.addGap(gap(at));
    else known.addEngineGap(at, at, 'away');
  }
  expect([known.gaps.length, known.gaps[0]?.from, known.gaps.at(-1)?.from]).toEqual([1000, 2000, 2999]);
});

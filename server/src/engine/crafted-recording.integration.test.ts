// A crafted file of a few kilobytes that unpacks to more than its process may hold.
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {RecordingFileWriter} from '../history/file/recording-file.ts';
import {descendants, survivors} from '../start/testing-instance.ts';
import {openRecording} from './supervisor/start-engine.ts';

/** The largest memory of any process below this one, and which processes existed. */
function watched(): {stop(): {megabytes: number; pids: number[]}} {
  let megabytes = 0;
  const pids = new Set<number>();
  const before = new Set(descendants(process.pid));
  const timer = setInterval(() => {
    for (const pid of descendants(process.pid)) {
      if (before.has(pid)) continue;
      pids.add(pid);
      megabytes = Math.max(megabytes, residentOf(pid));
    }
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return {megabytes, pids: [...pids]};
    },
  };
}

function residentOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

test.runIf(process.platform === 'linux')(
  'is refused while it is being read, long before all of it is there, and its process ends',
  async () => {
    const writer = new RecordingFileWriter();
    writer.facts({});
    for (let from = 0; from < 3_000_000; from += 1000)
      writer.items(
        'Pods',
        Array.from({length: 1000}, (_, i) => [`a/${from + i}`, 0] as const),
      );
    const bytes = writer.end({recording: 'r', redacted: true, written: 1, newest: 1, oldest: 1});
    const shares: number[] = [];
    const watch = watched();
    const refused = openRecording(bytes, {
      name: 'file:crafted',
      memoryMb: 256,
      onOpening: share => shares.push(share),
    });
    await expect(refused).rejects.toMatchObject({
      code: 'bad-query',
      message:
        'this recording is too large: what it holds takes more than 256 MB of memory; start krtscope with more --engine-memory to open it',
    });
    const {megabytes, pids} = watch.stop();
    expect(Math.max(0, ...shares)).toBeLessThan(0.5);
    expect(megabytes).toBeLessThan(500);
    expect(pids.length).toBeGreaterThan(0);
    expect(await survivors(pids)).toEqual([]);
  },
);

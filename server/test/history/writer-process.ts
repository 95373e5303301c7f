// The process that a fuzz round kills: an engine process with its history on disk, and one write after the other.
import {ArchivedEngine} from './archived-engine.ts';
import {stepsAfter, type WriterOptions, type WriterReport, writeOf} from './writes.ts';

const {folder, seed, done, historyRuns} = JSON.parse(process.argv[2] ?? '{}') as WriterOptions;
const report = (message: WriterReport) => process.send?.(message);
process.on('disconnect', () => process.exit(0));

const one = await ArchivedEngine.start({folder, historyRuns});
const {sequence, gaps, recording} = one.engine;
const isWriter = one.kept.disk.state === 'writing';
report({type: 'started', recording, sequence, isWriter, gaps: gaps.map(({text}) => text)});
let state = '';
setInterval(() => {
  const {disk} = one.kept;
  if (disk.state !== state) report({type: 'disk', state: disk.state, reason: disk.reason});
  state = disk.state;
}, 20);
// As after every start: the list of all objects, then changes.
one.write(...Object.entries(stepsAfter(seed, done)).map(([key, step]) => ({key, step})));
one.sync();
await one.settled();
for (let n = done + 1; ; n++) {
  one.write(writeOf(seed, n));
  report({type: 'settled', n, sequence: await one.settled()});
  await new Promise(resolve => setTimeout(resolve, n % 7 === 0 ? 40 : 2));
}

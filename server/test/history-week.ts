// npm run fuzz:week [-- --days N --seed N]: plays days of writes in minutes and compares random moments with the writes.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {HistoryWeek} from './history/week.ts';

const {values} = parseArgs({
  options: {days: {type: 'string', default: '8'}, seed: {type: 'string', default: '1'}},
});
const days = Number(values.days);
const folder = mkdtempSync(join(tmpdir(), 'krtscope-week-'));
const week = new HistoryWeek(folder, {seed: Number(values.seed)});
const {batches, heap, disk, keptDays, moments, problems} = await week.run(days);
// The list of writes that the moments are compared with grows by about 0.2 MB a day.
const growth = days > 3 ? ((heap.at(-1) ?? 0) - (heap[2] ?? 0)) / (days - 3) : 0;
if (growth > 0.8) problems.push(`the heap grows by ${growth.toFixed(1)} MB a day`);
rmSync(folder, {recursive: true, force: true});
const list = (figures: readonly number[]) => figures.map(figure => figure.toFixed(1)).join(', ');
process.stdout.write(
  `${days} days, ${batches} writes: heap after each day ${list(heap)} MB, disk ${list(disk)} MB, ` +
    `${keptDays.toFixed(1)} days kept, ${moments} moments compared, ${problems.length} wrong\n`,
);
for (const problem of problems.slice(0, 3)) process.stdout.write(`  ${problem.slice(0, 500)}\n`);
process.exit(problems.length === 0 ? 0 : 1);

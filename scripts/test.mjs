// npm test: runs all steps, even if one fails, and prints one line with the sums. --check runs only the fast
// steps.
import './node26.mjs';
import {allGroups, checkGroups} from './steps.mjs';

const total = {passed: 0, failed: 0, skipped: 0};
const rows = [];

const now = () => performance.now();

/** Runs a step. Its second try, if it has one, comes when the steps beside it are done. */
async function start([name, step]) {
  const started = now();
  const first = await step();
  return {name, first, elapsed: now() - started};
}

async function finish({name, first, elapsed}) {
  const started = now();
  const {
    passed,
    failed,
    skipped,
    unsound = [],
    slowest = [],
    failures = [],
  } = (await first.again?.()) ?? first;
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  const seconds = ((elapsed + now() - started) / 1000).toFixed(1);
  rows.push(`${name.padEnd(18)} ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s`);
  for (const title of unsound) rows.push(`  only on a second try: ${title}`);
  for (const file of slowest) rows.push(`  long: ${file}`);
  for (const failure of failures) rows.push(`  failed: ${failure}`);
}

for (const group of process.argv.includes('--check') ? checkGroups : allGroups) {
  process.stdout.write(`\n== ${group.map(([name]) => name).join(', ')}\n`);
  for (const step of await Promise.all(group.map(start))) await finish(step);
}
process.stdout.write(`\n${rows.join('\n')}\n\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(total.failed === 0 ? 0 : 1);

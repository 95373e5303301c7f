// npm test: runs all steps, even if one fails, and prints one line with the sums. --check runs only the fast
// steps.
import './node26.mjs';
import {allGroups, checkGroups} from './steps.mjs';

const total = {passed: 0, failed: 0, skipped: 0};
const rows = [];

async function take([name, step]) {
  const started = Date.now();
  const {passed, failed, skipped, unsound = []} = await step();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  rows.push(`${name.padEnd(18)} ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s`);
  if (unsound.length > 0) rows.push(`${''.padEnd(18)} only on a second try: ${unsound.join(', ')}`);
}

for (const group of process.argv.includes('--check') ? checkGroups : allGroups) {
  process.stdout.write(`\n== ${group.map(([name]) => name).join(', ')}\n`);
  await Promise.all(group.map(take));
}
process.stdout.write(`\n${rows.join('\n')}\n\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(total.failed === 0 ? 0 : 1);

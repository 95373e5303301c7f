// A label on one Pod of 20,000 while 200 others are written a second: how long until a page shows it. And the first why.
import {TestInstance} from '../src/start/testing-instance.ts';
import {ensureWebBuild} from '../src/start/web-build.ts';
import {firstWhy} from './support/first-why.ts';
import {labelDelays} from './support/label-delays.ts';
import type {Bench, Row} from './support/result-row.ts';

const PODS = 20_000;
const WRITES = 100;
const RATE = 200;

async function run(): Promise<Row[]> {
  await ensureWebBuild(() => {});
  const instance = new TestInstance([
    '--demo',
    '--demo-pods',
    String(PODS),
    '--demo-pace',
    '0',
    '--port',
    '0',
    '--no-open',
  ]);
  try {
    await instance.ready();
    const why = await firstWhy(instance, `busy ${PODS / 1000}k`);
    const {delays, rate} = await labelDelays(instance, {writes: WRITES, beside: RATE});
    const at = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN;
    const late = at(0.95);
    const wrong =
      rate < RATE * 0.9
        ? `only ${Math.round(rate)} changes a second of ${RATE}: the machine is busy with other things`
        : delays.length < WRITES * 0.9
          ? `only ${delays.length} of ${WRITES} writes reached the socket`
          : undefined;
    return [
      {
        name: 'busy 20k: a label to the socket at 200 changes a second, 95th percentile',
        value: late,
        unit: 'ms',
        others: {median: at(0.5)},
        goals: [{text: '≤ 100 ms', holds: late <= 100}],
        ...(wrong === undefined ? {} : {wrong}),
      },
      why,
    ];
  } finally {
    await instance.stop();
  }
}

export default {name: 'busy', run} satisfies Bench;

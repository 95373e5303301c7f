// The largest cluster that Kubernetes supports, on the whole product: from the start of the process to ready, what it
// takes of memory, the first why, and a label on one Pod. KRTSCOPE_BENCH_PODS makes it smaller. Only by name: npm run bench -- large.
import {readFileSync} from 'node:fs';
import {descendants, TestInstance} from '../src/start/testing-instance.ts';
import {ensureWebBuild} from '../src/start/web-build.ts';
import {firstWhy} from './support/first-why.ts';
import {labelDelays} from './support/label-delays.ts';
import type {Bench, Row} from './support/result-row.ts';

const PODS = Number(process.env.KRTSCOPE_BENCH_PODS ?? 150_000);
const WRITES = 60;
const PATIENCE_MS = 300_000;

/** The most resident megabytes of each process, by its first file. */
class Peaks {
  readonly #most = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.#timer = setInterval(() => {
      for (const one of [pid, ...descendants(pid)]) this.#look(one);
    }, 250);
  }

  of(file: string): number {
    return Math.max(
      0,
      ...[...this.#most].filter(([name]) => name.endsWith(file)).map(([, megabytes]) => megabytes),
    );
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(pid: number): void {
    try {
      const [name = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .filter(arg => /\.m?[jt]s$/.test(arg));
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
      this.#most.set(`${pid} ${name}`, Math.max(this.#most.get(`${pid} ${name}`) ?? 0, kilobytes / 1024));
    } catch {
      // It ended while we read.
    }
  }
}

async function run(): Promise<Row[]> {
  await ensureWebBuild(() => {});
  const start = performance.now();
  const instance = new TestInstance(
    ['--demo', '--demo-pods', String(PODS), '--demo-pace', '0', '--port', '0', '--no-open'],
    {},
  );
  const peaks = new Peaks(instance.child.pid ?? 0);
  try {
    await instance.lines();
    while ((await instance.get('/readyz')).status !== 200) {
      if (performance.now() - start > PATIENCE_MS) throw new Error(`never ready\n${instance.stderr}`);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    const seconds = (performance.now() - start) / 1000;
    const {total} = await instance.json<{total: number}>('/api/v1/collections/Pods/items?limit=1');
    const size = `${PODS / 1000}k`;
    const why = await firstWhy(instance, `large ${size}`);
    const {delays} = await labelDelays(instance, {writes: WRITES});
    const median = delays[delays.length >> 1] ?? Number.NaN;
    const deaths = instance.stderr.split('engine process ended').length - 1;
    const engine = peaks.of('host/main.ts');
    const main = peaks.of('krtscope.mjs');
    const wrong =
      total < PODS || deaths > 0
        ? `${total} Pods of ${PODS}, ${deaths} deaths`
        : delays.length < WRITES * 0.9
          ? `only ${delays.length} of ${WRITES} writes reached the socket`
          : undefined;
    return [
      {
        name: `large ${size}: start to ready`,
        value: seconds,
        unit: 's',
        goals: [{text: '≤ 45 s', holds: seconds <= 45}],
        ...(wrong === undefined ? {} : {wrong}),
      },
      {
        name: `large ${size}: engine, resident`,
        value: engine,
        unit: 'MB',
        others: {main},
        goals: [
          {text: 'engine ≤ 2,800 MB', holds: engine <= 2800},
          {text: 'main ≤ 1,500 MB', holds: main <= 1500},
        ],
      },
      {
        name: `large ${size}: a label to the socket, median`,
        value: median,
        unit: 'ms',
        others: {p95: delays[Math.floor(delays.length * 0.95)] ?? Number.NaN},
        goals: [{text: '≤ 50 ms', holds: median <= 50}],
      },
      why,
    ];
  } finally {
    peaks.stop();
    await instance.stop();
  }
}

export default {name: 'large', onDemand: true, run} satisfies Bench;

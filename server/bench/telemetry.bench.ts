// OpenTelemetry at 1,000 changes a second over 10,000 Pods: off, and on with the default sampling.
import {startEngine} from '../src/engine/supervisor/start-engine.ts';
import {sourceNames} from '../src/graph/testing-cluster.ts';
import {startTelemetry, type Telemetry} from '../src/telemetry/telemetry.ts';
import {OtlpReceiver} from '../src/telemetry/testing-otlp-receiver.ts';
import {atMost, type Bench, type Row} from './support/result-row.ts';
import {
  type CpuShares,
  fillEngine,
  type MeasuredEngine,
  measureSteadyChanges,
  middleOf,
} from './support/steady-changes.ts';

const PHASE_MS = 6000;
const PHASES = 3;

async function startFor(telemetry: Telemetry | undefined): Promise<MeasuredEngine> {
  const engine = startEngine({
    name: 'bench',
    memoryMb: 2048,
    historyRuns: 50_000,
    historyMb: 64,
    redacted: true,
    sources: sourceNames.map(collection => ({collection})),
    spareMs: 2 ** 31 - 1,
    onSpans: telemetry && (batches => telemetry.takeBatches('bench', batches)),
  }) as MeasuredEngine;
  await fillEngine(engine);
  return engine;
}

async function run(): Promise<Row[]> {
  const receiver = await OtlpReceiver.start();
  // The official exporter reads the variables of its process.
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.endpoint;
  const telemetry = await startTelemetry(process.env, '0', () => {});
  const [off, on] = [await startFor(undefined), await startFor(telemetry)];
  const phases: {off: CpuShares[]; on: CpuShares[]} = {off: [], on: []};
  try {
    for (let phase = 0; phase < PHASES; phase++) {
      phases.off.push(await measureSteadyChanges(off, {milliseconds: PHASE_MS}));
      phases.on.push(await measureSteadyChanges(on, {milliseconds: PHASE_MS}));
    }
  } finally {
    await Promise.all([off.stop(), on.stop(), telemetry?.stop()]);
    await receiver.stop();
  }
  const [without, withTraces] = [middleOf(phases.off), middleOf(phases.on)];
  const added = withTraces.engine + withTraces.main - without.engine - without.main;
  return [
    {
      name: 'OpenTelemetry at 1,000 changes/s, engine process and main',
      value: withTraces.engine + withTraces.main,
      unit: '% of a core',
      others: {off: without.engine + without.main},
      goals: [atMost(5, added, '% more')],
      ...(receiver.spans.length === 0 ? {wrong: 'no span arrived'} : {}),
    },
  ];
}

const bench: Bench = {name: 'telemetry', run};
export default bench;

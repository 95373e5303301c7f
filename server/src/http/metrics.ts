// Prometheus text from the same answers that the pages show.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Stats} from '@krtscope/shared/timeline.ts';
import {Gauge, Registry} from 'prom-client';
import type {OpenSession, Sessions} from '../engine/link/session.ts';

export async function metricsText(sessions: Sessions): Promise<{text: string; type: string}> {
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({
      name: `krtscope_${name}`,
      help,
      labelNames: ['session', ...labelNames],
      registers: [registry],
    });
  const gauges = {
    up: gauge('engine_ready', '1 when the engine process answers'),
    items: gauge('collection_items', 'Items in a collection', ['collection']),
    synced: gauge('collection_synced', '1 when a collection is synced', ['collection']),
    runs: gauge('collection_runs', 'Runs of a collection since it was created', ['collection']),
    failed: gauge('collection_failed_inputs', 'Inputs whose last run failed', ['collection']),
    lag: gauge('lag_milliseconds', 'From a change received to its batch settled, last minute', ['quantile']),
    rate: gauge('runs_per_minute', 'Runs in the last minute'),
    recorder: gauge('recorder_share', 'Share of engine time that recording takes'),
    kept: gauge('recording_bytes', 'Bytes that the recording holds'),
    keptRuns: gauge('recording_runs', 'Runs that the recording holds'),
    heap: gauge('engine_heap_bytes', 'Heap of the engine process'),
    sequence: gauge('sequence', 'Sequence number of the last batch'),
  };
  const measure = async (session: OpenSession) => {
    const labels = {session: session.name};
    // A session without a process must not get one only to be measured.
    const ready = session.describe().engine === 'ready' && !session.link.isResting;
    gauges.up.set(labels, ready ? 1 : 0);
    if (!ready) return;
    const graph = (await session.link.ask({ask: 'graph'})) as Graph;
    const stats = (await session.link.ask({ask: 'stats'})) as Stats;
    for (const {name: collection, size, synced, runs, failed} of graph.collections) {
      gauges.items.set({...labels, collection}, size);
      gauges.synced.set({...labels, collection}, synced ? 1 : 0);
      gauges.runs.set({...labels, collection}, runs);
      gauges.failed.set({...labels, collection}, failed);
    }
    const {p50, p99} = stats.lag;
    if (p50 !== undefined) gauges.lag.set({...labels, quantile: '0.5'}, p50);
    if (p99 !== undefined) gauges.lag.set({...labels, quantile: '0.99'}, p99);
    gauges.rate.set(labels, stats.runsPerMinute);
    gauges.recorder.set(labels, stats.recorder);
    gauges.kept.set(labels, stats.kept.bytes);
    gauges.keptRuns.set(labels, stats.kept.runs);
    gauges.heap.set(labels, stats.heap);
    gauges.sequence.set(labels, stats.sequence);
  };
  // A session whose engine dies during the query must not remove the numbers of the others.
  await Promise.all(sessions.list().map(session => measure(session).catch(() => undefined)));
  return {text: await registry.metrics(), type: registry.contentType};
}

// The metrics of one queue.

import type {Queue, QueueObserver} from '../queue/queue.ts';
import type {BufferedCounter} from './buffered-counter.ts';
import type {Metrics} from './metrics.ts';

/** Further priorities share one label, so that the number of series stays small. */
const mostPriorities = 25;
const tooMany = 'exceeded_cardinality_limit';

/** `prioritised` is false for the plain queue, whose keys have no priority. */
export function queueMetrics(metrics: Metrics, name: string, prioritised: boolean): QueueObserver {
  const labels = {name, controller: name};
  const adds = metrics.counted(metrics.queueAdds, labels);
  const retries = metrics.counted(metrics.queueRetries, labels);
  const waited = metrics.queueDuration.labels(labels);
  const worked = metrics.workDuration.labels(labels);
  const gauges = new Map<number, BufferedCounter>();
  const depth = (priority: number) => {
    let gauge = gauges.get(priority);
    if (gauge) return gauge;
    const label = gauges.size >= mostPriorities ? tooMany : prioritised ? String(priority) : '';
    gauge = metrics.gauged(metrics.queueDepth, {...labels, priority: label});
    gauges.set(priority, gauge);
    return gauge;
  };
  return {
    onReady(_, priority) {
      adds.inc();
      depth(priority).inc();
    },
    onRaised(_, from, to) {
      depth(from).dec();
      depth(to).inc();
    },
    onTaken(_, priority, ms) {
      depth(priority).dec();
      waited.observe(ms / 1000);
    },
    onDone: (_, ms) => worked.observe(ms / 1000),
    onRetry: () => retries.inc(),
    onDropped: (_, priority) => depth(priority).dec(),
  };
}

/** Updates the two gauges of running keys at each scrape. The returned function stops this. */
export function watchInFlight(metrics: Metrics, name: string, queue: Queue): () => void {
  const labels = {name, controller: name};
  const unfinished = metrics.unfinishedWork.labels(labels);
  const longest = metrics.longestRunning.labels(labels);
  return metrics.onScrape(() => {
    const running = queue.running();
    unfinished.set(running.reduce((sum, ms) => sum + ms, 0) / 1000);
    longest.set(Math.max(0, ...running) / 1000);
  });
}

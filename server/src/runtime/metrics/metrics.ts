// The metric families of a manager in their own registry. They have the names of controller-runtime, so that its
// dashboards work.

import {Counter, Gauge, Histogram as PromHistogram, Registry} from 'prom-client';
import {type BufferedCounter, BufferedCounters, type MetricLabels} from './buffered-counter.ts';
import {Histogram} from './histogram.ts';
import {addProcessMetrics} from './process-metrics.ts';

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const queueBuckets = Array.from({length: 12}, (_, at) => 10 ** (at - 8));
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const sizeBuckets = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

export class Metrics {
  readonly registry: Registry;
  readonly reconciles: Counter<'controller' | 'result'>;
  readonly reconcileErrors: Counter<'controller'>;
  readonly terminalErrors: Counter<'controller'>;
  readonly panics: Counter<'controller'>;
  readonly timeouts: Counter<'controller'>;
  readonly reconcileTime: Histogram<'controller'>;
  readonly maxConcurrent: Gauge<'controller'>;
  readonly activeWorkers: Gauge<'controller'>;
  readonly queueDepth: Gauge<'name' | 'controller' | 'priority'>;
  readonly queueAdds: Counter<'name' | 'controller'>;
  readonly queueDuration: Histogram<'name' | 'controller'>;
  readonly workDuration: Histogram<'name' | 'controller'>;
  readonly unfinishedWork: Gauge<'name' | 'controller'>;
  readonly longestRunning: Gauge<'name' | 'controller'>;
  readonly queueRetries: Counter<'name' | 'controller'>;
  readonly requests: Counter<'code' | 'method' | 'host'>;
  readonly usedRights: Counter<'verb' | 'group' | 'resource' | 'subresource' | 'namespace'>;
  readonly requestDuration: Histogram<'verb' | 'host'>;
  readonly requestSize: Histogram<'verb' | 'host'>;
  readonly responseSize: Histogram<'verb' | 'host'>;
  readonly requestRetries: Counter<'code' | 'verb' | 'host'>;
  readonly masterStatus: Gauge<'name'>;
  readonly webhookLatency: PromHistogram<'webhook'>;
  readonly webhookRequests: Counter<'webhook' | 'code'>;
  readonly webhookInFlight: Gauge<'webhook'>;
  readonly conversionPanics: Counter<never>;
  readonly certificateReads: Counter<never>;
  readonly certificateErrors: Counter<never>;
  readonly eventLoopLag: Gauge<never>;
  readonly #series = new Map<object, Map<string, BufferedCounter>>();
  readonly #tallies = new BufferedCounters();
  readonly #beforeScrape = new Set<() => void>();

  constructor(registry: Registry = new Registry()) {
    this.registry = registry;
    const registers = [registry];
    const tallies = this.#tallies;
    function flush(this: object): void {
      tallies.flush(this);
    }
    const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
      new Counter({name, help, labelNames, registers, collect: flush});
    const gauge = <L extends string>(name: string, help: string, labelNames: L[], collect = flush) =>
      new Gauge({name, help, labelNames, registers, collect});
    const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
      new Histogram({name, help, labelNames, buckets, registry});
    const controller = ['controller' as const];
    const queue = ['name' as const, 'controller' as const];
    const prefix = 'controller_runtime';
    this.reconciles = counter(`${prefix}_reconcile_total`, 'Reconciles by their result.', [
      'controller',
      'result',
    ]);
    this.reconcileErrors = counter(`${prefix}_reconcile_errors_total`, 'Reconciles that failed.', controller);
    this.terminalErrors = counter(
      `${prefix}_terminal_reconcile_errors_total`,
      'Reconciles that failed with a terminal error.',
      controller,
    );
    this.panics = counter(
      `${prefix}_reconcile_panics_total`,
      'Reconciles that ended in a panic.',
      controller,
    );
    this.timeouts = counter(
      `${prefix}_reconcile_timeouts_total`,
      'Reconciles that outlasted their reconciliationTimeout.',
      controller,
    );
    this.reconcileTime = histogram(
      `${prefix}_reconcile_time_seconds`,
      'How long a reconcile took.',
      controller,
      reconcileBuckets,
    );
    this.maxConcurrent = gauge(
      `${prefix}_max_concurrent_reconciles`,
      'How many reconciles may run at once.',
      controller,
    );
    this.activeWorkers = gauge(`${prefix}_active_workers`, 'Reconciles that run now.', controller);
    this.queueDepth = gauge('workqueue_depth', 'Keys that are ready.', [...queue, 'priority']);
    this.queueAdds = counter('workqueue_adds_total', 'Keys that became ready.', queue);
    this.queueDuration = histogram(
      'workqueue_queue_duration_seconds',
      'How long a key was ready before a worker took it.',
      queue,
      queueBuckets,
    );
    this.workDuration = histogram(
      'workqueue_work_duration_seconds',
      'How long a worker had a key.',
      queue,
      queueBuckets,
    );
    const refresh = () => {
      for (const run of this.#beforeScrape) run();
    };
    this.unfinishedWork = gauge(
      'workqueue_unfinished_work_seconds',
      'Total time of all keys in flight.',
      queue,
      refresh,
    );
    this.longestRunning = gauge(
      'workqueue_longest_running_processor_seconds',
      'Time of the oldest key in flight.',
      queue,
    );
    this.queueRetries = counter('workqueue_retries_total', 'Keys that were added with a delay.', queue);
    this.requests = counter('rest_client_requests_total', 'Requests to the API server by code and method.', [
      'code',
      'method',
      'host',
    ]);
    this.usedRights = counter(
      'krtscope_used_rights_total',
      'Requests to the API server by the right that they need.',
      ['verb', 'group', 'resource', 'subresource', 'namespace'],
    );
    const toServer = ['verb' as const, 'host' as const];
    this.requestDuration = histogram(
      'rest_client_request_duration_seconds',
      'Time from sending a request to the headers of its answer.',
      toServer,
      requestBuckets,
    );
    this.requestSize = histogram(
      'rest_client_request_size_bytes',
      'Size of the bodies that were sent to the API server.',
      toServer,
      sizeBuckets,
    );
    this.responseSize = histogram(
      'rest_client_response_size_bytes',
      'Size of the answers of the API server, as sent over the network. Watches are not counted.',
      toServer,
      sizeBuckets,
    );
    this.requestRetries = counter(
      'rest_client_request_retries_total',
      'Requests that were sent again, by the code of the answer before.',
      ['code', ...toServer],
    );
    addProcessMetrics(registry);
    this.masterStatus = gauge('leader_election_master_status', '1 while this process leads.', ['name']);
    this.webhookLatency = new PromHistogram({
      name: `${prefix}_webhook_latency_seconds`,
      help: 'How long a webhook took.',
      labelNames: ['webhook'],
      buckets: requestBuckets,
      registers,
    });
    this.webhookRequests = counter(`${prefix}_webhook_requests_total`, 'Webhook requests by code.', [
      'webhook',
      'code',
    ]);
    this.webhookInFlight = gauge(`${prefix}_webhook_requests_in_flight`, 'Webhook requests that run now.', [
      'webhook',
    ]);
    this.conversionPanics = counter<never>(
      `${prefix}_conversion_webhook_panics_total`,
      'Conversions that ended in a panic.',
      [],
    );
    this.certificateReads = counter<never>(
      'certwatcher_read_certificate_total',
      'How often the certificate was read.',
      [],
    );
    this.certificateErrors = counter<never>(
      'certwatcher_read_certificate_errors_total',
      'How often the certificate could not be read.',
      [],
    );
    this.eventLoopLag = gauge<never>(
      'nodejs_eventloop_lag_seconds',
      'Delay of the event loop at the last measurement.',
      [],
    );
  }

  /** Returns a buffered series of a counter. */
  counted<L extends string>(counter: Counter<L>, labels: MetricLabels<L>): BufferedCounter {
    return this.#tallies.counter(counter, labels);
  }

  /** Counts one in the series of these labels, which have the same order in every call. */
  count<L extends string>(counter: Counter<L>, labels: MetricLabels<L>): void {
    let series = this.#series.get(counter);
    if (!series) {
      series = new Map();
      this.#series.set(counter, series);
    }
    const id = Object.values(labels).join('\n');
    let tally = series.get(id);
    if (!tally) {
      tally = this.counted(counter, labels);
      series.set(id, tally);
    }
    tally.inc();
  }

  /** Returns a buffered series of a gauge. */
  gauged<L extends string>(gauge: Gauge<L>, labels: MetricLabels<L>): BufferedCounter {
    return this.#tallies.gauge(gauge, labels);
  }

  /** Calls `refresh` before each scrape. */
  onScrape(refresh: () => void): () => void {
    this.#beforeScrape.add(refresh);
    return () => this.#beforeScrape.delete(refresh);
  }
}

// Fast histograms. prom-client finds the series by its labels for each value, which costs more than a reconcile
// without changes.

import type {Histogram as PromHistogram, Registry} from 'prom-client';
import type {MetricLabels} from './buffered-counter.ts';

/** One series of a histogram. */
export class Distribution {
  readonly #bounds: readonly number[];
  /** Counts by bucket. The last one is for values above the highest bound. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at++;
    this.counts[at]!++;
    this.sum += value;
  }
}

export interface HistogramOptions<L extends string> {
  name: string;
  help: string;
  labelNames: readonly L[];
  buckets: readonly number[];
  registry: Registry;
}

/** A histogram that prom-client's registry prints like its own. */
export class Histogram<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #labelNames: readonly L[];
  readonly #buckets: readonly number[];
  readonly #series = new Map<string, {labels: MetricLabels<L>; distribution: Distribution}>();

  constructor(options: HistogramOptions<L>) {
    this.name = options.name;
    this.help = options.help;
    this.#labelNames = options.labelNames;
    this.#buckets = options.buckets;
    // A registry only uses a metric's name, `get` and `reset`.
    options.registry.registerMetric(this as unknown as PromHistogram<L>);
  }

  /** Returns the series of these labels and creates it if needed. */
  labels(labels: MetricLabels<L>): Distribution {
    const id = JSON.stringify(this.#labelNames.map(name => labels[name]));
    let series = this.#series.get(id);
    if (!series) {
      series = {labels, distribution: new Distribution(this.#buckets)};
      this.#series.set(id, series);
    }
    return series.distribution;
  }

  reset(): void {
    for (const {distribution} of this.#series.values()) {
      distribution.counts.fill(0);
      distribution.sum = 0;
    }
  }

  async get() {
    const {name, help, type, aggregator} = this;
    const values = [...this.#series.values()].flatMap(({labels, distribution: {counts, sum}}) => {
      let count = 0;
      const buckets = counts.map((inBucket, at) => {
        count += inBucket;
        const le = this.#buckets[at] ?? '+Inf';
        return {metricName: `${name}_bucket`, labels: {le, ...labels}, value: count};
      });
      return [
        ...buckets,
        {metricName: `${name}_sum`, labels, value: sum},
        {metricName: `${name}_count`, labels, value: count},
      ];
    });
    return {name, help, type, aggregator, values};
  }
}

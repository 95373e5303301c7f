// What changes with every reconcile is counted here and handed to prom-client when somebody scrapes: finding a
// series by its labels anew for each count took a reconcile a seventh of its time.

import type {Counter, Gauge} from 'prom-client';

export type MetricLabels<L extends string> = Readonly<Record<L, string>>;

/** One series of a counter or a gauge. */
export class BufferedCounter {
  value = 0;

  inc(by = 1): void {
    this.value += by;
  }

  dec(): void {
    this.value--;
  }
}

/** The tallies of all families. */
export class BufferedCounters {
  readonly #flushes = new Map<object, (() => void)[]>();

  /** Adds to the counter what came since the last scrape. */
  counter<L extends string>(counter: Counter<L>, labels: MetricLabels<L>): BufferedCounter {
    const tally = new BufferedCounter();
    // There from the start: a rate over a series that appears with its first error misses that error.
    counter.inc(labels, 0);
    this.#atScrape(counter, () => {
      counter.inc(labels, tally.value);
      tally.value = 0;
    });
    return tally;
  }

  gauge<L extends string>(gauge: Gauge<L>, labels: MetricLabels<L>): BufferedCounter {
    const tally = new BufferedCounter();
    let told = 0;
    // The difference and not the value: two controllers of one name share their series.
    const flush = () => {
      gauge.inc(labels, tally.value - told);
      told = tally.value;
    };
    flush();
    this.#atScrape(gauge, flush);
    return tally;
  }

  /** To be called as the metric's `collect`. */
  flush(metric: object): void {
    for (const flush of this.#flushes.get(metric) ?? []) flush();
  }

  #atScrape(metric: object, flush: () => void): void {
    const flushes = this.#flushes.get(metric);
    if (flushes) flushes.push(flush);
    else this.#flushes.set(metric, [flush]);
  }
}

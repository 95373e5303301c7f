import {Histogram as PromHistogram, Registry} from 'prom-client';
import {expect, test} from 'vitest';
import {Histogram} from './histogram.ts';
import {Metrics} from './metrics.ts';

const buckets = [0.01, 0.1, 1];

test("a histogram is printed as prom-client prints its own, and its values are prom-client's", async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const text = {name: 'took_seconds', help: 'How long.', labelNames: ['controller']};
  const histogram = new Histogram({...text, buckets, registry: ours});
  const reference = new PromHistogram({...text, buckets, registers: [theirs]});
  for (const controller of ['a', 'b "quoted"'])
    for (const value of [0, 0.01, 0.0100001, 0.5, 1, 2, 60]) {
      histogram.labels({controller}).observe(value);
      reference.labels({controller}).observe(value);
    }
  expect(await ours.metrics()).toBe(await theirs.metrics());
  expect((await histogram.get()).values.map(({value}) => value)).toEqual(
    (await reference.get()).values.map(({value}) => value),
  );
});

test('what was counted is there at each scrape, once, also where two count the same series', async () => {
  const metrics = new Metrics();
  const labels = {name: 'web', controller: 'web'};
  const [one, other] = [0, 1].map(() => metrics.counted(metrics.queueAdds, labels));
  const depth = [0, 1].map(() => metrics.gauged(metrics.queueDepth, {...labels, priority: '0'}));
  const seen = async () => [
    (await metrics.queueAdds.get()).values[0]?.value,
    (await metrics.queueDepth.get()).values[0]?.value,
  ];
  expect(await seen(), 'there before the first').toEqual([0, 0]);
  one!.inc();
  other!.inc(2);
  for (const gauge of depth) gauge.inc();
  depth[0]!.dec();
  expect(await seen()).toEqual([3, 1]);
  expect(await seen(), 'a scrape counts nothing').toEqual([3, 1]);
  one!.inc();
  depth[1]!.dec();
  expect(await seen()).toEqual([4, 0]);
});

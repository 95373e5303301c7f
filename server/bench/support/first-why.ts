// The first why of a session, from the request to the whole answer, on the whole product: nothing of it has run before.
import type {TestInstance} from '../../src/start/testing-instance.ts';
import type {Row} from './result-row.ts';

/** To be asked before anybody subscribes to an item: that answer has a why in it. */
export async function firstWhy(instance: TestInstance, size: string): Promise<Row> {
  const {items} = await instance.json<{items: {key: string}[]}>(
    '/api/v1/collections/Workloads/items?limit=1',
  );
  const path = (key: string) => `/api/v1/why/Workloads/${encodeURIComponent(key)}`;
  const times: number[] = [];
  let sentence = '';
  for (let n = 0; n < 11; n++) {
    const start = performance.now();
    ({sentence} = await instance.json<{sentence: string}>(path(items[0]?.key ?? '')));
    times.push(performance.now() - start);
  }
  const [first = Number.NaN, ...later] = times;
  later.sort((a, b) => a - b);
  return {
    name: `${size}: the first why of a session`,
    value: first,
    unit: 'ms',
    others: {later: later[later.length >> 1] ?? Number.NaN},
    goals: [{text: '≤ 20 ms', holds: first <= 20}],
    ...(sentence === '' ? {wrong: 'the why says nothing'} : {}),
  };
}

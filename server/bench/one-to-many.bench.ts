// One-to-many: each of 1,000 pods gives four rows; a new IP and a shifted window of ports change three, add one, drop one.
import {createEngine, newManyCollection, newStaticCollection} from '../src/krt/index.ts';
import {deepEqual} from './contenders/deep-equal.ts';
import {PortQueue, PortStatic} from './contenders/istio-port/collection.ts';
import {PortDerived} from './contenders/istio-port/derived.ts';
import {measure} from './support/measure.ts';
import {against, rowOf} from './support/race.ts';
import {atMost, type Bench} from './support/result-row.ts';
import {keyOf, makeWorkloadObjects, type Pod, withIp} from './support/workload-objects.ts';

interface Endpoint {
  readonly key: string;
  readonly ip: string;
  readonly port: number;
}

interface Target {
  set(pod: Pod): void;
  rows(): Iterable<Endpoint>;
  changes(): number;
}

const PER_POD = 4;

function endpoints(pod: Pod): Endpoint[] {
  const {namespace, name, resourceVersion} = pod.metadata;
  const ip = pod.status.podIP;
  const first = 80 + (Number(resourceVersion) % 2);
  const rows: Endpoint[] = [];
  for (let port = first; port < first + PER_POD; port++)
    rows.push({key: `${namespace}/${name}:${port}`, ip, port});
  return rows;
}

function floorFn(pods: readonly Pod[]): Target {
  const rows = new Map<string, Endpoint>();
  const owned = new Map<string, string[]>();
  let changes = 0;
  const set = (pod: Pod) => {
    const before = owned.get(keyOf(pod));
    const after: string[] = [];
    for (const row of endpoints(pod)) {
      after.push(row.key);
      if (deepEqual(row, rows.get(row.key))) continue;
      rows.set(row.key, row);
      changes++;
    }
    if (before !== undefined) {
      for (const key of before) {
        if (after.includes(key)) continue;
        rows.delete(key);
        changes++;
      }
    }
    owned.set(keyOf(pod), after);
  };
  for (const pod of pods) set(pod);
  return {set, rows: () => rows.values(), changes: () => changes};
}

function port(pods: readonly Pod[]): Target {
  const queue = new PortQueue();
  const source = new PortStatic(queue, pods, {key: keyOf});
  const derived = new PortDerived(source, (_, pod: Pod) => endpoints(pod), {key: (e: Endpoint) => e.key});
  let changes = 0;
  derived.register(events => {
    changes += events.length;
  }, true);
  queue.drain();
  const set = (pod: Pod) => {
    source.updateObject(pod);
    queue.drain();
  };
  return {set, rows: () => derived.list(), changes: () => changes};
}

function krtscope(pods: readonly Pod[]): Target {
  const engine = createEngine({});
  const source = newStaticCollection<Pod>(engine, pods, {name: 'pods'});
  const derived = newManyCollection<Pod, Endpoint>(source, (_, pod) => endpoints(pod), {
    name: 'endpoints',
    key: e => e.key,
  });
  let changes = 0;
  derived.registerBatch(batch => {
    changes += batch.length;
  }, true);
  return {set: pod => source.updateObject(pod), rows: () => derived.list(), changes: () => changes};
}

const bench: Bench = {
  name: 'one-to-many',
  async run() {
    const {pods} = makeWorkloadObjects(1000, 0, 2, 25);
    const other = pods.map((p, i) => withIp(p, `10.9.${i >> 8}.${i & 255}`));
    const entries = Object.entries({krtscope, 'floor-fn': floorFn, 'krt-port': port}).map(
      ([name, create]) => {
        const target = create(pods);
        const start = target.changes();
        let ops = 0;
        return {
          name,
          op: () => {
            for (const pod of ops++ % 2 === 0 ? other : pods) target.set(pod);
          },
          check: (): string | undefined => {
            const told = target.changes() - start;
            if (told !== ops * pods.length * (PER_POD + 1))
              return `${name}: ${told} changes told in ${ops} operations`;
            const expected = new Map(
              (ops % 2 === 1 ? other : pods).flatMap(endpoints).map(e => [e.key, e.ip]),
            );
            const rows = [...target.rows()];
            const bad = rows.find(r => expected.get(r.key) !== r.ip);
            return bad === undefined && rows.length === expected.size ? undefined : `${name}: wrong rows`;
          },
        };
      },
    );
    const times = measure(entries);
    const wrong = entries.map(e => e.check()).find(w => w !== undefined);
    const result = {times, wrong};
    return [rowOf('one-to-many', result, 'ms', [atMost(2, against(result, 'floor-fn'), 'floor-fn')])];
  },
};
export default bench;

// A small graph whose batches are recorded twice: by the recording under test, and as a plain copy of all rows.
import {
  createEngine,
  fetch,
  filterKey,
  filterNamespace,
  filterSelectsNonEmpty,
  joinWithMergeCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newSingleton,
  newStaticCollection,
} from '../krt/index.ts';
import type {Batch} from './batch.ts';
import {PastStates} from './past-states.ts';
import {type CollectionLineage, Recording, type RecordingLimits} from './recording.ts';
import {type EncodedBatch, encodeBatch} from './recording-rebuild.ts';

export interface TestObject {
  metadata: {name: string; namespace: string; labels?: Record<string, string>};
  spec?: {selector?: Record<string, string>; value?: number; ports?: number[]};
}

export const lineage: CollectionLineage = {
  childrenOf: name => ({Pods: ['Workloads'], Workloads: ['Ports']})[name as 'Pods'] ?? [],
  isJoin: name => name === 'Both',
  ended: () => [],
};

export const parents: Record<string, string[]> = {
  Workloads: ['Pods'],
  Ports: ['Workloads'],
  Both: ['Ports', 'Extra'],
  ByNamespace: ['Workloads'],
};

type RowsCopy = Map<string, Map<string, string>>;

export class RecordedTestGraph {
  readonly recording: Recording;
  readonly past: PastStates;
  readonly blocks = new Map<number, EncodedBatch>();
  /** Every row of every collection after each batch, as JSON. */
  readonly copies = new Map<number, RowsCopy>();
  readonly batches: Batch[] = [];
  readonly pods;
  readonly services;
  readonly extra;
  readonly #all;

  constructor(limits: RecordingLimits = {runs: Infinity, bytes: Infinity}) {
    this.recording = new Recording(limits, lineage);
    this.past = new PastStates(this.recording);
    const engine = createEngine({checks: 'off'});
    engine.onTrace(trace => {
      const batch = this.recording.record(trace);
      this.batches.push(batch);
      const bytes = encodeBatch(batch);
      this.blocks.set(trace.sequence, {sequence: trace.sequence, bytes});
      this.recording.setEncodedSize(batch, bytes.byteLength);
      for (const sequence of this.recording.takeDropped()) this.blocks.delete(sequence);
    });
    this.pods = newStaticCollection<TestObject>(engine, [], {name: 'Pods'});
    this.services = newStaticCollection<TestObject>(engine, [], {name: 'Services'});
    this.extra = newStaticCollection<{key: string; extra: number}>(engine, [], {
      name: 'Extra',
      key: row => row.key,
    });
    const workloads = newCollection(
      this.pods,
      (ctx, pod) => {
        const {namespace, name, labels} = pod.metadata;
        if (pod.spec?.value === 13) throw new Error('thirteen');
        if (pod.spec?.value === 7) return undefined;
        const found = fetch(ctx, this.services, filterNamespace(namespace), filterSelectsNonEmpty(labels));
        const twin = fetch(ctx, this.services, filterKey(`${namespace}/${name}`)).length;
        return {
          metadata: {namespace, name},
          value: pod.spec?.value,
          services: found.map(s => s.metadata.name).sort(),
          twin,
          ports: pod.spec?.ports ?? [],
        };
      },
      {name: 'Workloads'},
    );
    const ports = newManyCollection(
      workloads,
      (_, {metadata, ports: list, value}) =>
        list.map(port => ({key: `${metadata.name}:${port}`, extra: value ?? 0})),
      {name: 'Ports', key: row => row.key},
    );
    const both = joinWithMergeCollection(
      [ports, this.extra],
      rows => ({key: (rows[0] as {key: string}).key, extra: rows.reduce((sum, row) => sum + row.extra, 0)}),
      {name: 'Both', key: row => row.key},
    );
    const byNamespace = newIndex(workloads, 'namespace', row => [row.metadata.namespace]).asCollection({
      name: 'ByNamespace',
    });
    const total = newSingleton(engine, ctx => ({count: fetch(ctx, both).length}), {
      name: 'Total',
      key: () => 'total',
    });
    const {pods, services, extra} = this;
    this.#all = {
      Pods: pods,
      Services: services,
      Extra: extra,
      Workloads: workloads,
      Ports: ports,
      Both: both,
      ByNamespace: byNamespace,
      Total: total.asCollection(),
    };
    this.copy();
  }

  /** The current rows of the engine. */
  rows(): RowsCopy {
    const copy: RowsCopy = new Map();
    for (const [name, collection] of Object.entries(this.#all)) {
      const rows = new Map<string, string>();
      for (const row of collection.list() as unknown[]) {
        const {key, metadata} = row as {key?: string; metadata?: TestObject['metadata']};
        const own = key ?? (metadata === undefined ? 'total' : `${metadata.namespace}/${metadata.name}`);
        rows.set(own, JSON.stringify(row));
      }
      copy.set(name, rows);
    }
    return copy;
  }

  copy(): void {
    this.copies.set(this.recording.newest, this.rows());
  }

  write(step: () => void): void {
    step();
    this.copy();
  }
}

export function pod(name: string, value: number, app = 'a', ports: number[] = []): TestObject {
  return {metadata: {name, namespace: 'ns', labels: {app}}, spec: {value, ports}};
}

export function service(name: string, app: string): TestObject {
  return {metadata: {name, namespace: 'ns'}, spec: {selector: {app}}};
}

/** The state of a past moment, in the form of a copy. */
export function stateOf(past: PastStates, at: number, names: Iterable<string>): RowsCopy {
  const copy: RowsCopy = new Map();
  for (const name of names) {
    const rows = new Map<string, string>();
    for (const key of past.keys(name, at)) rows.set(key, JSON.stringify(past.value(name, key, at)));
    copy.set(name, rows);
  }
  return copy;
}

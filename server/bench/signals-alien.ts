// W1 to W5 on alien-signals: the same graph as signals-preact.ts, in that library's own form.
import {computed, effect, endBatch, signal, startBatch} from 'alien-signals';
import type {Contender, Workloads} from './contender.ts';
import {deepEqual} from './deep-equal.ts';
import {deeper, type Pod, type Service, selects, type WorkloadRow, type World, workloadRow} from './world.ts';

interface Cell<T> {
  (): T;
  (value: T): void;
}

interface Entry {
  readonly pod: Cell<Pod>;
  readonly last: () => WorkloadRow;
  readonly dispose: () => void;
}

class AlienWorkloads implements Workloads {
  readonly #pods = new Map<string, Map<string, Entry>>();
  readonly #services = new Map<string, Cell<readonly Service[]>>();
  readonly #stages: number;
  #changes = 0;

  constructor(world: World, stages: number) {
    this.#stages = stages;
    const byNamespace = Map.groupBy(world.services, s => s.metadata.namespace);
    for (const [ns, list] of byNamespace) this.#services.set(ns, signal<readonly Service[]>(list));
    for (const pod of world.pods) this.setPod(pod);
  }

  setPod(pod: Pod): void {
    const {namespace, name} = pod.metadata;
    const pods = this.#in(namespace);
    const entry = pods.get(name);
    if (entry === undefined) pods.set(name, this.#add(pod));
    else entry.pod(pod);
  }

  deletePod(pod: Pod): void {
    const {namespace, name} = pod.metadata;
    const pods = this.#in(namespace);
    const entry = pods.get(name);
    if (entry === undefined) return;
    entry.dispose();
    pods.delete(name);
    this.#changes++;
  }

  setService(service: Service): void {
    const {namespace, name} = service.metadata;
    const services = this.#of(namespace);
    services([...services().filter(s => s.metadata.name !== name), service]);
  }

  batch(f: () => void): void {
    startBatch();
    f();
    endBatch();
  }

  *rows(): Iterable<WorkloadRow> {
    for (const pods of this.#pods.values()) for (const entry of pods.values()) yield entry.last();
  }

  changes(): number {
    return this.#changes;
  }

  #add(first: Pod): Entry {
    const pod: Cell<Pod> = signal(first);
    const services = this.#of(first.metadata.namespace);
    let last = gated(() => {
      const current = pod();
      return workloadRow(
        current,
        services().filter(s => selects(s.spec.selector, current.metadata.labels)),
      );
    });
    for (let depth = 2; depth <= this.#stages; depth++) {
      const before = last;
      last = gated(() => deeper(before(), depth));
    }
    const dispose = effect(() => {
      last();
      this.#changes++;
    });
    return {pod, last, dispose};
  }

  #in(namespace: string): Map<string, Entry> {
    let pods = this.#pods.get(namespace);
    if (pods === undefined) {
      pods = new Map();
      this.#pods.set(namespace, pods);
    }
    return pods;
  }

  #of(namespace: string): Cell<readonly Service[]> {
    let services = this.#services.get(namespace);
    if (services === undefined) {
      services = signal<readonly Service[]>([]);
      this.#services.set(namespace, services);
    }
    return services;
  }
}

function gated(f: () => WorkloadRow): () => WorkloadRow {
  return computed<WorkloadRow>(kept => {
    const next = f();
    return kept !== undefined && deepEqual(next, kept) ? kept : next;
  });
}

export const alienSignals: Contender = {
  name: 'alien-signals',
  create: (world, stages) => new AlienWorkloads(world, stages),
};

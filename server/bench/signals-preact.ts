// W1 to W5 on @preact/signals-core: a signal per pod, one per namespace's services, a computed and an effect per row.
import {batch, computed, effect, type ReadonlySignal, type Signal, signal} from '@preact/signals-core';
import type {Contender, Workloads} from './contender.ts';
import {deepEqual} from './deep-equal.ts';
import {deeper, type Pod, type Service, selects, type WorkloadRow, type World, workloadRow} from './world.ts';

interface Entry {
  readonly pod: Signal<Pod>;
  readonly last: ReadonlySignal<WorkloadRow>;
  readonly dispose: () => void;
}

class PreactWorkloads implements Workloads {
  readonly #pods = new Map<string, Map<string, Entry>>();
  readonly #services = new Map<string, Signal<readonly Service[]>>();
  readonly #stages: number;
  #changes = 0;

  constructor(world: World, stages: number) {
    this.#stages = stages;
    const byNamespace = Map.groupBy(world.services, s => s.metadata.namespace);
    for (const [ns, list] of byNamespace) this.#services.set(ns, signal(list));
    for (const pod of world.pods) this.setPod(pod);
  }

  setPod(pod: Pod): void {
    const {namespace, name} = pod.metadata;
    const pods = this.#in(namespace);
    const entry = pods.get(name);
    if (entry === undefined) pods.set(name, this.#add(pod));
    else entry.pod.value = pod;
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
    services.value = [...services.value.filter(s => s.metadata.name !== name), service];
  }

  batch(f: () => void): void {
    batch(f);
  }

  *rows(): Iterable<WorkloadRow> {
    for (const pods of this.#pods.values()) for (const entry of pods.values()) yield entry.last.value;
  }

  changes(): number {
    return this.#changes;
  }

  #add(first: Pod): Entry {
    const pod = signal(first);
    const services = this.#of(first.metadata.namespace);
    let last = gated(() => {
      const {labels} = pod.value.metadata;
      return workloadRow(
        pod.value,
        services.value.filter(s => selects(s.spec.selector, labels)),
      );
    });
    for (let depth = 2; depth <= this.#stages; depth++) {
      const before = last;
      last = gated(() => deeper(before.value, depth));
    }
    const dispose = effect(() => {
      void last.value;
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

  #of(namespace: string): Signal<readonly Service[]> {
    let services = this.#services.get(namespace);
    if (services === undefined) {
      services = signal<readonly Service[]>([]);
      this.#services.set(namespace, services);
    }
    return services;
  }
}

/** A computed that hands on its old value when the new one is equal, as every engine here must. */
function gated(f: () => WorkloadRow): ReadonlySignal<WorkloadRow> {
  let kept: WorkloadRow | undefined;
  return computed(() => {
    const next = f();
    if (kept === undefined || !deepEqual(next, kept)) kept = next;
    return kept;
  });
}

export const preactSignals: Contender = {
  name: 'preact-signals',
  create: (world, stages) => new PreactWorkloads(world, stages),
};

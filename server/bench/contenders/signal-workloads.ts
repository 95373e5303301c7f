// What the two signal libraries share: which entry belongs to which pod, which cell to which namespace. The graph
// itself each writes in its own form, so that neither pays for the other.

import type {Pod, Service, WorkloadObjects, WorkloadRow} from '../support/workload-objects.ts';
import type {Workloads} from './contender.ts';

export interface SignalEntry {
  readonly dispose: () => void;
}

export abstract class SignalWorkloads<Entry extends SignalEntry, ServicesCell> implements Workloads {
  protected readonly stages: number;
  protected changed = 0;
  readonly #pods = new Map<string, Map<string, Entry>>();
  readonly #services = new Map<string, ServicesCell>();

  constructor(world: WorkloadObjects, stages: number) {
    this.stages = stages;
    const byNamespace = Map.groupBy(world.services, s => s.metadata.namespace);
    for (const [ns, list] of byNamespace) this.#services.set(ns, this.newServices(list));
    for (const pod of world.pods) this.setPod(pod);
  }

  protected abstract newServices(list: readonly Service[]): ServicesCell;
  protected abstract replaceService(cell: ServicesCell, service: Service): void;
  /** The pod's cell, its row through all stages, and an effect that counts changes. */
  protected abstract newEntry(pod: Pod, services: ServicesCell): Entry;
  protected abstract write(entry: Entry, pod: Pod): void;
  protected abstract row(entry: Entry): WorkloadRow;
  abstract batch(f: () => void): void;

  setPod(pod: Pod): void {
    const {namespace, name} = pod.metadata;
    const pods = this.#in(namespace);
    const entry = pods.get(name);
    if (entry === undefined) pods.set(name, this.newEntry(pod, this.#of(namespace)));
    else this.write(entry, pod);
  }

  deletePod(pod: Pod): void {
    const {namespace, name} = pod.metadata;
    const pods = this.#in(namespace);
    const entry = pods.get(name);
    if (entry === undefined) return;
    entry.dispose();
    pods.delete(name);
    this.changed++;
  }

  setService(service: Service): void {
    this.replaceService(this.#of(service.metadata.namespace), service);
  }

  *rows(): Iterable<WorkloadRow> {
    for (const pods of this.#pods.values()) for (const entry of pods.values()) yield this.row(entry);
  }

  changes(): number {
    return this.changed;
  }

  #in(namespace: string): Map<string, Entry> {
    let pods = this.#pods.get(namespace);
    if (pods === undefined) {
      pods = new Map();
      this.#pods.set(namespace, pods);
    }
    return pods;
  }

  #of(namespace: string): ServicesCell {
    let services = this.#services.get(namespace);
    if (services === undefined) {
      services = this.newServices([]);
      this.#services.set(namespace, services);
    }
    return services;
  }
}

export function withService(list: readonly Service[], service: Service): readonly Service[] {
  return [...list.filter(s => s.metadata.name !== service.metadata.name), service];
}

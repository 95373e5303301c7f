// The port as a contender in W1 to W5.

import {
  deeper,
  keyOf,
  type Pod,
  type Service,
  type WorkloadObjects,
  type WorkloadRow,
  workloadRow,
} from '../../support/workload-objects.ts';
import type {Contender, Workloads} from '../contender.ts';
import {type PortCollection, type PortIndex, PortQueue, PortStatic} from './collection.ts';
import {PortDerived} from './derived.ts';

const rowOptions = {key: (row: WorkloadRow) => row.key};

class PortWorkloads implements Workloads {
  readonly #queue = new PortQueue();
  readonly #pods: PortStatic<Pod>;
  readonly #services: PortStatic<Service>;
  readonly #last: PortCollection<WorkloadRow>;
  #changes = 0;
  #held = 0;

  constructor(world: WorkloadObjects, stages: number) {
    this.#services = new PortStatic(this.#queue, world.services, {
      key: keyOf,
      selector: s => s.spec.selector,
    });
    this.#pods = new PortStatic(this.#queue, world.pods, {key: keyOf, labels: p => p.metadata.labels});
    const index = this.#services.index(s => [s.metadata.namespace]) as PortIndex<unknown>;
    let last: PortCollection<WorkloadRow> = new PortDerived(
      this.#pods,
      (ctx, pod: Pod) => {
        const {namespace, labels} = pod.metadata;
        const filter = {index, indexKey: namespace, selectsNonEmpty: labels};
        return [workloadRow(pod, ctx.fetch(this.#services, filter))];
      },
      rowOptions,
    );
    for (let depth = 2; depth <= stages; depth++) {
      last = new PortDerived(last, (_, row: WorkloadRow) => [deeper(row, depth)], rowOptions);
    }
    this.#last = last;
    last.register(events => {
      this.#changes += events.length;
    }, true);
    this.#queue.drain();
  }

  setPod(pod: Pod): void {
    this.#pods.updateObject(pod);
    if (this.#held === 0) this.#queue.drain();
  }

  deletePod(_: Pod, key: string): void {
    this.#pods.deleteObject(key);
    if (this.#held === 0) this.#queue.drain();
  }

  setService(service: Service): void {
    this.#services.updateObject(service);
    if (this.#held === 0) this.#queue.drain();
  }

  /** Upstream has no turns: the writes pile up in the queues before the workers get to them. */
  batch(f: () => void): void {
    this.#held++;
    f();
    this.#held--;
    this.#queue.drain();
  }

  rows(): Iterable<WorkloadRow> {
    return this.#last.list();
  }

  changes(): number {
    return this.#changes;
  }
}

export const krtPort: Contender = {
  name: 'krt-port',
  create: (world, stages) => new PortWorkloads(world, stages),
};

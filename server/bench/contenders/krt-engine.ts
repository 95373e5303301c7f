// Our own engine as a contender, through its public face only and with its default options.
import {
  type Collection,
  createEngine,
  type Engine,
  fetch,
  filterNamespace,
  filterSelectsNonEmpty,
  newCollection,
  newStaticCollection,
} from '../../src/krt/index.ts';
import {
  deeper,
  type Pod,
  type Service,
  type WorkloadObjects,
  type WorkloadRow,
  workloadRow,
} from '../support/workload-objects.ts';
import type {Contender, Workloads} from './contender.ts';

export const rowOptions = {key: (row: WorkloadRow) => row.key};
export class KrtWorkloads implements Workloads {
  readonly engine: Engine;
  readonly #pods;
  readonly #services;
  readonly #last;
  #changes = 0;

  constructor(world: WorkloadObjects, stages: number) {
    this.engine = createEngine({});
    this.#services = newStaticCollection<Service>(this.engine, world.services, {name: 'services'});
    this.#pods = newStaticCollection<Pod>(this.engine, world.pods, {name: 'pods'});
    const services = this.#services;
    let last: Collection<WorkloadRow> = newCollection<Pod, WorkloadRow>(
      this.#pods,
      (ctx, pod) => {
        const {namespace, labels} = pod.metadata;
        const found = fetch(ctx, services, filterNamespace(namespace), filterSelectsNonEmpty(labels));
        return workloadRow(pod, found);
      },
      {...rowOptions, name: 'workloads'},
    );
    for (let depth = 2; depth <= stages; depth++) {
      last = newCollection<WorkloadRow, WorkloadRow>(last, (_, row) => deeper(row, depth), {
        ...rowOptions,
        name: `stage ${depth}`,
      });
    }
    this.#last = last;
    last.registerBatch(changes => {
      this.#changes += changes.length;
    }, true);
  }

  // Every write in a batch, as the product writes: what holds for a bare write alone is worth nothing to it.
  setPod(pod: Pod): void {
    this.engine.batch(() => this.#pods.updateObject(pod));
  }

  deletePod(_: Pod, key: string): void {
    this.engine.batch(() => this.#pods.deleteObject(key));
  }

  setService(service: Service): void {
    this.engine.batch(() => this.#services.updateObject(service));
  }

  batch(f: () => void): void {
    this.engine.batch(f);
  }

  rows(): Iterable<WorkloadRow> {
    return this.#last.list();
  }

  changes(): number {
    return this.#changes;
  }
}

export const krtscope: Contender = {
  name: 'krtscope',
  create: (world, stages) => new KrtWorkloads(world, stages),
};

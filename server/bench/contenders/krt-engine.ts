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
  readonly #write: (f: () => void) => void;
  #changes = 0;

  /** The product writes in batches. With `singleWrites` each write is a batch of its own. */
  constructor(world: WorkloadObjects, stages: number, singleWrites = false) {
    this.engine = createEngine({});
    this.#write = singleWrites ? f => f() : f => this.engine.batch(f);
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

  setPod(pod: Pod): void {
    this.#write(() => this.#pods.updateObject(pod));
  }

  deletePod(_: Pod, key: string): void {
    this.#write(() => this.#pods.deleteObject(key));
  }

  setService(service: Service): void {
    this.#write(() => this.#services.updateObject(service));
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

/** Measured beside krtscope in every race: the slower of the two counts. */
export const krtscopeSingleWrites: Contender = {
  name: 'krtscope, single writes',
  create: (world, stages) => new KrtWorkloads(world, stages, true),
};

// What every engine under test offers: pods and services in, rows out, changes counted.
import type {Pod, Service, WorkloadObjects, WorkloadRow} from '../support/workload-objects.ts';

export interface Workloads {
  setPod(pod: Pod): void;
  /** `key` is the Pod's key. The caller makes it beforehand, so that making it is not measured. */
  deletePod(pod: Pod, key: string): void;
  setService(service: Service): void;
  /** Everything written inside is one turn. Contenders without turns just call it. */
  batch(f: () => void): void;
  rows(): Iterable<WorkloadRow>;
  /** Changes of the last stage told to a listener so far. */
  changes(): number;
}

export interface Contender {
  readonly name: string;
  /** Builds the graph over the world and settles it. `stages` > 1: later stages copy the row and set depth. */
  create(world: WorkloadObjects, stages: number): Workloads;
}

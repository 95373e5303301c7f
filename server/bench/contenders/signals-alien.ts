// W1 to W5 on alien-signals: the same graph as signals-preact.ts, in that library's own form.
import {computed, effect, endBatch, signal, startBatch} from 'alien-signals';
import {
  deeper,
  type Pod,
  type Service,
  selects,
  type WorkloadRow,
  workloadRow,
} from '../support/workload-objects.ts';
import type {Contender} from './contender.ts';
import {deepEqual} from './deep-equal.ts';
import {type SignalEntry, SignalWorkloads, withService} from './signal-workloads.ts';

interface Cell<T> {
  (): T;
  (value: T): void;
}

interface Entry extends SignalEntry {
  readonly pod: Cell<Pod>;
  readonly last: () => WorkloadRow;
}

class AlienWorkloads extends SignalWorkloads<Entry, Cell<readonly Service[]>> {
  protected newServices(list: readonly Service[]): Cell<readonly Service[]> {
    return signal<readonly Service[]>(list);
  }

  protected replaceService(cell: Cell<readonly Service[]>, service: Service): void {
    cell(withService(cell(), service));
  }

  protected newEntry(first: Pod, services: Cell<readonly Service[]>): Entry {
    const pod: Cell<Pod> = signal(first);
    let last = gated(() => {
      const current = pod();
      return workloadRow(
        current,
        services().filter(s => selects(s.spec.selector, current.metadata.labels)),
      );
    });
    for (let depth = 2; depth <= this.stages; depth++) {
      const before = last;
      last = gated(() => deeper(before(), depth));
    }
    const dispose = effect(() => {
      last();
      this.changed++;
    });
    return {pod, last, dispose};
  }

  protected write(entry: Entry, pod: Pod): void {
    entry.pod(pod);
  }

  protected row(entry: Entry): WorkloadRow {
    return entry.last();
  }

  batch(f: () => void): void {
    startBatch();
    f();
    endBatch();
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

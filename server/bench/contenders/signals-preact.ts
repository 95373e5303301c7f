// W1 to W5 on @preact/signals-core: a signal per pod, one per namespace's services, a computed and an effect per row.
import {batch, computed, effect, type ReadonlySignal, type Signal, signal} from '@preact/signals-core';
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

interface Entry extends SignalEntry {
  readonly pod: Signal<Pod>;
  readonly last: ReadonlySignal<WorkloadRow>;
}

class PreactWorkloads extends SignalWorkloads<Entry, Signal<readonly Service[]>> {
  protected newServices(list: readonly Service[]): Signal<readonly Service[]> {
    return signal(list);
  }

  protected replaceService(cell: Signal<readonly Service[]>, service: Service): void {
    cell.value = withService(cell.value, service);
  }

  protected newEntry(first: Pod, services: Signal<readonly Service[]>): Entry {
    const pod = signal(first);
    let last = gated(() => {
      const {labels} = pod.value.metadata;
      return workloadRow(
        pod.value,
        services.value.filter(s => selects(s.spec.selector, labels)),
      );
    });
    for (let depth = 2; depth <= this.stages; depth++) {
      const before = last;
      last = gated(() => deeper(before.value, depth));
    }
    const dispose = effect(() => {
      void last.value;
      this.changed++;
    });
    return {pod, last, dispose};
  }

  protected write(entry: Entry, pod: Pod): void {
    entry.pod.value = pod;
  }

  protected row(entry: Entry): WorkloadRow {
    return entry.last.value;
  }

  batch(f: () => void): void {
    batch(f);
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

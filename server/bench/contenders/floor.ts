// `floor` and `floor-fn`: the hand-written controllers that every engine is measured against.
// floor knows its one job; floor-fn runs the user's function and a generic equality, as any engine must.

import {
  deeper,
  type Labels,
  type Pod,
  type Service,
  type WorkloadObjects,
  type WorkloadRow,
  workloadRow,
} from '../support/workload-objects.ts';
import {callUser} from './call-user.ts';
import type {Contender, Workloads} from './contender.ts';
import {deepEqual} from './deep-equal.ts';
import {LabelIndex, sameLabels} from './label-index.ts';

interface Entry {
  pod: Pod;
  labels: Labels;
  matched: Service[];
  row: WorkloadRow;
  /** Rows of the stages after the first. */
  later: WorkloadRow[];
}

/** Two levels, so that no key is ever joined from namespace and name. */
class Namespace {
  readonly pods = new Map<string, Entry>();
  readonly services = new Map<string, Service>();
  readonly index = new LabelIndex<Entry>();
}

interface Change {
  readonly event: 'add' | 'update' | 'delete';
  readonly old: WorkloadRow | undefined;
  readonly new: WorkloadRow | undefined;
}

const noRow: WorkloadRow = {key: '', ip: '', depth: 0, services: []};

abstract class Controller implements Workloads {
  readonly #namespaces = new Map<string, Namespace>();
  readonly #stages: number;
  readonly #listener: (change: Change) => void;
  #changes = 0;

  constructor(world: WorkloadObjects, stages: number) {
    this.#stages = stages;
    this.#listener = change => {
      if (change.old !== change.new) this.#changes++;
    };
    for (const s of world.services) this.setService(s);
    for (const p of world.pods) this.setPod(p);
  }

  /** The new row, or the old one when nothing changed. */
  protected abstract compute(entry: Entry): WorkloadRow;
  protected abstract stage(row: WorkloadRow, depth: number, old: WorkloadRow): WorkloadRow;

  setPod(pod: Pod): void {
    const {namespace, name, labels} = pod.metadata;
    const ns = this.#namespace(namespace);
    const entry = ns.pods.get(name);
    if (entry === undefined) {
      const added: Entry = {pod, labels, matched: ns.index.selecting(labels), row: noRow, later: []};
      ns.pods.set(name, added);
      ns.index.addLabelled(added, labels);
      this.#refresh(added);
      return;
    }
    entry.pod = pod;
    if (!sameLabels(entry.labels, labels)) {
      ns.index.removeLabelled(entry, entry.labels);
      ns.index.addLabelled(entry, labels);
      entry.matched = ns.index.selecting(labels);
      entry.labels = labels;
    }
    this.#refresh(entry);
  }

  deletePod(pod: Pod): void {
    const {namespace, name} = pod.metadata;
    const ns = this.#namespace(namespace);
    const entry = ns.pods.get(name);
    if (entry === undefined) return;
    ns.pods.delete(name);
    ns.index.removeLabelled(entry, entry.labels);
    this.#listener({event: 'delete', old: entry.later.at(-1) ?? entry.row, new: undefined});
  }

  setService(service: Service): void {
    const {namespace, name} = service.metadata;
    const ns = this.#namespace(namespace);
    const old = ns.services.get(name);
    ns.services.set(name, service);
    if (old !== undefined) ns.index.removeSelecting(old);
    ns.index.addSelecting(service);
    const before = old === undefined ? [] : ns.index.labelled(old.spec.selector);
    for (const entry of before) this.#rematch(entry, ns);
    for (const entry of ns.index.labelled(service.spec.selector)) {
      if (!entry.matched.includes(service)) this.#rematch(entry, ns);
    }
  }

  batch(f: () => void): void {
    f();
  }

  *rows(): Iterable<WorkloadRow> {
    for (const ns of this.#namespaces.values()) {
      for (const entry of ns.pods.values()) yield entry.later.at(-1) ?? entry.row;
    }
  }

  changes(): number {
    return this.#changes;
  }

  #rematch(entry: Entry, ns: Namespace): void {
    entry.matched = ns.index.selecting(entry.labels);
    this.#refresh(entry);
  }

  #refresh(entry: Entry): void {
    let old = entry.row;
    let row = this.compute(entry);
    if (row === old) return;
    entry.row = row;
    for (let depth = 2; depth <= this.#stages; depth++) {
      old = entry.later[depth - 2] ?? noRow;
      row = this.stage(row, depth, old);
      if (row === old) return;
      entry.later[depth - 2] = row;
    }
    const added = old === noRow;
    this.#listener({event: added ? 'add' : 'update', old: added ? undefined : old, new: row});
  }

  #namespace(name: string): Namespace {
    let ns = this.#namespaces.get(name);
    if (ns === undefined) {
      ns = new Namespace();
      this.#namespaces.set(name, ns);
    }
    return ns;
  }
}

class Floor extends Controller {
  protected compute({pod, matched, row: old}: Entry): WorkloadRow {
    const same = old !== noRow && sameServices(old.services, matched);
    const ip = pod.status.podIP;
    if (same && old.ip === ip) return old;
    const key = old === noRow ? `${pod.metadata.namespace}/${pod.metadata.name}` : old.key;
    return {key, ip, depth: 1, services: same ? old.services : matched.map(s => s.metadata.name)};
  }

  protected stage(row: WorkloadRow, depth: number, old: WorkloadRow): WorkloadRow {
    if (old.ip === row.ip && old.services === row.services && old !== noRow) return old;
    return {key: row.key, ip: row.ip, depth, services: row.services};
  }
}

/** The user's function as he writes it for any engine: he says what he wants to see, and gets it. */
function formula(ctx: Entry, pod: Pod): WorkloadRow {
  const {namespace, labels} = pod.metadata;
  return workloadRow(pod, fetchServices(ctx, {namespace}, {labels}));
}

/** The only fetch there is here: the services were matched when the pod or one of them changed. */
function fetchServices(ctx: Entry, by: {namespace: string}, selects: {labels: Labels}): readonly Service[] {
  const asked = by.namespace === ctx.pod.metadata.namespace && sameLabels(selects.labels, ctx.labels);
  if (!asked) throw new Error('this floor answers one question only');
  return ctx.matched;
}

class FloorFn extends Controller {
  protected compute(entry: Entry): WorkloadRow {
    const row = callUser(formula, entry, entry.pod);
    return deepEqual(row, entry.row) ? entry.row : row;
  }

  protected stage(row: WorkloadRow, depth: number, old: WorkloadRow): WorkloadRow {
    const next = callUser(deeper, row, depth);
    return deepEqual(next, old) ? old : next;
  }
}

function sameServices(names: readonly string[], matched: readonly Service[]): boolean {
  if (names.length !== matched.length) return false;
  for (let i = 0; i < names.length; i++) if (names[i] !== matched[i]!.metadata.name) return false;
  return true;
}

export const floor: Contender = {name: 'floor', create: (world, stages) => new Floor(world, stages)};
export const floorFn: Contender = {name: 'floor-fn', create: (world, stages) => new FloorFn(world, stages)};

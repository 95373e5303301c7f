// W7: 500 policies in one namespace, all with the selector that matches its 10,000 pods; a count for each policy.
import {
  createEngine,
  fetch,
  filterLabel,
  filterNamespace,
  newCollection,
  newStaticCollection,
} from '../../src/krt/index.ts';
import {deepEqual} from '../contenders/deep-equal.ts';
import {type PortIndex, PortQueue, PortStatic} from '../contenders/istio-port/collection.ts';
import {PortDerived} from '../contenders/istio-port/derived.ts';
import {keyOf, type Labels, makePod, type Pod, selects} from './workload-objects.ts';

export interface Policy {
  readonly key: string;
  readonly namespace: string;
  readonly selector: Labels;
}

export interface Count {
  readonly key: string;
  readonly count: number;
}

export interface FanIn {
  add(pod: Pod): void;
  remove(name: string): void;
  counts(): Iterable<Count>;
  changes(): number;
}

export const POLICIES = 500;
export const PODS = 10_000;

export function makeFanInObjects(): {pods: Pod[]; policies: Policy[]; extra: Pod} {
  const pod = (i: number) => makePod('ns', `pod-${i}`, {app: 'web'}, `10.0.${i >> 8}.${i & 255}`, 1);
  const policies: Policy[] = [];
  for (let i = 0; i < POLICIES; i++)
    policies.push({key: `ns/policy-${i}`, namespace: 'ns', selector: {app: 'web'}});
  return {pods: Array.from({length: PODS}, (_, i) => pod(i)), policies, extra: pod(PODS)};
}

function count(policy: Policy, pods: readonly Pod[]): Count {
  return {key: policy.key, count: pods.length};
}

/** One shared query, kept up to date; the formula runs for each policy. */
export class FanInFloor implements FanIn {
  readonly #query: Pod[];
  readonly #at = new Map<string, number>();
  readonly #policies: readonly Policy[];
  readonly #rows = new Map<string, Count>();
  #changes = 0;

  constructor(pods: readonly Pod[], policies: readonly Policy[]) {
    this.#query = pods.filter(p => selects(policies[0]!.selector, p.metadata.labels));
    this.#query.forEach((p, i) => {
      this.#at.set(p.metadata.name, i);
    });
    this.#policies = policies;
    this.#run();
  }

  add(pod: Pod): void {
    if (!selects(this.#policies[0]!.selector, pod.metadata.labels)) return;
    this.#at.set(pod.metadata.name, this.#query.push(pod) - 1);
    this.#run();
  }

  remove(name: string): void {
    const i = this.#at.get(name);
    if (i === undefined) return;
    const last = this.#query.pop()!;
    this.#at.delete(name);
    if (last.metadata.name !== name) {
      this.#query[i] = last;
      this.#at.set(last.metadata.name, i);
    }
    this.#run();
  }

  counts(): Iterable<Count> {
    return this.#rows.values();
  }

  changes(): number {
    return this.#changes;
  }

  #run(): void {
    for (const policy of this.#policies) {
      const row = count(policy, this.#query);
      if (deepEqual(row, this.#rows.get(policy.key))) continue;
      this.#rows.set(policy.key, row);
      this.#changes++;
    }
  }
}

export class FanInPort implements FanIn {
  readonly #queue = new PortQueue();
  readonly #pods: PortStatic<Pod>;
  readonly #counts: PortDerived<Policy, Count>;
  #changes = 0;

  constructor(pods: readonly Pod[], policies: readonly Policy[]) {
    this.#pods = new PortStatic(this.#queue, pods, {key: keyOf, labels: p => p.metadata.labels});
    const index = this.#pods.index(p => [p.metadata.namespace]) as PortIndex<unknown>;
    const source = new PortStatic(this.#queue, policies, {key: (p: Policy) => p.key});
    this.#counts = new PortDerived(
      source,
      (ctx, policy: Policy) => [
        count(policy, ctx.fetch(this.#pods, {index, indexKey: policy.namespace, labels: policy.selector})),
      ],
      {key: (c: Count) => c.key},
    );
    this.#counts.register(events => {
      this.#changes += events.length;
    }, true);
    this.#queue.drain();
  }

  add(pod: Pod): void {
    this.#pods.updateObject(pod);
    this.#queue.drain();
  }

  remove(name: string): void {
    this.#pods.deleteObject(`ns/${name}`);
    this.#queue.drain();
  }

  counts(): Iterable<Count> {
    return this.#counts.list();
  }

  changes(): number {
    return this.#changes;
  }
}

export class FanInKrt implements FanIn {
  readonly #pods;
  readonly #counts;
  #changes = 0;

  constructor(pods: readonly Pod[], policies: readonly Policy[]) {
    const engine = createEngine({});
    this.#pods = newStaticCollection<Pod>(engine, pods, {name: 'pods'});
    const source = newStaticCollection<Policy>(engine, policies, {name: 'policies', key: p => p.key});
    this.#counts = newCollection<Policy, Count>(
      source,
      (ctx, policy) =>
        count(
          policy,
          fetch(ctx, this.#pods, filterNamespace(policy.namespace), filterLabel(policy.selector)),
        ),
      {name: 'counts', key: c => c.key},
    );
    this.#counts.registerBatch(changes => {
      this.#changes += changes.length;
    }, true);
  }

  add(pod: Pod): void {
    this.#pods.updateObject(pod);
  }

  remove(name: string): void {
    this.#pods.deleteObject(`ns/${name}`);
  }

  counts(): Iterable<Count> {
    return this.#counts.list();
  }

  changes(): number {
    return this.#changes;
  }
}

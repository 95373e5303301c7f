// Both sides of the label match, hand-written for the floors: services by one selector pair, pods by every pair.
import {type Labels, type Service, selects} from '../support/workload-objects.ts';

const none: ReadonlySet<never> = new Set<never>();

/** Label name → value → members. Two levels, so that no pair is ever joined into one string. */
class Pairs<T> {
  readonly #byName = new Map<string, Map<string, Set<T>>>();

  add(name: string, value: string, item: T): void {
    let values = this.#byName.get(name);
    if (values === undefined) {
      values = new Map();
      this.#byName.set(name, values);
    }
    const bucket = values.get(value);
    if (bucket === undefined) values.set(value, new Set([item]));
    else bucket.add(item);
  }

  remove(name: string, value: string, item: T): void {
    const values = this.#byName.get(name);
    const bucket = values?.get(value);
    if (values === undefined || bucket === undefined) return;
    bucket.delete(item);
    if (bucket.size === 0) values.delete(value);
  }

  get(name: string, value: string): ReadonlySet<T> {
    return this.#byName.get(name)?.get(value) ?? none;
  }
}

/** One namespace's labelled things and the services that may select them. */
export class LabelIndex<P extends {readonly labels: Labels}> {
  readonly #labelled = new Pairs<P>();
  readonly #selecting = new Pairs<Service>();
  /** Under which label each service lies: its rarest when it came, so that a common one is never scanned. */
  readonly #bucket = new Map<Service, string>();

  addLabelled(item: P, labels: Labels): void {
    for (const k in labels) this.#labelled.add(k, labels[k]!, item);
  }

  removeLabelled(item: P, labels: Labels): void {
    for (const k in labels) this.#labelled.remove(k, labels[k]!, item);
  }

  addSelecting(service: Service): void {
    const {selector} = service.spec;
    let rarest: string | undefined;
    let size = Number.POSITIVE_INFINITY;
    for (const k in selector) {
      const n = this.#selecting.get(k, selector[k]!).size;
      if (n >= size) continue;
      rarest = k;
      size = n;
    }
    if (rarest === undefined) return;
    this.#bucket.set(service, rarest);
    this.#selecting.add(rarest, selector[rarest]!, service);
  }

  removeSelecting(service: Service): void {
    const k = this.#bucket.get(service);
    if (k === undefined) return;
    this.#bucket.delete(service);
    this.#selecting.remove(k, service.spec.selector[k]!, service);
  }

  /** Services whose selector is within these labels. */
  selecting(labels: Labels): Service[] {
    const found: Service[] = [];
    for (const k in labels) {
      for (const s of this.#selecting.get(k, labels[k]!)) if (selects(s.spec.selector, labels)) found.push(s);
    }
    return found;
  }

  /** Pods that have all these labels, from the smallest bucket. */
  labelled(selector: Labels): P[] {
    let smallest: ReadonlySet<P> | undefined;
    for (const k in selector) {
      const bucket = this.#labelled.get(k, selector[k]!);
      if (smallest === undefined || bucket.size < smallest.size) smallest = bucket;
    }
    const found: P[] = [];
    if (smallest !== undefined) for (const p of smallest) if (selects(selector, p.labels)) found.push(p);
    return found;
  }
}

export function sameLabels(a: Labels, b: Labels): boolean {
  if (a === b) return true;
  let n = 0;
  for (const k in a) {
    if (a[k] !== b[k]) return false;
    n++;
  }
  for (const _ in b) n--;
  return n === 0;
}

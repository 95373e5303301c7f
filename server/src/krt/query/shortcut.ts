// From the filters of a fetch to its query without building a text: by namespace, then label by label.
// Only for fetches by labels or selectors, with or without a namespace; query.ts answers all others.

import {type Filter, LABELS, NAMESPACE, SELECTS, SELECTS_NON_EMPTY} from './filter.ts';
import type {QueryNode} from './query-node.ts';

const MOST_LABELS = 8;

/** One step of the way. A query may lie at several ends: the same labels may come in another order. */
export class Step {
  readonly up: Step | null;
  readonly key: string;
  next: Map<string, Step> | null = null;
  node: QueryNode | null = null;

  constructor(up: Step | null, key: string) {
    this.up = up;
    this.key = key;
  }

  at(key: string): Step | undefined {
    return this.next?.get(key);
  }

  make(key: string): Step {
    const held = this.at(key);
    if (held !== undefined) return held;
    const step = new Step(this, key);
    this.next ??= new Map();
    this.next.set(key, step);
    return step;
  }
}

/** Whether a fetch by these filters can have a shortcut. */
export function isShortcut(filters: readonly Filter[]): boolean {
  return labelFilter(filters) !== null;
}

export class Shortcuts {
  /** By kind of the labels' filter, and whether there is a namespace. */
  readonly #roots = new Map<number, Step>();

  find(filters: readonly Filter[]): QueryNode | null {
    const labels = labelFilter(filters);
    if (labels === null) return null;
    const root = this.#roots.get(rootOf(labels, filters.length));
    if (root === undefined) return null;
    let step: Step | undefined = root;
    if (filters.length === 2) step = step.at(namespaceOf(filters, labels));
    const pairs = labels.value as Readonly<Record<string, string>>;
    for (const label in pairs) step = step?.at(label)?.at(pairs[label] as string);
    return step?.node ?? null;
  }

  /** Makes the way to a query that was found by its text. */
  add(filters: readonly Filter[], node: QueryNode): void {
    const labels = labelFilter(filters);
    if (labels === null || !isShort(labels)) return;
    const place = rootOf(labels, filters.length);
    let step = this.#roots.get(place);
    if (step === undefined) {
      step = new Step(null, '');
      this.#roots.set(place, step);
    }
    if (filters.length === 2) step = step.make(namespaceOf(filters, labels));
    const pairs = labels.value as Readonly<Record<string, string>>;
    for (const label in pairs) step = step.make(label).make(pairs[label] as string);
    step.node = node;
    node.ends.push(step);
  }

  remove(node: QueryNode): void {
    for (const end of node.ends) {
      end.node = null;
      let step = end;
      while (step.up !== null && step.node === null && (step.next === null || step.next.size === 0)) {
        step.up.next?.delete(step.key);
        step = step.up;
      }
    }
    node.ends.length = 0;
  }
}

function labelFilter(filters: readonly Filter[]): Filter | null {
  const first = filters[0];
  if (first === undefined || filters.length > 2) return null;
  if (filters.length === 1) return isLabels(first) ? first : null;
  const second = filters[1] as Filter;
  if (first.kind === NAMESPACE) return isLabels(second) ? second : null;
  return second.kind === NAMESPACE && isLabels(first) ? first : null;
}

export function isLabels(filter: Filter): boolean {
  return filter.kind === LABELS || filter.kind === SELECTS || filter.kind === SELECTS_NON_EMPTY;
}

function namespaceOf(filters: readonly Filter[], labels: Filter): string {
  return (filters[0] === labels ? filters[1] : filters[0])?.value as string;
}

function rootOf(labels: Filter, parts: number): number {
  return labels.kind * 2 + parts;
}

/** Few labels, all of them texts: anything else is left to the query's own text. */
function isShort(labels: Filter): boolean {
  const pairs = labels.value as Readonly<Record<string, unknown>>;
  let count = 0;
  for (const label in pairs) {
    count++;
    if (count > MOST_LABELS || typeof pairs[label] !== 'string') return false;
  }
  return true;
}

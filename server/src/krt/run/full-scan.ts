// Fetches that need a full scan: each run examines every item, and every change is tested for every input.
// Reported with that cost while an input does it.

import type {CollectionCore} from '../graph/collection-core.ts';
import {collectionOf} from '../graph/core-of.ts';
import type {QueryNode} from '../query/query-node.ts';

export class FullScans {
  readonly #reader: CollectionCore;
  readonly #inputs = new Map<CollectionCore, number>();

  constructor(reader: CollectionCore) {
    this.#reader = reader;
  }

  add(node: QueryNode): void {
    if (!isScan(node)) return;
    const core = collectionOf(node);
    const inputs = (this.#inputs.get(core) ?? 0) + 1;
    this.#inputs.set(core, inputs);
    // Report at powers of two: an approximate number is enough.
    if ((inputs & (inputs - 1)) === 0) this.#report(node, inputs);
  }

  #report(node: QueryNode, inputs: number): void {
    const core = collectionOf(node);
    const reader = this.#reader;
    const message = `fetch(${core.name}, ${node.text}) of "${reader.name}" scans: each run looks at all ${core.size} items, each change is tested for ${inputs} inputs; add a key, namespace, label or index filter`;
    reader.engine.report('full-scan', reader, [core.name], message, String(core.uid));
  }

  remove(node: QueryNode): void {
    if (!isScan(node)) return;
    const core = collectionOf(node);
    const inputs = (this.#inputs.get(core) ?? 0) - 1;
    if (inputs > 0) this.#inputs.set(core, inputs);
    else {
      this.#inputs.delete(core);
      this.#reader.engine.violationStore.clear('full-scan', this.#reader, String(core.uid));
    }
  }
}

function isScan(node: QueryNode): boolean {
  return node.spec.generic !== null && node.via.kind === 'scan';
}

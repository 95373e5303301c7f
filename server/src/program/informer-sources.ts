// The collections of an engine that informers fill: their resources, and the writers of the changes of a batch.

import type {WireResource} from '@krtscope/shared/graph.ts';
import type {WireWriter} from '@krtscope/shared/run.ts';
import type {Engine} from '../krt/index.ts';
import type {Change} from '../kube/informer/change-handler.ts';
import type {Writer} from '../kube/informer/field-writers.ts';
import {toWireWriter} from '../kube/informer/wire-writer.ts';
import {type Resource, toWireResource} from '../kube/resource.ts';

/** The longest path that krtscope accepts. A longer one would make it refuse the whole batch. */
const LONGEST_PATH = 2000;

const sourcesByEngine = new WeakMap<Engine, Map<number, InformerSource>>();

/** The informer's side of a collection, by the collection's uid. Undefined if no informer fills it. */
export function informerSource(engine: Engine, uid: number): InformerSource | undefined {
  return sourcesByEngine.get(engine)?.get(uid);
}

export function addInformerSource(engine: Engine, uid: number, resource: Resource): InformerSource {
  const sources = sourcesByEngine.get(engine) ?? new Map<number, InformerSource>();
  sourcesByEngine.set(engine, sources);
  const source = new InformerSource(toWireResource(resource));
  sources.set(uid, source);
  return source;
}

export function removeInformerSource(engine: Engine, uid: number): void {
  sourcesByEngine.get(engine)?.delete(uid);
}

class InformerSource {
  readonly resource: WireResource;
  readonly #writers = new Map<string, Writer>();

  constructor(resource: WireResource) {
    this.resource = resource;
  }

  /** Keeps the writers until the current batch has settled. */
  note(changes: readonly Change[]): void {
    // A batch is synchronous, so it has settled before a microtask runs.
    if (this.#writers.size === 0) queueMicrotask(() => this.#writers.clear());
    for (const {key, writer} of changes) {
      if (writer === undefined) this.#writers.delete(key);
      else this.#writers.set(key, writer);
    }
  }

  /** The writer of a change of the current batch, as far as managedFields show it. */
  writerOf(key: string): WireWriter | undefined {
    const writer = this.#writers.get(key);
    if (writer === undefined || writer.manager === '') return undefined;
    const {manager, operation, time = '', paths = []} = toWireWriter(writer);
    return {
      manager: manager.slice(0, 300),
      operation: operation.slice(0, 40),
      time: time.slice(0, 64),
      paths: paths.filter(path => path.length <= LONGEST_PATH),
    };
  }
}

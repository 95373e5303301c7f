// Lookups over the newest document and the one before it: names of the log, parents, and collections that are left out.
import type {LogBatch} from '../log/run-assembler.ts';
import type {KrtzStructure, RowRef} from './krtz-structure.ts';

/** Without a document an informer is known by its name. */
export function isInformerName(collection: string): boolean {
  return /(^|\/)informer\//.test(collection);
}

export class DocumentLookup {
  /** The newest one first. */
  readonly #documents: readonly KrtzStructure[];

  constructor(documents: readonly KrtzStructure[]) {
    this.#documents = documents;
  }

  /** Names repeat: prefers the collection that has these inputs or rows, then one that is computed. */
  resolveOwner({collection, runs, outputs}: LogBatch): string {
    for (const document of this.#documents) {
      const names = document.namesakes(collection);
      if (names.length === 0) continue;
      if (names.length === 1) return names[0] as string;
      return (
        names.find(name => runs.some(run => document.hasInput(name, run.input))) ??
        names.find(name => outputs.some(({key}) => document.has({collection: name, key}))) ??
        names.find(name => document.parentOf(name) !== undefined || document.isSingleton(name)) ??
        (names[0] as string)
      );
    }
    return collection;
  }

  /** `aggregate/VirtualService` joins what `crdclient/collection/VirtualService` has with computed rows. */
  rowInCrdClient(parent: string, key: string): RowRef | undefined {
    const suffix = parent.slice(parent.lastIndexOf('/') + 1);
    for (const document of this.#documents)
      for (const collection of document.namesakes(`crdclient/collection/${suffix}`))
        if (document.has({collection, key})) return {collection, key};
    return undefined;
  }

  /** A join that the document leaves out stands for the rows of `crdclient/collection`. */
  aliasesOf(name: string): string[] {
    if (!this.isAbsent(name)) return [name];
    return [name, `crdclient/collection/${name.slice(name.lastIndexOf('/') + 1)}`];
  }

  parentOf(collection: string): string | undefined {
    for (const document of this.#documents) {
      const parent = document.parentOf(collection);
      if (parent !== undefined) return parent;
    }
    return undefined;
  }

  kindOf(collection: string): string | undefined {
    for (const document of this.#documents) {
      const found = document.collection(collection);
      if (found !== undefined) return found.kind;
    }
    return isInformerName(collection) ? 'source' : undefined;
  }

  isAbsent(collection: string): boolean {
    return this.#documents.some(document => document.isAbsent(collection));
  }

  /** Whether `downstream` is computed from `collection`, as far as a document shows. */
  isUpstream(collection: string, downstream: string): boolean {
    return this.#documents.some(document => document.isUpstream(collection, downstream));
  }

  has(ref: RowRef): boolean {
    return this.#documents.some(document => document.has(ref));
  }

  hasOutput(collection: string, key: string): boolean {
    return this.#documents.some(document => document.inputsOf(collection, key).length > 0);
  }

  fetchesOf(collection: string, input: string): readonly string[] {
    return this.#documents.flatMap(document => document.fetchesOf(collection, input));
  }
}

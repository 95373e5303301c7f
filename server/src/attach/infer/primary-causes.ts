// Causes of runs that no event woke: rules (a) and (d) of docs/programs.md.
import type {DocumentChange} from './document-change.ts';
import type {DocumentLookup} from './document-lookup.ts';
import type {InferenceMemory, Publication} from './inference-memory.ts';
import type {InferredCause} from './inferred-run.ts';
import {familyOf, isPartOf, mostShared, sharedSegments} from './key-segments.ts';
import type {RowRef} from './krtz-structure.ts';
import type {AttributedRun} from './output-inputs.ts';

export class PrimaryCauses {
  /** The first line of the inferred batches. */
  firstLine = 0;
  readonly #lookup: DocumentLookup;
  readonly #memory: InferenceMemory;
  readonly #changes: readonly DocumentChange[];
  readonly #hasTwoDocuments: boolean;

  constructor(
    lookup: DocumentLookup,
    memory: InferenceMemory,
    changes: readonly DocumentChange[],
    hasTwoDocuments: boolean,
  ) {
    this.#lookup = lookup;
    this.#memory = memory;
    this.#changes = changes;
    this.#hasTwoDocuments = hasTwoDocuments;
  }

  /** Rule (a): no event woke it, so its primary input changed. */
  causesOf(collection: string, run: AttributedRun, line: number): InferredCause[] {
    const parent = this.#lookup.parentOf(collection);
    if (parent === undefined) return [];
    const {input: key} = run;
    const isGuessed = run.fetches.length === 0 && !this.#lookup.has({collection: parent, key});
    if (!this.#lookup.isAbsent(parent) && isGuessed) return this.#publishedInput(parent, key, line);
    if (!this.#lookup.isAbsent(parent))
      return this.#mayHaveChanged({collection: parent, key}, line)
        ? [{kind: 'input', collection: parent, key}]
        : [];
    return this.#rowOfAbsent(collection, parent, run, line).map(ref => ({kind: 'input', ...ref}));
  }

  /** An output without a fetch line and without a document names no input: the parent's published row that fits. */
  #publishedInput(parent: string, key: string, line: number): InferredCause[] {
    const keys = this.#memory.publications.flatMap(one =>
      one.collection === parent && one.line < line && one.line >= this.firstLine ? one.keys : [],
    );
    const changed = this.#changes.flatMap(one => (one.collection === parent ? [one.key] : []));
    const fitting = mostShared(key, [...new Set([...keys, ...changed])]).filter(one => isPartOf(one, key));
    const [only] = fitting;
    return fitting.length === 1 && only !== undefined ? [{kind: 'input', collection: parent, key: only}] : [];
  }

  /** Where the log begins in the middle, the event line is missing. Then the documents show that the row did not change. */
  #mayHaveChanged(ref: RowRef, line: number): boolean {
    if (!this.#hasTwoDocuments) return true;
    return (
      this.#changes.some(({collection, key}) => collection === ref.collection && key === ref.key) ||
      this.#memory.hasChanged(ref) ||
      this.#memory.publications.some(
        one => one.line < line && one.collection === ref.collection && one.keys.includes(ref.key),
      )
    );
  }

  /** Rule (d): the document does not have the input collection. */
  #rowOfAbsent(collection: string, parent: string, run: AttributedRun, line: number): RowRef[] {
    const {input: key} = run;
    const same = this.#lookup.rowInCrdClient(parent, key);
    if (same !== undefined && this.#mayHaveChanged(same, line)) return [same];
    const isCandidate = (one: Publication) =>
      one.line < line &&
      one.collection !== collection &&
      !this.#lookup.isUpstream(collection, one.collection);
    // A join passes rows on under their own keys.
    if (!parent.startsWith('index/')) {
      const passed = this.#memory.publications.findLast(one => isCandidate(one) && one.keys.includes(key));
      if (passed !== undefined) return [{collection: passed.collection, key}];
    }
    return this.nearestPublished(collection, [key, ...run.outputs.map(output => output.key)], isCandidate);
  }

  /** The last published row of the family whose key shares most segments with one of the keys. */
  nearestPublished(
    collection: string,
    keys: readonly string[],
    isCandidate: (one: Publication) => boolean,
  ): RowRef[] {
    const family = familyOf(collection.replace(/^index\//, ''));
    let best: RowRef | undefined;
    let most = 0;
    for (const one of this.#memory.publications.toReversed()) {
      if (familyOf(one.collection) !== family || !isCandidate(one)) continue;
      for (const published of one.keys) {
        const shared = Math.max(...keys.map(own => sharedSegments(own, published)));
        if (shared <= most) continue;
        most = shared;
        best = {collection: one.collection, key: published};
      }
    }
    return best === undefined ? [] : [best];
  }
}

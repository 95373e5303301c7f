// Gives each formula a share of the recording, so that its rows cannot push out the history of all other collections.
// Beyond its share, the earlier values of its rows are replaced by a short text. Newest values always stay.
import type {Batch, ChangeNode} from '../../../history/batch.ts';
import type {Recording} from '../../../history/recording.ts';
import type {BatchTrace, Published} from '../../../krt/index.ts';

/** One formula may take this part of the recording's bytes. */
const SHARE = 1 / 8;
/** Smaller batches are not measured. */
const MIN_MEASURED_BYTES = 8 * 1024;

interface RecordedBytes {
  readonly sequence: number;
  readonly bytes: number;
}

class FormulaUsage {
  #batches: RecordedBytes[] = [];
  #total = 0;

  add(sequence: number, bytes: number): void {
    this.#batches.push({sequence, bytes});
    this.#total += bytes;
  }

  /** Bytes in the batches that are still recorded. */
  since(oldest: number): number {
    const first = this.#batches.findIndex(({sequence}) => sequence >= oldest);
    const rolledOff = this.#batches.splice(0, first < 0 ? this.#batches.length : first);
    for (const {bytes} of rolledOff) this.#total -= bytes;
    return this.#total;
  }
}

export class FormulaShares {
  readonly #isFormula: (collection: string) => boolean;
  readonly #usage = new Map<string, FormulaUsage>();
  /** Changes whose block has the old value in full, so that the value after them may be replaced. */
  readonly #whole = new WeakSet<ChangeNode>();

  constructor(isFormula: (collection: string) => boolean) {
    this.#isFormula = isFormula;
  }

  /** The trace to encode. Replaces earlier values of formulas that are beyond their share. */
  limit(trace: BatchTrace, batch: Batch, recording: Recording): BatchTrace {
    if (this.#usage.size === 0) return trace;
    const limited = new Set<string>();
    for (const [name, usage] of this.#usage)
      if (usage.since(recording.oldest) > recording.limits.bytes * SHARE) limited.add(name);
    if (limited.size === 0) return trace;
    let published: Published[] | undefined;
    for (let place = 0; place < trace.published.length; place++) {
      const change = trace.published[place] as Published;
      const node = batch.changeNodes[place];
      if (node === undefined || !limited.has(change.collection)) continue;
      const {prior} = node;
      if (prior !== undefined && this.#whole.has(prior) && !prior.gone) {
        prior.published.new = replacementOf(prior);
        change.old = prior.published.new;
      }
      this.#whole.add(node);
      published ??= [...trace.published];
      // A block has the difference from the new value, and that of a formula. Without a new value it has the old one in full.
      if (change.event !== 'delete') published[place] = {...change, new: null};
    }
    return published === undefined ? trace : {...trace, published};
  }

  /** Counts the bytes of a batch for the formulas whose rows it changed. */
  count(trace: BatchTrace, bytes: number): void {
    if (bytes < MIN_MEASURED_BYTES) return;
    if (!trace.published.some(({collection, event}) => event !== 'add' && this.#isFormula(collection)))
      return;
    let all = 0;
    const sizes = new Map<string, number>();
    for (const {collection, event, old, new: now} of trace.published) {
      const isFormula = this.#isFormula(collection);
      // The block has the new values of formulas, too.
      const size =
        (event === 'add' ? 0 : roughSize(old)) + (isFormula && event !== 'delete' ? roughSize(now) : 0);
      all += size;
      if (isFormula && size > 0) sizes.set(collection, (sizes.get(collection) ?? 0) + size);
    }
    for (const [name, size] of sizes) {
      const usage = this.#usage.get(name) ?? new FormulaUsage();
      this.#usage.set(name, usage);
      usage.add(trace.sequence, (bytes * size) / all);
    }
  }
}

function replacementOf({sequence, published}: ChangeNode): string {
  return `(not recorded: ${published.collection} has used its share of the recording; value of #${sequence})`;
}

/** About the characters of a value as JSON. */
function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 6;
  let size = 2;
  for (const [name, inner] of Object.entries(value)) size += name.length + 4 + roughSize(inner);
  return size;
}

// Follows readers to the readers of their rows, until nothing new is found.
import type {Records} from '../records.ts';
import type {ImpactSteps, RowReader, RowReaders} from './row-readers.ts';

/** Rows that one search visits. */
const MAX_ROWS = 100_000;

export class ReaderClosure {
  readonly #records: Records;
  readonly #rows: RowReaders;
  readonly #at: number | undefined;
  /** By the direct readers: many fields of an object have the same ones. */
  readonly #known = new Map<string, readonly RowReader[]>();

  constructor(records: Records, rows: RowReaders, at: number | undefined) {
    this.#records = records;
    this.#rows = rows;
    this.#at = at;
  }

  *of(direct: readonly RowReader[]): ImpactSteps<readonly RowReader[]> {
    const id = direct.map(({collection, input, how}) => `${collection}\n${input}\n${how}`).join('\n');
    let found = this.#known.get(id);
    if (found === undefined) {
      found = yield* this.#follow(direct);
      this.#known.set(id, found);
    }
    return found;
  }

  *#follow(direct: readonly RowReader[]): ImpactSteps<RowReader[]> {
    const found = new Map<string, RowReader>();
    const queue: RowReader[] = [];
    const add = (one: RowReader): void => {
      const id = `${one.collection}\n${one.input}`;
      const earlier = found.get(id);
      if (earlier !== undefined && (earlier.how === 'read' || one.how === 'couldMatch')) return;
      found.set(id, one);
      queue.push(one);
    };
    for (const one of direct) add(one);
    // An index: shifting a long list is slow.
    for (let next = 0; next < queue.length && found.size < MAX_ROWS; next++) {
      const {collection, input, run, how} = queue[next] as RowReader;
      const outputs = run === undefined ? [input] : this.#records.outputsOf(collection, input, this.#at);
      // A row that does not exist yet may come into being under its input's key.
      for (const key of outputs.length === 0 ? [input] : outputs) {
        yield;
        for (const reader of yield* this.#rows.of(collection, key))
          add(how === 'couldMatch' ? {...reader, how} : reader);
      }
    }
    return [...found.values()];
  }
}

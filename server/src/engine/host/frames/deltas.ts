// Compares two answers to one subscription and writes the update between them as JSON text.
// The text of each row serves twice: to find out whether the row changed, and to send it.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {CollectionWindow, Sheet} from '@krtscope/shared/sheet.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';

export interface Differ<A> {
  /** The update for this answer as JSON; undefined if nothing changed since the last answer. */
  next(answer: A): string | undefined;
}

interface RowText {
  readonly row: object;
  readonly text: string;
}

/** Remembers the rows of the last answer. A row that is the same object counts as unchanged. */
class RowDiffer<R extends object> {
  readonly #keyOf: (row: R) => string;
  #rows = new Map<string, RowText>();
  #order: readonly string[] = [];

  constructor(keyOf: (row: R) => string) {
    this.#keyOf = keyOf;
  }

  /** The texts of all rows, those of changed and new rows, and the keys in order if the order changed. */
  next(rows: readonly R[]): {all: string[]; changed: string[]; order: readonly string[] | undefined} {
    const before = this.#rows;
    const now = new Map<string, RowText>();
    const all: string[] = [];
    const changed: string[] = [];
    const order = rows.map(this.#keyOf);
    for (const [i, row] of rows.entries()) {
      const key = order[i] as string;
      const last = before.get(key);
      const current = last?.row === row ? last : {row, text: JSON.stringify(row)};
      now.set(key, current);
      all.push(current.text);
      if (last?.text !== current.text) changed.push(current.text);
    }
    const moved = order.length !== this.#order.length || order.some((key, i) => key !== this.#order[i]);
    this.#rows = now;
    this.#order = order;
    return {all, changed, order: moved ? order : undefined};
  }
}

type TableAnswer = CollectionWindow | Sheet;

/** Sends changed rows, and the whole table when its other parts change. */
export class TableDiffer<A extends TableAnswer> implements Differ<A> {
  readonly #topic: 'window' | 'sheet';
  readonly #rows = new RowDiffer<A['rows'][number]>(({key}) => key);
  #rest: string | undefined;
  #totals = '';

  constructor(topic: 'window' | 'sheet') {
    this.#topic = topic;
  }

  next(answer: A): string | undefined {
    const {all, changed, order} = this.#rows.next(answer.rows);
    const {rows: _, ...table} = answer;
    const {total, of, lines, ...rest} = {lines: undefined, ...table};
    const restText = JSON.stringify(rest);
    const totals = JSON.stringify({total, of, lines});
    const isWhole = this.#rest !== restText;
    const isSame = changed.length === 0 && order === undefined && totals === this.#totals;
    this.#rest = restText;
    this.#totals = totals;
    if (isWhole) return updateText(this.#topic, 'snapshot', withTexts(table, 'rows', all));
    if (isSame) return undefined;
    return updateText(this.#topic, 'delta', withTexts({total, of, lines, order}, 'rows', changed));
  }
}

export class GraphDiffer implements Differ<Graph> {
  readonly #collections = new RowDiffer<Graph['collections'][number]>(({name}) => name);
  #edges: string | undefined;
  #pulses: (() => BatchPulse)[] = [];
  #skipped = 0;

  /** Sends this pulse with the next answer. It is made then, unless `limit` newer ones have come. */
  pulse(pulse: () => BatchPulse, limit: number): void {
    if (this.#pulses.length >= limit) {
      this.#pulses.shift();
      this.#skipped += 1;
    }
    this.#pulses.push(pulse);
  }

  next(answer: Graph): string | undefined {
    const edges = JSON.stringify(answer.edges);
    const {all, changed, order} = this.#collections.next(answer.collections);
    const isWhole = this.#edges !== edges || order !== undefined;
    const makers = this.#pulses;
    const skipped = this.#skipped;
    this.#pulses = [];
    this.#skipped = 0;
    this.#edges = edges;
    if (isWhole) {
      const {collections: _, ...rest} = answer;
      return updateText('graph', 'snapshot', withTexts(rest, 'collections', all));
    }
    if (changed.length === 0 && makers.length === 0) return undefined;
    const pulses = makers.map(make => make());
    return updateText('graph', 'delta', withTexts({pulses, skipped}, 'collections', changed));
  }
}

/** Sends the whole answer whenever it differs from the last one. */
export class WholeDiffer implements Differ<unknown> {
  readonly #topic: string;
  #text: string | undefined;

  constructor(topic: string) {
    this.#topic = topic;
  }

  next(answer: unknown): string | undefined {
    const text = JSON.stringify(answer);
    if (text === this.#text) return undefined;
    this.#text = text;
    return updateText(this.#topic, 'snapshot', text);
  }
}

/** The JSON of an object with one more field, a list whose elements are already JSON. `fields` must not be empty. */
function withTexts(fields: object, name: string, texts: readonly string[]): string {
  return `${JSON.stringify(fields).slice(0, -1)},"${name}":[${texts.join(',')}]}`;
}

function updateText(topic: string, kind: 'snapshot' | 'delta', content: string): string {
  return `{"topic":"${topic}","${kind}":${content}}`;
}

// What changed between two answers to the same subscription: the update that brings a page from one to the other.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {CollectionWindow, Sheet} from '@krtscope/shared/sheet.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import type {UpdateWithoutId} from '../../link/engine-link.ts';

interface DeltaRow {
  readonly key: string;
}

/** Remembers the last answer's rows; a row whose object is the same is taken to be unchanged. */
class RowDiffer<R extends DeltaRow> {
  #rows = new Map<string, {row: R; text: string}>();
  #order: string[] = [];

  /** Changed and new rows, and the keys in order if that is not what it was. */
  next(rows: readonly R[]): {rows: R[]; order?: string[]} {
    const held = this.#rows;
    const now = new Map<string, {row: R; text: string}>();
    const changed: R[] = [];
    for (const row of rows) {
      const before = held.get(row.key);
      if (before?.row === row) {
        now.set(row.key, before);
        continue;
      }
      const text = JSON.stringify(row);
      now.set(row.key, {row, text});
      if (before?.text !== text) changed.push(row);
    }
    const order = rows.map(({key}) => key);
    const moved = order.length !== this.#order.length || order.some((key, i) => key !== this.#order[i]);
    this.#rows = now;
    this.#order = order;
    return moved ? {rows: changed, order} : {rows: changed};
  }
}

export interface Differ<A> {
  /** The update for this answer; undefined when a page that has the last one needs nothing. */
  next(answer: A): UpdateWithoutId | undefined;
}

export class WindowDiffer implements Differ<CollectionWindow> {
  readonly #rows = new RowDiffer<CollectionWindow['rows'][number]>();
  #frame: string | undefined;
  #numbers = '';

  next(answer: CollectionWindow): UpdateWithoutId | undefined {
    const {rows, order} = this.#rows.next(answer.rows);
    const {total, of} = answer;
    const frame = JSON.stringify([answer.offset, answer.groups]);
    const numbers = `${total} ${of}`;
    const whole = this.#frame !== frame;
    const same = !whole && rows.length === 0 && order === undefined && numbers === this.#numbers;
    this.#frame = frame;
    this.#numbers = numbers;
    if (whole) return {topic: 'window', snapshot: answer};
    if (same) return undefined;
    return {topic: 'window', delta: {total, of, rows, ...(order === undefined ? {} : {order})}};
  }
}

export class SheetDiffer implements Differ<Sheet> {
  readonly #rows = new RowDiffer<Sheet['rows'][number]>();
  #frame: string | undefined;
  #numbers = '';

  next(answer: Sheet): UpdateWithoutId | undefined {
    const {rows, order} = this.#rows.next(answer.rows);
    const {total, of, lines} = answer;
    const frame = JSON.stringify([answer.root, answer.columns, answer.offset, answer.groups, answer.reads]);
    const numbers = `${total} ${of} ${lines}`;
    const whole = this.#frame !== frame;
    const same = !whole && rows.length === 0 && order === undefined && numbers === this.#numbers;
    this.#frame = frame;
    this.#numbers = numbers;
    if (whole) return {topic: 'sheet', snapshot: answer};
    if (same) return undefined;
    return {topic: 'sheet', delta: {total, of, lines, rows, ...(order === undefined ? {} : {order})}};
  }
}

export class GraphDiffer implements Differ<Graph> {
  #edges: string | undefined;
  #collections = new Map<string, string>();
  #pulses: BatchPulse[] = [];
  #skipped = 0;

  /** To be shown with the next answer. */
  pulse(pulse: BatchPulse, limit: number): void {
    if (this.#pulses.length >= limit) {
      this.#pulses.shift();
      this.#skipped += 1;
    }
    this.#pulses.push(pulse);
  }

  next(answer: Graph): UpdateWithoutId | undefined {
    const edges = JSON.stringify([answer.edges, answer.collections.map(({name}) => name)]);
    const before = this.#collections;
    this.#collections = new Map(answer.collections.map(node => [node.name, JSON.stringify(node)]));
    const pulses = this.#pulses;
    const skipped = this.#skipped;
    this.#pulses = [];
    this.#skipped = 0;
    const whole = this.#edges !== edges;
    this.#edges = edges;
    if (whole) return {topic: 'graph', snapshot: answer};
    const collections = answer.collections.filter(
      ({name}) => before.get(name) !== this.#collections.get(name),
    );
    if (collections.length === 0 && pulses.length === 0) return undefined;
    return {topic: 'graph', delta: {collections, pulses, skipped}};
  }
}

/** Topics that are always sent whole. */
export class WholeDiffer implements Differ<unknown> {
  readonly #topic: string;
  #text: string | undefined;

  constructor(topic: string) {
    this.#topic = topic;
  }

  next(answer: unknown): UpdateWithoutId | undefined {
    const text = JSON.stringify(answer);
    if (text === this.#text) return undefined;
    this.#text = text;
    return {topic: this.#topic, snapshot: answer} as UpdateWithoutId;
  }
}

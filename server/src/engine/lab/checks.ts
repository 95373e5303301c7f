// What a draft promises, tried on the rows it ran for: each promise holds or says what breaks it.
import type {FormulaCheck, FormulaKind, RowError} from '@krtscope/shared/formulas.ts';
import {equal, type FetchRecord} from '../../krt/index.ts';

/** One run of a draft. */
export interface Ran {
  readonly input: string;
  items: readonly unknown[];
  /** Of the items. */
  keys: readonly string[];
  error?: RowError;
  waitingFor?: string;
  discarded?: boolean;
  fetches: readonly FetchRecord[];
  lines: readonly number[];
  ms: number;
}

export interface Ground {
  readonly kind: FormulaKind;
  /** Inputs that there are. */
  readonly total: number;
  /** The items of another run of this input. */
  again(input: string): unknown;
  sizeOf(collection: string): number;
  /** There was no time for all rows. */
  readonly stopped: boolean;
}

const SAMPLE = 10;

export function checksOf(ran: readonly Ran[], ground: Ground): FormulaCheck[] {
  return [
    pure(ran),
    deterministic(ran, ground),
    unchanged(ran),
    uniqueKeys(ran),
    indexed(ran, ground),
    cost(ran, ground),
    fanOut(ran, ground),
  ];
}

const held = (code: string, message: string): FormulaCheck => ({code, holds: true, message});
const broken = (code: string, message: string): FormulaCheck => ({code, holds: false, message});

function pure(ran: readonly Ran[]): FormulaCheck {
  const impure = ran.find(({error}) => error !== undefined && /secure mode|not pure/.test(error.message));
  return impure === undefined
    ? held('pure', 'nothing but its item and what it fetches')
    : broken('pure', `not pure: ${impure.error?.message}`);
}

function deterministic(ran: readonly Ran[], ground: Ground): FormulaCheck {
  const sample = ran
    .filter(({error, waitingFor}) => error === undefined && waitingFor === undefined)
    .slice(0, SAMPLE);
  for (const {input, items} of sample) {
    if (!equal(items, ground.again(input)))
      return broken('deterministic', `two runs of ${input} gave different rows`);
  }
  return held('deterministic', `${count(sample.length, 'row')} tried twice, the same each time`);
}

function unchanged(ran: readonly Ran[]): FormulaCheck {
  const writer = ran.find(({error}) => error !== undefined && /cannot change what/.test(error.message));
  return writer === undefined
    ? held('input-unchanged', 'it changes nothing that it is given')
    : broken('input-unchanged', `${writer.input}: ${writer.error?.message}; make a copy: {...item}`);
}

function uniqueKeys(ran: readonly Ran[]): FormulaCheck {
  const owner = new Map<string, string>();
  for (const {input, keys} of ran) {
    for (const key of keys) {
      const first = owner.get(key);
      if (first !== undefined) {
        const who = first === input ? `${input} gives it twice` : `${first} and ${input} both give it`;
        return broken('unique-keys', `the key "${key}" is not unique: ${who}`);
      }
      owner.set(key, input);
    }
  }
  return held('unique-keys', `${count(owner.size, 'key')}, all different`);
}

function indexed(ran: readonly Ran[], ground: Ground): FormulaCheck {
  let fetches = 0;
  for (const {fetches: own} of ran) {
    for (const {collection, filter, via} of own) {
      fetches += 1;
      // A summary of everything has to look at everything.
      if (via.kind === 'scan' && ground.kind !== 'singleton') {
        const size = ground.sizeOf(collection);
        return broken(
          'indexed',
          `fetch(${collection}, ${filter}) looks at all ${size} of ${collection} for each row; filter by key, namespace, label or index('path')`,
        );
      }
    }
  }
  return held('indexed', fetches === 0 ? 'it fetches nothing' : 'every fetch is answered by an index');
}

function cost(ran: readonly Ran[], {total, stopped}: Ground): FormulaCheck {
  if (ran.length === 0) return held('cost', 'no row to measure');
  const sum = ran.reduce((all, {ms}) => all + ms, 0);
  const each = sum / ran.length;
  const words = `${time(each)} a row, ${time(each * total)} for all ${total}`;
  return each * total > 1000 || stopped
    ? broken('cost', `${words}: a change of everything holds the graph up for as long`)
    : held('cost', words);
}

function fanOut(ran: readonly Ran[], {total, kind}: Ground): FormulaCheck {
  const rows = ran.reduce((all, {items}) => all + items.length, 0);
  const readers = new Map<string, number>();
  for (const {fetches} of ran) {
    const mine = new Set(fetches.flatMap(({collection, keys}) => keys.map(key => `${collection}/${key}`)));
    for (const key of mine) readers.set(key, (readers.get(key) ?? 0) + 1);
  }
  let widest: [string, number] | undefined;
  for (const entry of readers) if (widest === undefined || entry[1] > widest[1]) widest = entry;
  const gives = `${count(rows, 'item')} from ${count(ran.length, 'row')}`;
  if (widest === undefined || kind === 'singleton') return held('fan-out', gives);
  const words = `${gives}; one change of ${widest[0]} runs ${widest[1]} of ${total}`;
  return widest[1] > 1000 ? broken('fan-out', words) : held('fan-out', words);
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
const time = (ms: number) =>
  ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`;

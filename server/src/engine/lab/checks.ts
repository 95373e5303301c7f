// What a draft promises, tried on the rows it ran for: each promise holds or says what breaks it.
import type {FormulaCheck, FormulaKind} from '@krtscope/shared/formulas.ts';
import {equal, type RehearsedFetch} from '../../krt/index.ts';
import type {Ran} from './ran.ts';

export interface Ground {
  readonly kind: FormulaKind;
  /** Inputs that there are. */
  readonly total: number;
  /** The items of another run of the same input. */
  again(ran: Ran): unknown;
  sizeOf(collection: string): number;
  /** There was no time for all rows. */
  readonly stopped: boolean;
}

const SAMPLE = 10;

export function checksOf(ran: readonly Ran[], ground: Ground): FormulaCheck[] {
  const fetches = runsByFetch(ran);
  return [
    pure(ran),
    deterministic(ran, ground),
    unchanged(ran),
    uniqueKeys(ran),
    indexed(fetches, ground),
    cost(ran, ground),
    fanOut(ran, fetches, ground),
  ];
}

type Fetches = ReadonlyMap<RehearsedFetch, number>;

/** By fetch, how many runs make it and no other. */
function runsByFetch(ran: readonly Ran[]): Fetches {
  const runs = new Map<RehearsedFetch, number>();
  for (const {fetches} of ran) {
    const alone = fetches.length === 1 ? 1 : 0;
    for (const one of fetches) runs.set(one, (runs.get(one) ?? 0) + alone);
  }
  return runs;
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
  for (const one of sample) {
    if (!equal(one.items, ground.again(one)))
      return broken('deterministic', `two runs of ${one.input} gave different rows`);
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
  const different = (keys: number) => held('unique-keys', `${count(keys, 'key')}, all different`);
  if (ran.every(({keepsKey}) => keepsKey)) return different(ran.reduce((all, one) => all + one.count, 0));
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
  return different(owner.size);
}

function indexed(fetches: Fetches, ground: Ground): FormulaCheck {
  // A summary of everything has to look at everything.
  const looksAtAll = ground.kind === 'singleton';
  for (const fetch of looksAtAll ? [] : fetches.keys()) {
    if (fetch.via.kind !== 'scan') continue;
    const {collection, filter} = fetch.record;
    const size = ground.sizeOf(collection);
    return broken(
      'indexed',
      `fetch(${collection}, ${filter}) looks at all ${size} of ${collection} for each row; filter by key, namespace, label or index('path')`,
    );
  }
  return held('indexed', fetches.size === 0 ? 'it fetches nothing' : 'every fetch is answered by an index');
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

function fanOut(ran: readonly Ran[], fetches: Fetches, {total, kind}: Ground): FormulaCheck {
  const rows = ran.reduce((all, one) => all + one.count, 0);
  const widest = kind === 'singleton' ? undefined : widestOf(ran, fetches);
  const gives = `${count(rows, 'item')} from ${count(ran.length, 'row')}`;
  if (widest === undefined) return held('fan-out', gives);
  const words = `${gives}; one change of ${widest[0]} runs ${widest[1]} of ${total}`;
  return widest[1] > 1000 ? broken('fan-out', words) : held('fan-out', words);
}

/** The row that the most runs read, and how many. */
function widestOf(ran: readonly Ran[], fetches: Fetches): [string, number] | undefined {
  const readers = new Map<string, number>();
  const count = (key: string, by: number) => readers.set(key, (readers.get(key) ?? 0) + by);
  const keysOf = ({collection, keys}: RehearsedFetch) => keys.map(key => `${collection}/${key}`);
  for (const [fetch, runs] of fetches) for (const key of keysOf(fetch)) count(key, runs);
  // What makes several may read a row by two of them, and counts once.
  for (const one of ran)
    if (one.fetches.length > 1) for (const key of new Set(one.fetches.flatMap(keysOf))) count(key, 1);
  let widest: [string, number] | undefined;
  for (const entry of readers) if (widest === undefined || entry[1] > widest[1]) widest = entry;
  return widest;
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
const time = (ms: number) =>
  ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`;

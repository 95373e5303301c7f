// Checks a draft's promises on the rows it ran for. Each promise holds, or the check says what breaks it.
import type {FormulaCheck, FormulaKind} from '@krtscope/shared/formulas.ts';
import {equal} from '../../krt/index.ts';
import type {DraftRun} from './draft-run.ts';
import type {DraftRunTotals} from './draft-run-totals.ts';

export interface DraftCheckContext {
  readonly kind: FormulaKind;
  /** The number of all inputs. */
  readonly total: number;
  /** The items of a second run for the same input. */
  again(ran: DraftRun): unknown;
  sizeOf(collection: string): number;
  /** The time did not suffice for all rows. */
  readonly stopped: boolean;
}

const RERUN_SAMPLE = 10;

export function runDraftChecks(tally: DraftRunTotals, context: DraftCheckContext): FormulaCheck[] {
  return [
    checkPure(tally),
    checkDeterministic(tally, context),
    checkInputsUnchanged(tally),
    checkUniqueKeys(tally),
    checkIndexed(tally, context),
    checkCost(tally, context),
    checkFanOut(tally, context),
  ];
}

const passedCheck = (code: string, message: string): FormulaCheck => ({code, holds: true, message});
const brokenCheck = (code: string, message: string): FormulaCheck => ({code, holds: false, message});

function checkPure({failed}: DraftRunTotals): FormulaCheck {
  const impure = failed.find(({error}) => /secure mode|not pure/.test(error?.message ?? ''));
  return impure === undefined
    ? passedCheck('pure', 'it reads only its item and its fetches')
    : brokenCheck('pure', `not pure: ${impure.error?.message}`);
}

function checkDeterministic({ran}: DraftRunTotals, context: DraftCheckContext): FormulaCheck {
  let tried = 0;
  for (const one of ran) {
    if (tried === RERUN_SAMPLE) break;
    if (one.error !== undefined || one.waitingFor !== undefined) continue;
    tried += 1;
    if (!equal(one.items, context.again(one)))
      return brokenCheck('deterministic', `two runs of ${one.input} gave different rows`);
  }
  return passedCheck('deterministic', `${formatCount(tried, 'row')} ran twice with equal results`);
}

function checkInputsUnchanged({failed}: DraftRunTotals): FormulaCheck {
  const writer = failed.find(({error}) => /cannot change its input/.test(error?.message ?? ''));
  return writer === undefined
    ? passedCheck('input-unchanged', 'it does not change its input')
    : brokenCheck('input-unchanged', `${writer.input}: ${writer.error?.message}; make a copy: {...item}`);
}

function checkUniqueKeys({ran, items, keepsKeys}: DraftRunTotals): FormulaCheck {
  const different = (keys: number) =>
    passedCheck('unique-keys', `${formatCount(keys, 'key')}, all different`);
  if (keepsKeys) return different(items);
  const owner = new Map<string, string>();
  for (const {input, keys} of ran) {
    for (const key of keys) {
      const first = owner.get(key);
      if (first !== undefined) {
        const who = first === input ? `${input} gives it twice` : `${first} and ${input} both give it`;
        return brokenCheck('unique-keys', `the key "${key}" is not unique: ${who}`);
      }
      owner.set(key, input);
    }
  }
  return different(owner.size);
}

function checkIndexed({fetches}: DraftRunTotals, context: DraftCheckContext): FormulaCheck {
  // A singleton must read everything.
  const looksAtAll = context.kind === 'singleton';
  for (const {fetch} of looksAtAll ? [] : fetches) {
    if (fetch.via.kind !== 'scan') continue;
    const {collection, filter} = fetch.record;
    const size = context.sizeOf(collection);
    return brokenCheck(
      'indexed',
      `fetch(${collection}, ${filter}) looks at all ${size} of ${collection} for each row; filter by key, namespace, label or index('path')`,
    );
  }
  return passedCheck(
    'indexed',
    fetches.length === 0 ? 'it fetches nothing' : 'every fetch is answered by an index',
  );
}

function checkCost({ran, ms}: DraftRunTotals, {total, stopped}: DraftCheckContext): FormulaCheck {
  if (ran.length === 0) return passedCheck('cost', 'no row to measure');
  const each = ms / ran.length;
  const words = `${formatTime(each)} a row, ${formatTime(each * total)} for all ${total}`;
  return each * total > 1000 || stopped
    ? brokenCheck('cost', `${words}: after a change of all rows, its own rows are late by that time`)
    : passedCheck('cost', words);
}

function checkFanOut(tally: DraftRunTotals, {total, kind}: DraftCheckContext): FormulaCheck {
  const {ran, items} = tally;
  const widest = kind === 'singleton' ? undefined : mostReadRow(tally);
  const gives = `${formatCount(items, 'item')} from ${formatCount(ran.length, 'row')}`;
  if (widest === undefined) return passedCheck('fan-out', gives);
  const words = `${gives}; one change of ${widest[0]} runs ${widest[1]} of ${total}`;
  return widest[1] > 1000 ? brokenCheck('fan-out', words) : passedCheck('fan-out', words);
}

/** The row that most runs read, and the number of those runs. */
function mostReadRow({ran, fetches}: DraftRunTotals): [string, number] | undefined {
  const byCollection = new Map<string, Map<string, number>>();
  const readersOf = (collection: string) => {
    const counts = byCollection.get(collection);
    if (counts !== undefined) return counts;
    const readers = new Map<string, number>();
    byCollection.set(collection, readers);
    return readers;
  };
  for (const {fetch, alone} of fetches) {
    if (alone === 0) continue;
    const readers = readersOf(fetch.collection);
    for (const key of fetch.keys) readers.set(key, (readers.get(key) ?? 0) + alone);
  }
  // A run may read a row through several fetches. It counts once.
  for (const one of ran) {
    if (one.fetches.length < 2) continue;
    for (const [collection, fetched] of Map.groupBy(one.fetches, fetch => fetch.collection)) {
      const readers = readersOf(collection);
      for (const key of new Set(fetched.flatMap(({keys}) => keys)))
        readers.set(key, (readers.get(key) ?? 0) + 1);
    }
  }
  let widest: [string, number] | undefined;
  for (const [collection, readers] of byCollection)
    for (const [key, count] of readers)
      if (widest === undefined || count > widest[1]) widest = [`${collection}/${key}`, count];
  return widest;
}

const formatCount = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
const formatTime = (ms: number) =>
  ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`;

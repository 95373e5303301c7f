// Repeats a recorded run over the state of its own batch, as it was or with some changes undone. It reads only the
// recording, so that the result is the same live, later, after a restart and from a file.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {AskedFetch, Repeated} from '../../krt/index.ts';
import type {RecordedChange, RecordedFetch, RecordedRun, Records, RerunFormulas} from '../records.ts';
import {firstLine} from '../wording/value-words.ts';
import {parentAt} from './graph-at.ts';
import {type ObjectReads, ReadTracker} from './read-tracker.ts';

/** An object with another value; undefined: the object does not exist. */
export interface CounterfactualObject {
  readonly collection: string;
  readonly key: string;
  readonly value: unknown;
}

interface FoundObject {
  readonly key: string;
  readonly value: unknown;
}

/** Whether a repeat gives the recorded result; `note` says why not. */
export interface RerunFidelity {
  readonly repeat: 'same' | 'differs' | 'none';
  readonly note?: string;
}

/** Objects of one fetch whose filter reads are tracked. */
const FILTERED = 200;

const NO_RESULT: Repeated = {items: [], discarded: false};

export class Rerun {
  readonly run: RecordedRun;
  readonly #records: Records;
  readonly #formulas: RerunFormulas | undefined;
  readonly #parent: string | undefined;
  /** What each fetch found, by collection and filter. */
  readonly #found = new Map<string, readonly FoundObject[]>();
  #asked: AskedFetch[] | undefined;
  #base: Repeated | undefined;
  #faith: RerunFidelity | undefined;
  #reads: readonly ObjectReads[] | undefined;
  #allReads: readonly ObjectReads[] | undefined;
  readonly #lines: (string | undefined)[] = [];

  constructor(records: Records, run: RecordedRun) {
    this.#records = records;
    this.run = run;
    this.#formulas = records.formulas;
    this.#parent = parentAt(records, run.collection, run.sequence);
  }

  /** Undefined where no formula is available. */
  get base(): Repeated | undefined {
    if (this.#base === undefined && this.faith.repeat !== 'none') this.#look();
    return this.#base;
  }

  get faith(): RerunFidelity {
    this.#faith ??= this.#judge();
    return this.#faith;
  }

  /** The fetches of the repeat, to test them on any object; empty where they are unknown. */
  get fetches(): readonly AskedFetch[] {
    if (this.faith.repeat === 'none') return [];
    return this.#asked ?? [];
  }

  /** The paths that it read, by object; empty where they are unknown. */
  get reads(): readonly ObjectReads[] {
    if (this.faith.repeat === 'none') return [];
    this.#reads ??= this.#track();
    return this.#reads;
  }

  /** The same, with what its filters read of the tested objects. */
  get allReads(): readonly ObjectReads[] {
    if (this.faith.repeat === 'none') return [];
    this.#allReads ??= this.#track(true);
    return this.#allReads;
  }

  /** `workloads.ts:41`: the line of each fetch, if the stack has it. */
  get lines(): readonly (string | undefined)[] {
    return this.reads.length > 0 ? this.#lines : [];
  }

  /** What its filters read of both versions of an object. */
  filterReads(change: RecordedChange): string[] {
    const {collection, key} = change;
    return this.fetches
      .filter(asked => asked.collection === collection)
      .flatMap(asked =>
        [change.old, change.new].flatMap(version =>
          version === undefined ? [] : pathsTested(asked, key, version),
        ),
      );
  }

  /** The result with these objects instead. */
  runWith(instead: readonly CounterfactualObject[]): Repeated {
    const input = this.#inputWith(instead);
    if (input === undefined) return NO_RESULT;
    const answer = (asked: AskedFetch) => this.#answer(asked, instead).map(found => found.value);
    return this.#again(input.value, answer) ?? NO_RESULT;
  }

  /** The result if that fetch had found this object, too. */
  runFinding(at: number, value: unknown): Repeated {
    const input = this.#inputWith([]);
    if (input === undefined) return NO_RESULT;
    const answer = (asked: AskedFetch) => {
      const found = this.#answer(asked, []).map(one => one.value);
      return asked.at === at ? [...found, value] : found;
    };
    return this.#again(input.value, answer) ?? NO_RESULT;
  }

  #judge(): RerunFidelity {
    const {run} = this;
    if (this.#formulas === undefined || run.sequence < this.#records.oldest())
      return {
        repeat: 'none',
        note:
          this.#formulas === undefined
            ? 'no formula can be run again here'
            : `the state of #${run.sequence} is no longer kept`,
      };
    if (run.outcome === 'suspended')
      return {
        repeat: 'none',
        note: `it waited for ${run.waitingFor ?? 'a collection'} and did not run to its end`,
      };
    this.#look();
    if (this.#base === undefined) return {repeat: 'none', note: `${run.collection} has no formula here`};
    const differs = this.#difference(this.#base);
    return differs === undefined ? {repeat: 'same'} : {repeat: 'differs', note: differs};
  }

  #look(): void {
    const input = this.#inputWith([]);
    if (input === undefined) return;
    const asked: AskedFetch[] = [];
    this.#base = this.#again(input.value, one => {
      asked.push(one);
      return this.#answer(one, []).map(found => found.value);
    });
    this.#asked = asked;
  }

  #again(item: unknown, answer: (asked: AskedFetch) => readonly unknown[]): Repeated | undefined {
    const {collection, input: key, sequence} = this.run;
    return this.#formulas?.repeat(collection, {key, item}, answer, sequence);
  }

  #track(filters = false): readonly ObjectReads[] {
    const input = this.#inputWith([]);
    const tracker = new ReadTracker();
    if (input === undefined) return [];
    const item =
      this.#parent === undefined ? input.value : tracker.watch(this.#parent, this.run.input, input.value);
    const repeated = this.#again(item, asked => {
      this.#lines[asked.at] ??= lineOfFormula();
      return this.#answer(asked, []).map(({key, value}, at) => {
        const watched = tracker.watch(asked.collection, key, value);
        if (filters && at < FILTERED) tracker.note(asked.collection, key, pathsTested(asked, key, value));
        return watched;
      });
    });
    // A value that the formula passes on is read by the row that shows it.
    JSON.stringify(repeated?.items);
    return tracker.reads();
  }

  /** The input of that batch, or its replacement; undefined: there is none. */
  #inputWith(instead: readonly CounterfactualObject[]): {value: unknown} | undefined {
    const {run} = this;
    const parent = this.#parent;
    if (parent === undefined) return {value: null};
    const other = instead.find(one => one.collection === parent && one.key === run.input);
    if (other) return other.value === undefined ? undefined : {value: other.value};
    return this.#records.has(parent, run.input, run.sequence)
      ? {value: this.#records.value(parent, run.input, run.sequence)}
      : undefined;
  }

  #answer(asked: AskedFetch, instead: readonly CounterfactualObject[]): readonly FoundObject[] {
    const own = instead.filter(one => one.collection === asked.collection);
    const found = this.#foundBy(asked);
    if (own.length === 0) return found;
    const others = new Map(own.map(one => [one.key, one.value]));
    const matches = (key: string, value: unknown): boolean =>
      value !== undefined && asked.matches(key, value);
    const kept = found.flatMap(one => {
      if (!others.has(one.key)) return [one];
      const value = others.get(one.key);
      others.delete(one.key);
      return matches(one.key, value) ? [{key: one.key, value}] : [];
    });
    for (const [key, value] of others) if (matches(key, value)) kept.push({key, value});
    return kept;
  }

  #foundBy(asked: AskedFetch): readonly FoundObject[] {
    if (asked.opaque) return this.#scan(asked);
    const id = `${asked.collection}\n${asked.filter}`;
    let found = this.#found.get(id);
    if (found === undefined) {
      found = this.#byKey(asked) ?? this.#recorded(asked) ?? this.#before(asked) ?? this.#scan(asked);
      this.#found.set(id, found);
    }
    return found;
  }

  #byKey(asked: AskedFetch): readonly FoundObject[] | undefined {
    const clause = asked.clauses.find(one => one.kind === 'keys');
    return clause?.kind === 'keys' ? this.#there(asked, clause.keys) : undefined;
  }

  /** The run has the result of this fetch, if its list of keys is complete. */
  #recorded(asked: AskedFetch): readonly FoundObject[] | undefined {
    const fetch = this.run.fetches.find(one => isSameFetch(one, asked));
    return fetch && hasAllKeys(fetch) ? this.#there(asked, fetch.keys) : undefined;
  }

  /** The previous run made the same fetch. No change in between matched, or it would have run again. */
  #before(asked: AskedFetch): readonly FoundObject[] | undefined {
    const fetch = this.#records.runBefore(this.run.id)?.fetches.find(one => isSameFetch(one, asked));
    const batch = this.#records.batch(this.run.sequence);
    if (!fetch || !hasAllKeys(fetch) || !batch) return undefined;
    const keys = new Set(fetch.keys);
    for (const key of batch.changedKeys(asked.collection)) keys.add(key);
    return this.#there(asked, keys);
  }

  #scan(asked: AskedFetch): readonly FoundObject[] {
    return this.#there(asked, this.#records.keys(asked.collection, this.run.sequence));
  }

  #there(asked: AskedFetch, keys: Iterable<string>): readonly FoundObject[] {
    const {sequence} = this.run;
    const found: FoundObject[] = [];
    const all = asked.clauses.length === 1 && asked.clauses[0]?.kind === 'all';
    for (const key of keys) {
      const value = this.#records.value(asked.collection, key, sequence);
      if (value !== undefined && (all || asked.matches(key, value))) found.push({key, value});
    }
    return found;
  }

  /** How the repeat differs from the recorded run. */
  #difference(base: Repeated): string | undefined {
    const {run} = this;
    if (run.outcome === 'failed')
      return base.error === undefined ? 'it failed then, and does not when it is repeated' : undefined;
    if (base.error !== undefined) return `repeated, it fails with ${firstLine(base.error)}`;
    if ((run.outcome === 'discarded') !== base.discarded)
      return 'repeated, it does not discard as it did then';
    if (run.outcome === 'discarded') return undefined;
    const recorded = run.outputs.filter(output => output.change !== 'deleted');
    const items = new Map(base.items.map(one => [one.key, one.item]));
    if (items.size !== recorded.length) return 'repeated, it yields other rows than it did';
    for (const {key} of recorded) {
      if (!items.has(key)) return 'repeated, it yields other rows than it did';
      const value = this.#records.value(run.collection, key, run.sequence);
      if (!deepEqual(items.get(key), value)) return `repeated, it yields another ${key} than it did`;
    }
    return undefined;
  }
}

function isSameFetch(fetch: RecordedFetch, asked: AskedFetch): boolean {
  return fetch.collection === asked.collection && fetch.filter === asked.filter;
}

function hasAllKeys(fetch: RecordedFetch): boolean {
  return fetch.matched <= fetch.keys.length;
}

/** The paths that a filter reads of an object. A filter also tries methods that a plain object does not have. */
function pathsTested(asked: AskedFetch, key: string, value: unknown): string[] {
  const tracker = new ReadTracker();
  asked.test(tracker.watch(asked.collection, key, value), key);
  return tracker.reads().flatMap(({paths}) => paths.filter(path => readPath(value, path) !== undefined));
}

/** Folders of krtscope that call formulas. The checkout itself may lie in a folder of such a name. */
const sourceFolder = new URL('../../', import.meta.url).pathname;
// Processes that run formulas shorten their stacks: see formula/sandbox/stack-traces.ts.
const ownFolders = ['krt', 'engine', 'explain', 'formula'].flatMap(name => [
  `${sourceFolder}${name}/`,
  `krtscope/server/src/${name}/`,
]);

function isOwnFrame(line: string): boolean {
  return ownFolders.some(folder => line.includes(folder));
}

function lineOfFormula(): string | undefined {
  const frames = new Error().stack?.split('\n').slice(1) ?? [];
  const frame = frames.find(line => !isOwnFrame(line) && /:\d+:\d+\)?$/.test(line));
  // The text of a formula is evaluated below a line of krtscope.
  const typed = frame?.match(/formula-[0-9a-f]+-([\w$]+):(\d+):\d+\)?$/);
  if (typed) return `${typed[1]}.ts:${Number(typed[2]) - 1}`;
  return frame?.match(/([^/\\(]+:\d+):\d+\)?$/)?.[1];
}

// Compares the trace of one batch with the plain engine's reads and with the runs in it.
import {type BatchTrace, dependenciesOf, type FetchRecord, KEYS_SHOWN, type Run} from '../index.ts';
import {text} from './model-script.ts';
import type {Session} from './model-session.ts';
import type {PlainFetch, PlainInput} from './plain-derived.ts';

type Ref = Pick<FetchRecord, 'uid' | 'filter'>;

/** Returns problems as sentences. Keeps the dependencies of each input for the next batch. */
export class Traces {
  readonly #session: Session;
  #settled = 0;
  /** The dependencies before the batch, by collection and input. */
  #before = new Map<string, readonly Ref[]>();

  constructor(session: Session) {
    this.#session = session;
    this.#before = this.#dependencies();
  }

  problems(trace: BatchTrace): string[] {
    const problems = [
      ...timeProblems(trace, this.#settled),
      ...this.#syncProblems(trace),
      ...fromProblems(trace),
    ];
    this.#settled = trace.settled;
    for (const run of trace.runs) {
      for (const problem of [...tallyProblems(run), ...this.#readProblems(run), ...this.#rowProblems(run)])
        problems.push(`${run.collection}{${run.input}}: ${problem}`);
    }
    return problems;
  }

  /** Call it after every batch, traced or not. */
  note(): void {
    this.#before = this.#dependencies();
  }

  #dependencies(): Map<string, readonly Ref[]> {
    const all = new Map<string, readonly Ref[]>();
    this.#session.real.nodes.forEach(({items}, node) => {
      for (const input of this.#session.derived(node)?.inputs.keys() ?? [])
        all.set(`${items.uid} ${input}`, dependenciesOf(items, input));
    });
    return all;
  }

  /** Each collection that became synced is announced once. */
  #syncProblems({synced}: BatchTrace): string[] {
    const {real, syncedBefore, stopped} = this.#session;
    return real.nodes.flatMap(({items}, node) => {
      if (node === stopped) return [];
      const became = items.hasSynced() && !syncedBefore.has(node) ? 1 : 0;
      const told = synced.filter(name => name === items.name).length;
      return told === became ? [] : [`${items.name} is told to have synced ${told} times, must be ${became}`];
    });
  }

  #readProblems(run: Run): string[] {
    const node = this.#session.real.nodes.findIndex(({items}) => items.uid === run.uid);
    const known =
      node === this.#session.stopped ? undefined : this.#session.derived(node)?.inputs.get(run.input);
    if (known === undefined || run.outcome === 'suspended' || run.outcome === 'discarded') return [];
    const problems: string[] = [];
    if (known.outcome === 'ok') problems.push(...this.#fetchProblems(run, known));
    // A fetch whose filter threw is a dependency without results.
    if (run.outcome === 'failed' && this.#session.script.spec.faults.includes('generic')) return problems;
    const before = this.#before.get(`${run.uid} ${run.input}`) ?? [];
    problems.push(...moved('gained', run.gained, run.fetches, before));
    problems.push(...moved('lost', run.lost, before, run.fetches));
    return problems;
  }

  /** Every row of an accepted run is announced once, with its outcome. */
  #rowProblems(run: Run): string[] {
    const node = this.#session.real.nodes.findIndex(({items}) => items.uid === run.uid);
    const now =
      node === this.#session.stopped ? undefined : this.#session.derived(node)?.inputs.get(run.input);
    if (now?.outcome !== 'ok' || run.outcome === 'discarded') return [];
    const before = this.#session.before[node]?.get(run.input)?.rows ?? new Map<string, unknown>();
    const expected = [...now.rows].map(([key, row]) => {
      if (!before.has(key)) return `${key} added`;
      return `${key} ${before.get(key) === row ? 'equal' : 'changed'}`;
    });
    for (const key of before.keys()) if (!now.rows.has(key)) expected.push(`${key} deleted`);
    const told = run.outputs.map(({key, change}) => `${key} ${change}`);
    if (text(told.sort()) === text(expected.sort())) return [];
    return [`tells ${text(told)}, must tell ${text(expected)}`];
  }

  /** The result of each fetch: the matching rows of its collection, in the batch in which that collection settled. */
  #fetchProblems(run: Run, known: PlainInput): string[] {
    const [told, read] = [run.fetches.map(f => f.collection), known.dependencies.map(d => d.target.name)];
    if (text(told) !== text(read)) return [`fetched ${text(told)}, must be ${text(read)}`];
    if (this.#session.script.spec.faults.length > 0) return [];
    return known.dependencies.flatMap((fetch, place) => seenProblems(run.fetches[place]!, fetch));
  }
}

function seenProblems(record: FetchRecord, fetch: PlainFetch): string[] {
  const found = [...fetch.target.rows].filter(([key, item]) => fetch.matches(key, item)).map(([key]) => key);
  const problems: string[] = [];
  if (record.matched !== found.length) problems.push(`${record.filter} matched ${record.matched}`);
  if (text(record.keys.toSorted()) !== text(found.sort().slice(0, KEYS_SHOWN)))
    problems.push(`${record.filter} saw ${text(record.keys)}, must have seen ${text(found)}`);
  if (record.scanned !== 0 && record.scanned < record.matched)
    problems.push(`${record.filter} looked at ${record.scanned} and found ${record.matched}`);
  return problems;
}

/**
 * The added and removed dependencies of a run. Fetches with their own function are identified by that function alone.
 */
function moved(what: string, told: readonly Ref[], here: readonly Ref[], there: readonly Ref[]): string[] {
  const [all, named, other] = [told, here, there].map(refs => new Set(refs.map(nameOf)));
  const opaque = (name: string) => name.includes('generic');
  const unheard = [...all!].filter(name => !named!.has(name));
  if (unheard.length > 0) return [`${what} ${unheard[0]}, which it does not have`];
  // Two partial fetches with the same filter are two queries.
  const missed = [...named!].filter(name => !other!.has(name) && !opaque(name) && !all!.has(name));
  return missed.length > 0 ? [`has not ${what} ${missed[0]}`] : [];
}

function nameOf({uid, filter}: Ref): string {
  return `${uid} ${filter}`;
}

function tallyProblems({outputs, counts, outcome, error, waitingFor}: Run): string[] {
  const problems: string[] = [];
  for (const change of ['added', 'changed', 'deleted', 'equal'] as const) {
    const count = outputs.filter(output => output.change === change).length;
    if (counts[change] !== count) problems.push(`counts ${counts[change]} ${change}, must be ${count}`);
  }
  if ((error !== undefined) !== (outcome === 'failed'))
    problems.push(`is ${outcome}, with the error ${error}`);
  if ((waitingFor !== undefined) !== (outcome === 'suspended'))
    problems.push(`is ${outcome}, and waits for ${waitingFor}`);
  return problems;
}

/** The clock advances with every read: runs lie inside the batch, in order, and each takes some time. */
function timeProblems({received, settled, runs}: BatchTrace, before: number): string[] {
  const problems: string[] = [];
  if (received <= before || received >= settled)
    problems.push(`received at ${received}, settled at ${settled}`);
  let last = -1;
  for (const {collection, input, start, duration} of runs) {
    const inside = start > last && duration > 0 && start + duration < settled - received;
    if (!inside) problems.push(`${collection}{${input}} ran at ${start} for ${duration}`);
    last = start;
  }
  return problems;
}

/** A change without a run comes from an earlier published change. A change of a source has no cause in the graph. */
function fromProblems({published, changes}: BatchTrace): string[] {
  const written = new Set(changes.map(({uid, key}) => `${uid} ${key}`));
  return published.flatMap(({uid, collection, key, run, from}, place) => {
    const root = written.has(`${uid} ${key}`);
    if (root && (run !== null || from !== undefined))
      return [`${collection} ${key} was written, and is from elsewhere`];
    if (run !== null && from !== undefined)
      return [`${collection} ${key} was made by a run, and by something else`];
    const ahead = (from ?? []).filter(at => at >= place || published[at] === undefined);
    return ahead.length > 0 ? [`${collection} ${key} is from ${text(from)}, and is number ${place}`] : [];
  });
}

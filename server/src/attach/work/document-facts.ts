// What stands out in the documents of an attached program: rows that come and go, large and busy collections,
// inputs without rows, names that the document does not have.
import type {ProgramWork} from '@krtscope/shared/programs/work.ts';
import type {DocumentChange} from '../infer/document-change.ts';
import type {KrtzStructure} from '../infer/krtz-structure.ts';

type Facts = ProgramWork['documents'];

const MAX_LISTED = 10;
const MAX_KEYS = 50;
/** A row that came back fewer times may have been replaced by hand. */
const MIN_RETURNS = 2;
const FLAPPING_MS = 10 * 60_000;
const MAX_REMOVED_ROWS = 10_000;
/** Fewer inputs with rows do not show what is usual. */
const MIN_WITH_OUTPUT = 3;
/** At most this share of the inputs may be without rows. */
const MAX_WITHOUT_OUTPUT = 1 / 3;

export class DocumentFacts {
  #structure: KrtzStructure | undefined;
  readonly #bytesOfRow = new Map<string, number>();
  readonly #bytes = new Map<string, number>();
  readonly #changes = new Map<string, number>();
  /** When a removed row came back, by its collection and key. */
  readonly #returns = new Map<string, {collection: string; key: string; times: number[]}>();

  /** `changes` is undefined for the first document. Time is milliseconds since 1970. */
  take(structure: KrtzStructure, changes: readonly DocumentChange[] | undefined, time: number): void {
    this.#structure = structure;
    if (changes === undefined) {
      for (const {name} of structure.collections)
        for (const [key, value] of structure.rows(name)) this.#weigh(name, key, value);
      return;
    }
    for (const {collection, key, event} of changes) {
      this.#changes.set(collection, (this.#changes.get(collection) ?? 0) + 1);
      this.#weigh(collection, key, event === 'delete' ? undefined : structure.value({collection, key}));
      if (event !== 'update') this.#toggle(collection, key, event === 'add', time);
    }
  }

  #weigh(collection: string, key: string, value: unknown): void {
    const id = `${collection}\n${key}`;
    const before = this.#bytesOfRow.get(id) ?? 0;
    const now = value === undefined ? 0 : (JSON.stringify(value)?.length ?? 0);
    if (value === undefined) this.#bytesOfRow.delete(id);
    else this.#bytesOfRow.set(id, now);
    this.#bytes.set(collection, (this.#bytes.get(collection) ?? 0) + now - before);
  }

  #toggle(collection: string, key: string, isAdded: boolean, time: number): void {
    const id = `${collection}\n${key}`;
    const known = this.#returns.get(id);
    if (isAdded) known?.times.push(time);
    else {
      this.#returns.delete(id);
      this.#returns.set(id, known ?? {collection, key, times: []});
    }
    for (const oldest of this.#returns.keys()) {
      if (this.#returns.size <= MAX_REMOVED_ROWS) break;
      this.#returns.delete(oldest);
    }
  }

  factsAt(now: number): Facts {
    const structure = this.#structure;
    const collections = [...(structure?.collections ?? [])];
    const bytes = [...this.#bytes.values()].reduce((sum, one) => sum + one, 0);
    const changes = [...this.#changes.values()].reduce((sum, one) => sum + one, 0);
    return {
      notSynced: collections.filter(({synced}) => !synced).map(({name}) => name),
      withoutOutput: structure === undefined ? [] : withoutOutput(structure),
      flapping: this.#flapping(now),
      bytes,
      largest: mostOf(this.#bytes).map(([collection, own]) => ({
        collection,
        rows: structure?.rows(collection).size ?? 0,
        bytes: own,
        share: own / bytes,
      })),
      changes,
      busiest: mostOf(this.#changes).map(([collection, own]) => ({
        collection,
        changes: own,
        share: own / changes,
      })),
      absent: structure === undefined ? [] : absentNames(structure),
    };
  }

  #flapping(now: number): Facts['flapping'] {
    return [...this.#returns.values()]
      .map(({collection, key, times}) => ({
        collection,
        key,
        times: times.filter(time => time > now - FLAPPING_MS).length,
      }))
      .filter(({times}) => times >= MIN_RETURNS)
      .sort((a, b) => b.times - a.times)
      .slice(0, MAX_KEYS);
  }
}

function mostOf(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_LISTED);
}

function withoutOutput(structure: KrtzStructure): Facts['withoutOutput'] {
  return [...structure.collections].flatMap(({name, kind}) => {
    if (kind !== 'derived') return [];
    const all = [...structure.inputs(name)];
    const keys = all.filter(input => structure.outputsOf(name, input).length === 0);
    const isUsual = all.length - keys.length >= MIN_WITH_OUTPUT;
    if (keys.length === 0 || !isUsual || keys.length > all.length * MAX_WITHOUT_OUTPUT) return [];
    return [{collection: name, inputs: all.length, keys: keys.slice(0, MAX_KEYS)}];
  });
}

function absentNames(structure: KrtzStructure): Facts['absent'] {
  const readers = new Map<string, string[]>();
  for (const {name, from} of structure.collections)
    for (const {collection} of from)
      if (structure.isAbsent(collection)) readers.set(collection, [...(readers.get(collection) ?? []), name]);
  return [...readers].map(([name, all]) => ({name, readers: [...new Set(all)]}));
}

// Rows that several inputs claim: the one with the smallest key owns the row, and the next one takes it over. Whole
// collections claim one row where a formula gives all its items one key: no step may look at all of them.

import type {Row} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import type {InputEntry} from './input-entry.ts';

export interface RowClaim {
  readonly entry: InputEntry;
  value: unknown;
}

/** So many inputs are named; the others are counted. */
const INPUTS_NAMED = 20;

/** The claims of one row. */
class ContestedRow {
  readonly claims = new Map<InputEntry, RowClaim>();
  /** The claims by key, the smallest last, since the last one came; some of them may have gone. */
  #order: RowClaim[] | null = null;

  add(claim: RowClaim): void {
    this.claims.set(claim.entry, claim);
    this.#order = null;
  }

  /** The claim of the smallest key; of two or more there is one. */
  first(): RowClaim {
    this.#order ??= [...this.claims.values()].sort((a, b) => (a.entry.row.key < b.entry.row.key ? 1 : -1));
    for (;;) {
      const claim = this.#order.at(-1) as RowClaim;
      if (this.claims.get(claim.entry) === claim) return claim;
      this.#order.pop();
    }
  }
}

export class RowClaims {
  readonly #core: CollectionCore;
  readonly #contests = new Map<string, ContestedRow>();
  /** Others claim some row than when that was told last. */
  changed = false;
  readonly #untold = new Set<Row>();

  constructor(core: CollectionCore) {
    this.#core = core;
  }

  get any(): boolean {
    return this.#contests.size > 0;
  }

  /** Keys of the inputs that claim a row, if they are several. */
  inputsOf(key: string): string[] {
    const contest = this.#contests.get(key);
    return contest === undefined ? [] : [...contest.claims.keys()].map(entry => entry.row.key).sort();
  }

  contested(key: string): boolean {
    return this.#contests.has(key);
  }

  of(row: Row, entry: InputEntry): RowClaim | undefined {
    return this.any ? this.#contests.get(row.key)?.claims.get(entry) : undefined;
  }

  /** One more input claims a row that has an owner; gives the claim that owns it from now on. */
  add(row: Row, owner: RowClaim, claim: RowClaim): RowClaim {
    let contest = this.#contests.get(row.key);
    if (contest === undefined) {
      contest = new ContestedRow();
      contest.add(owner);
      this.#contests.set(row.key, contest);
    }
    contest.add(claim);
    this.#note(row);
    const held = contest.claims.get(owner.entry) as RowClaim;
    return claim.entry.row.key < held.entry.row.key ? claim : held;
  }

  /** An input claims the row no longer; gives the claim that owns it from now on, undefined if nobody else claims it. */
  remove(row: Row, entry: InputEntry): RowClaim | undefined {
    const contest = this.#contests.get(row.key);
    if (contest === undefined) return undefined;
    contest.claims.delete(entry);
    this.#note(row);
    // The owner stays, unless it is the one that goes.
    const first = contest.claims.get(row.owner as InputEntry) ?? contest.first();
    if (contest.claims.size === 1) {
      this.#contests.delete(row.key);
      this.#untold.delete(row);
      this.#core.engine.violationStore.clear('duplicate-across-inputs', this.#core, row.key);
    }
    return first;
  }

  #note(row: Row): void {
    this.changed = true;
    this.#untold.add(row);
  }

  /** Once a turn: with every claim, whole collections that claim one row would be told of as often as they have inputs. */
  reportDuplicates(): void {
    this.changed = false;
    for (const row of this.#untold) this.#report(row.key);
    this.#untold.clear();
  }

  #report(key: string): void {
    const {engine, name} = this.#core;
    const inputs = this.inputsOf(key);
    const named = inputs.slice(0, INPUTS_NAMED);
    const rest = inputs.length - named.length;
    const who = rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
    engine.report(
      'duplicate-across-inputs',
      this.#core,
      [key, ...named],
      `inputs ${who} of "${name}" all yield the key "${key}"; "${inputs[0]}" owns it until they differ`,
    );
  }
}

// Rows that several inputs claim. The smallest input key owns a row, and the next one takes it over. A whole
// collection may claim one row, so no step may visit all claims.

import type {Row} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import type {InputEntry} from './input-entry.ts';

export interface RowClaim {
  readonly entry: InputEntry;
  value: unknown;
}

/** Name at most this many inputs in a message. */
const INPUTS_NAMED = 20;

/** The claims of one row. */
class ContestedRow {
  readonly claims = new Map<InputEntry, RowClaim>();
  /** Claims sorted by key, smallest last, since the last addition. Some may be gone. */
  #order: RowClaim[] | null = null;

  add(claim: RowClaim): void {
    this.claims.set(claim.entry, claim);
    this.#order = null;
  }

  /** The claim with the smallest key. */
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
  /** Claims have changed since the last report. */
  changed = false;
  readonly #unreported = new Set<Row>();

  constructor(core: CollectionCore) {
    this.#core = core;
  }

  get any(): boolean {
    return this.#contests.size > 0;
  }

  /** Keys of the inputs that claim a row, if there are several. */
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

  /** Adds a claim to a row that has an owner. Gives the claim of the new owner. */
  add(row: Row, owner: RowClaim, claim: RowClaim): RowClaim {
    let contest = this.#contests.get(row.key);
    if (contest === undefined) {
      contest = new ContestedRow();
      contest.add(owner);
      this.#contests.set(row.key, contest);
    }
    contest.add(claim);
    this.#note(row);
    const ownerClaim = contest.claims.get(owner.entry) as RowClaim;
    return claim.entry.row.key < ownerClaim.entry.row.key ? claim : ownerClaim;
  }

  /** Removes a claim. Gives the claim of the new owner, or undefined if the row is not contested. */
  remove(row: Row, entry: InputEntry): RowClaim | undefined {
    const contest = this.#contests.get(row.key);
    if (contest === undefined) return undefined;
    contest.claims.delete(entry);
    this.#note(row);
    // The owner stays, unless it is removed.
    const first = contest.claims.get(row.owner as InputEntry) ?? contest.first();
    if (contest.claims.size === 1) {
      this.#contests.delete(row.key);
      this.#unreported.delete(row);
      this.#core.engine.violationStore.clear('duplicate-across-inputs', this.#core, row.key);
    }
    return first;
  }

  #note(row: Row): void {
    this.changed = true;
    this.#unreported.add(row);
  }

  /** Called once per turn. A report per claim would repeat itself for every input. */
  reportDuplicates(): void {
    this.changed = false;
    for (const row of this.#unreported) this.#report(row.key);
    this.#unreported.clear();
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

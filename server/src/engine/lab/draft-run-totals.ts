// The totals of a draft's runs, made in one pass, because there is a run for every row of a cluster.
import type {RehearsedFetch} from '../../krt/index.ts';
import type {DraftRun} from './draft-run.ts';

/** A distinct fetch, and the number of runs that make only this fetch. */
export interface CountedFetch {
  readonly fetch: RehearsedFetch;
  alone: number;
}

export class DraftRunTotals {
  readonly ran: readonly DraftRun[];
  readonly failed: readonly DraftRun[];
  readonly fetches: readonly CountedFetch[];
  readonly items: number;
  readonly ms: number;
  /** True if no two runs can have given the same key. */
  readonly keepsKeys: boolean;

  constructor(ran: readonly DraftRun[]) {
    const failed: DraftRun[] = [];
    const counted: CountedFetch[] = [];
    let [items, ms, keepsKeys] = [0, 0, true];
    for (const one of ran) {
      const {fetches} = one;
      if (one.error !== undefined) failed.push(one);
      items += one.count;
      ms += one.ms;
      keepsKeys &&= one.keepsKey;
      const alone = fetches.length === 1 ? 1 : 0;
      for (const fetch of fetches) {
        const known = counted[fetch.at];
        if (known === undefined) counted[fetch.at] = {fetch, alone};
        else known.alone += alone;
      }
    }
    this.ran = ran;
    this.failed = failed;
    this.items = items;
    this.ms = ms;
    this.keepsKeys = keepsKeys;
    // An earlier run may have made a fetch that these runs did not.
    this.fetches = counted.filter(one => one !== undefined);
  }

  /** Failed rows come first: users look for them. */
  first(limit: number): DraftRun[] {
    const shown = this.failed.slice(0, limit);
    for (const one of this.ran) {
      if (shown.length >= limit) break;
      if (one.error === undefined) shown.push(one);
    }
    return shown;
  }
}

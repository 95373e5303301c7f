// Writes what main finds out about an attached program into a hidden collection, so that checks and incidents show it.

import {isDeepStrictEqual} from 'node:util';
import type {WorkFact} from '@krtscope/shared/programs/work.ts';
import type {LastingLag} from '../../attach/lag/informer-lag.ts';
import type {AttachedRow, LagFindingRow, MissingDocumentRow} from '../../engine/link/attached-rows.ts';
import type {EngineHandle, SourceChange} from '../../engine/link/engine-link.ts';
import {hiddenCollections} from '../../engine/link/hidden-collections.ts';

/** Rows that a finding names. */
const MAX_LAG_ROWS = 50;

export class FindingRows {
  readonly #engine: Pick<EngineHandle, 'apply'>;
  readonly #program: string;
  readonly #rows = new Map<string, AttachedRow>();

  constructor(engine: Pick<EngineHandle, 'apply'>, program: string) {
    this.#engine = engine;
    this.#program = program;
  }

  /** Undefined while documents arrive. */
  reportMissingDocument(missing: Omit<MissingDocumentRow, 'key' | 'program'> | undefined): void {
    const row = missing && {key: 'document' as const, program: this.#program, ...missing};
    this.#replace('document', row === undefined ? [] : [row]);
  }

  reportLag(lasting: readonly LastingLag[]): void {
    const rows = lasting.map(
      ({collection, resource, rows}): LagFindingRow => ({
        key: `lag:${collection}`,
        program: this.#program,
        collection,
        resource,
        rows: rows.slice(0, MAX_LAG_ROWS),
        count: rows.length,
      }),
    );
    this.#replace('lag:', rows);
  }

  reportWork(facts: readonly WorkFact[]): void {
    const rows = facts.map((fact, at) => {
      const part = fact.code === 'unindexed-fetch' ? `${fact.read}:${at}` : '';
      return {key: `work:${fact.code}:${fact.collection}:${part}`, program: this.#program, fact};
    });
    this.#replace('work:', rows);
  }

  /** Replaces all rows whose key begins with the prefix. Writes differences only. */
  #replace(prefix: string, rows: readonly AttachedRow[]): void {
    const received = Date.now();
    const collection = hiddenCollections.attached;
    const changes: SourceChange[] = [];
    const keys = new Set(rows.map(({key}) => key));
    for (const key of this.#rows.keys())
      if (key.startsWith(prefix) && !keys.has(key)) {
        this.#rows.delete(key);
        changes.push({collection, key, event: 'delete', received});
      }
    for (const row of rows) {
      const previous = this.#rows.get(row.key);
      if (isDeepStrictEqual(previous, row)) continue;
      this.#rows.set(row.key, row);
      const event = previous === undefined ? 'add' : 'update';
      changes.push({collection, key: row.key, event, new: row, received});
    }
    if (changes.length > 0) this.#engine.apply(changes);
  }
}

// Writes the journals of a running graph (history/journal.ts). Each write is a batch, unless it happens inside one.
import type {ViolationFacts} from '../../../explain/records.ts';
import {type JournalName, journals} from '../../../history/journal.ts';
import {type Engine, newStaticCollection, type StaticCollection} from '../../../krt/index.ts';
import type {ReplayRows} from '../../link/host-messages.ts';
import {stableTextOf} from './stable-text.ts';

/** The maximum number of violations by name. */
const MAX_VIOLATIONS = 1000;
/** The text of this violation counts up with every batch. Writing it each time would double the number of batches. */
const COUNTING = 'never-equal';

interface JournalRow {
  readonly key: string;
  readonly value: unknown;
}

export class JournalWriter {
  readonly #engine: Engine;
  readonly #collections = new Map<JournalName, StaticCollection<JournalRow>>();

  constructor(engine: Engine) {
    this.#engine = engine;
    for (const name of Object.keys(journals) as JournalName[])
      this.#collections.set(
        name,
        newStaticCollection<JournalRow>(engine, [], {name: journals[name], key: row => row.key}),
      );
  }

  /** Writes all rows that differ from the journal, in one batch. Undefined removes a row. */
  write(name: JournalName, rows: Iterable<readonly [key: string, value: unknown]>): void {
    const collection = this.#of(name);
    const changed = [...rows].filter(([key, value]) => {
      const current = collection.getKey(key);
      return value === undefined
        ? current !== undefined
        : !current || stableTextOf(current.value) !== stableTextOf(value);
    });
    if (changed.length === 0) return;
    this.#engine.batch(() => {
      for (const [key, value] of changed)
        if (value === undefined) collection.deleteObject(key);
        else collection.updateObject(Object.freeze({key, value}));
    });
  }

  /** Writes the current violations without their counts, because those change with every batch. */
  writeViolations(violations: readonly ViolationFacts[]): void {
    const collection = this.#of('violations');
    if (violations.length === 0 && collection.list().length === 0) return;
    const rows = new Map<string, unknown>();
    for (const {key} of collection.list()) rows.set(key, undefined);
    for (const {code, collection: name, keys, message, sequence} of violations.slice(0, MAX_VIOLATIONS)) {
      const key = JSON.stringify([code, name, keys[0] ?? '']);
      const before = collection.getKey(key)?.value as ViolationFacts | undefined;
      const same = before !== undefined && (code === COUNTING || before.message === message);
      rows.set(key, same ? before : {code, collection: name, keys, message, sequence, count: 1});
    }
    this.write('violations', rows);
  }

  /** Restores exactly the rows that the previous process wrote and main kept. */
  restore(rows: readonly ReplayRows[]): void {
    for (const [name, collection] of this.#collections)
      for (const [from, , text] of rows) {
        if (from !== journals[name] || text === null) continue;
        const [row] = JSON.parse(text) as [JournalRow];
        collection.updateObject(Object.freeze(row));
      }
  }

  #of(name: JournalName): StaticCollection<JournalRow> {
    return this.#collections.get(name) as StaticCollection<JournalRow>;
  }
}

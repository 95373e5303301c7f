// Batches of one write that go from one row to one input to one row: they need no queue. As soon as a change
// has more than one way to go, what is left of the batch is settled as any other.

import type {Change} from '../api/change.ts';
import type {Core} from '../graph/core.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {Row} from '../graph/row.ts';
import type {Derived} from '../kinds/derived.ts';
import {type Entry, REMOVED} from './entry.ts';
import {removeInput} from './run-end.ts';

/** A batch of one update. */
export function update(engine: EngineCore, source: Core, first: Row, item: unknown): void {
  const recorder = engine.openForOne();
  let core = source;
  let row = first;
  let old = row.value;
  row.value = item;
  let teller: Core | null = null;
  let change: Change | null = null;
  try {
    for (;;) {
      row.updated = true;
      if (recorder !== null) recorder.publish(core, row, old, row.value);
      if (core.handlers.length > 0) {
        if (teller !== null) teller.announce(change as Change);
        teller = core;
        change = {event: 'update', key: row.key, old, new: row.value};
      }
      const entry = row.attached;
      if (entry === null) break;
      if (Array.isArray(entry) || !entry.collection.synced) {
        core.markAttached(row, row.value);
        break;
      }
      const derived = entry.collection;
      derived.busy = true;
      const next = recorder === null ? derived.again(entry) : derived.againRecorded(entry, recorder);
      derived.busy = false;
      if (next === null) {
        if (derived.dirtyCount > 0) derived.flush();
        break;
      }
      core = derived;
      row = next;
      old = derived.movedFrom;
      if (!derived.direct) {
        row.updated = true;
        derived.publish(row, old, row.value);
        break;
      }
    }
  } finally {
    if (teller === null) engine.settleAll();
    else tellOne(engine, teller, change as Change);
  }
}

/** A batch of one new row; while nobody records. */
export function arrive(engine: EngineCore, source: Core, row: Row, item: unknown): void {
  engine.openForOne();
  row.value = item;
  try {
    if (source.handlers.length > 0) source.announceRow(row, undefined, item);
    const {children} = source;
    const child = children[0];
    if (children.length === 1 && child !== undefined && child.synced) turnFor(child, child.enter(row));
    else for (const other of children) other.inputAdded(row);
  } finally {
    engine.settleAll();
  }
}

/** A batch of one row that goes; while nobody records. */
export function depart(engine: EngineCore, source: Core, row: Row): void {
  engine.openForOne();
  const old = row.value;
  row.value = undefined;
  try {
    source.forgetRow(row, old);
    if (source.handlers.length > 0) source.announceRow(row, old, undefined);
    const entry = row.attached;
    if (entry === null) return;
    if (Array.isArray(entry) || !entry.collection.synced) source.markAttached(row, undefined);
    else {
      entry.flags |= REMOVED;
      turnFor(entry.collection, entry);
    }
  } finally {
    engine.settleAll();
  }
}

function turnFor(derived: Derived, entry: Entry): void {
  derived.busy = true;
  if ((entry.flags & REMOVED) === 0) derived.execute(entry);
  else removeInput(derived, entry);
  derived.busy = false;
  derived.flush();
}

/** Ends a batch of which one collection has to tell one change. */
function tellOne(engine: EngineCore, core: Core, change: Change): void {
  const {handlers} = core;
  const alone = engine.pending === 0 && engine.sampled.length === 0 && !engine.delivery.waiting;
  if (!alone || handlers.length > 1 || engine.recorder !== null) {
    core.announce(change);
    engine.settleAll();
    return;
  }
  engine.changed = false;
  engine.sequence = engine.nextSequence++;
  (handlers[0] as (typeof handlers)[0]).deliver([change], false);
  // The handler may have written.
  if (engine.pending > 0 || engine.changed) engine.settleAll();
  else engine.open = false;
}

// Gives inputs back the rows that they had before a restart although their runs no longer yield them. While the objects
// come in again, a formula in place of the true one yields those rows; then the true one fails or discards again, and
// leaves them as it did before. What is computed from them never sees anything else.
import {Derived, type Formula} from '../../krt/derived.ts';
import {engineCore} from '../../krt/engine.ts';
import type {Engine} from '../../krt/index.ts';
import type {KeptRows} from '../link/messages.ts';

/** Call it before any input has come in, and what it gives once they all have. */
export function adopt(engine: Engine, kept: readonly KeptRows[]): () => void {
  const byCollection = new Map<string, Map<string, unknown[]>>();
  for (const [collection, input, text] of kept) {
    const inputs = byCollection.get(collection) ?? new Map<string, unknown[]>();
    if (text !== null) inputs.set(input, JSON.parse(text) as unknown[]);
    byCollection.set(collection, inputs);
  }
  const standing: {derived: Derived; formula: Formula}[] = [];
  for (const core of engineCore(engine).cores) {
    const rows = byCollection.get(core.name);
    // A status collection's formula gives two things at once; its rows do not come back.
    if (rows === undefined || !(core instanceof Derived) || core.status !== null) continue;
    standing.push({derived: core, formula: core.formula});
    core.formula = yielding(core, rows);
  }
  return () => {
    standing.sort((a, b) => a.derived.level - b.derived.level || a.derived.uid - b.derived.uid);
    for (const {derived, formula} of standing) derived.replaceFormula(formula);
  };
}

function yielding({formula, parent, many}: Derived, rows: ReadonlyMap<string, readonly unknown[]>): Formula {
  return (ctx, item) => {
    const held = rows.get(parent.hidden ? '' : parent.keyOf(item));
    if (held === undefined) return formula(ctx, item);
    return many ? held : held[0];
  };
}

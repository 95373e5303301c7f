// Computes a formula's text from a request or a change.
import type {FormulaChange} from '@krtscope/shared/formulas.ts';
import type {FormulaText, StoredFormula} from './stores/formula-store.ts';
import type {FormulaCompilation} from './trial/formula-compilation.ts';

/** The fields that are stored. */
export function pickFormulaText({name, code, input, kind, sources, params, tests}: FormulaText): FormulaText {
  return {name, code, input, kind, sources, params, tests};
}

/**
 * The formula after a change. A singleton loses its input, and an input turns a singleton into a formula of
 * kind one.
 */
export function applyFormulaChange(
  stored: StoredFormula,
  {kind: oldKind}: FormulaCompilation,
  change: FormulaChange,
): FormulaText {
  const text = pickFormulaText({...stored, ...definedFields(change)});
  const kind = change.kind ?? (change.input !== undefined && oldKind === 'singleton' ? 'one' : text.kind);
  const input = kind === 'singleton' ? change.input : text.input;
  return {...text, kind, input};
}

function definedFields({revision: _, ...change}: FormulaChange): Partial<FormulaText> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

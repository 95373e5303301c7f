// Computes a formula's text from a request or a change.
import type {FormulaChange} from '@krtscope/shared/formulas.ts';
import type {FormulaText, StoredFormula} from './stores/formula-store.ts';
import type {FormulaCompilation} from './trial/formula-compilation.ts';

/** The fields that are stored. */
export function pickFormulaText({name, code, input, kind, sources, tests}: FormulaText): FormulaText {
  return {
    name,
    code,
    ...(input === undefined ? {} : {input}),
    ...(kind === undefined ? {} : {kind}),
    ...(sources === undefined ? {} : {sources}),
    ...(tests === undefined ? {} : {tests}),
  };
}

/**
 * The formula after a change. A singleton loses its input, and an input turns a singleton into a formula of
 * kind one.
 */
export function applyFormulaChange(
  stored: StoredFormula,
  {kind: old}: FormulaCompilation,
  change: FormulaChange,
): FormulaText {
  const {name, code, input, kind, sources, tests} = {...stored, ...definedFields(change)};
  const meant = change.kind ?? (change.input !== undefined && old === 'singleton' ? 'one' : kind);
  const {input: own, ...rest} = pickFormulaText({
    name,
    code,
    ...(input === undefined ? {} : {input}),
    ...(meant === undefined ? {} : {kind: meant}),
    ...(sources === undefined ? {} : {sources}),
    ...(tests === undefined ? {} : {tests}),
  });
  return meant === 'singleton' && change.input === undefined
    ? rest
    : {...rest, ...(own === undefined ? {} : {input: own})};
}

function definedFields({revision: _, ...change}: FormulaChange): Partial<FormulaText> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

// What a formula's text becomes by a request or a change of it.
import type {FormulaChange} from '@krtscope/shared/formulas.ts';
import type {ReadFormula} from './reading.ts';
import type {FormulaText, StoredFormula} from './store.ts';

/** The fields that are stored, and no others. */
export function plain({name, code, input, kind, sources, tests}: FormulaText): FormulaText {
  return {
    name,
    code,
    ...(input === undefined ? {} : {input}),
    ...(kind === undefined ? {} : {kind}),
    ...(sources === undefined ? {} : {sources}),
    ...(tests === undefined ? {} : {tests}),
  };
}

/** What a formula shall be after a change; a singleton lets its input go, an input makes it no singleton. */
export function changed(stored: StoredFormula, {kind: old}: ReadFormula, change: FormulaChange): FormulaText {
  const {name, code, input, kind, sources, tests} = {...stored, ...without(change)};
  const meant = change.kind ?? (change.input !== undefined && old === 'singleton' ? 'one' : kind);
  const {input: own, ...rest} = plain({
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

function without({revision: _, ...change}: FormulaChange): Partial<FormulaText> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

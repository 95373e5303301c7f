// A kept formula as the API shows it: its text, and how its collection stands.
import type {FormulaCheck, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {InstallableFormula} from '../../engine/link/commands.ts';
import type {StoredFormula} from './stores/formula-store.ts';
import type {FormulaCompilation} from './trial/formula-compilation.ts';

export interface ViewableFormula {
  readonly stored: StoredFormula;
  readonly reading: FormulaCompilation;
  readonly checks: FormulaCheck[] | undefined;
  readonly trouble: InstallableFormula['trouble'];
}

export function toFormulaView(
  {stored, reading, checks = [], trouble}: ViewableFormula,
  node: CollectionNode | undefined,
): SavedFormula {
  const {name, code, revision, sources, tests} = stored;
  const {kind, input} = reading;
  const own = node?.formula === true ? node : undefined;
  const wrong = own?.state === 'failing' || own?.state === 'quarantined' ? own : undefined;
  const state = wrong?.state === 'quarantined' ? 'quarantined' : (trouble?.state ?? wrong?.state ?? 'live');
  const error = trouble?.error ?? wrong?.error;
  return {
    name,
    kind,
    ...(input === undefined ? {} : {input}),
    ...(sources === undefined ? {} : {sources}),
    ...(tests === undefined ? {} : {tests}),
    code,
    revision,
    state: state as SavedFormula['state'],
    items: own?.size ?? 0,
    failed: own?.failed ?? 0,
    ...(error === undefined ? {} : {error}),
    checks,
  };
}

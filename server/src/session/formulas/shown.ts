// A kept formula as the API shows it: its text, and how its collection stands.
import type {Formula, FormulaCheck} from '@krtscope/shared/formulas.ts';
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {FormulaOrder} from '../../engine/link/commands.ts';
import type {ReadFormula} from './reading.ts';
import type {StoredFormula} from './store.ts';

export interface Showable {
  readonly stored: StoredFormula;
  readonly reading: ReadFormula;
  readonly checks: FormulaCheck[] | undefined;
  readonly trouble: FormulaOrder['trouble'];
}

export function shown(
  {stored, reading, checks = [], trouble}: Showable,
  node: CollectionNode | undefined,
): Formula {
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
    state: state as Formula['state'],
    items: own?.size ?? 0,
    failed: own?.failed ?? 0,
    ...(error === undefined ? {} : {error}),
    checks,
  };
}

// A saved formula in the form of the API: its text and the state of its collection.
import type {FormulaCheck, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {InstallableFormula} from '../../engine/link/commands.ts';
import type {StoredFormula} from './stores/formula-store.ts';
import type {FormulaCompilation} from './trial/formula-compilation.ts';

export interface ViewableFormula {
  readonly stored: StoredFormula;
  readonly compilation: FormulaCompilation;
  readonly checks: FormulaCheck[] | undefined;
  readonly trouble: InstallableFormula['trouble'];
}

export function toFormulaView(
  {stored, compilation, checks = [], trouble}: ViewableFormula,
  node: CollectionNode | undefined,
  upstreamProblem?: string,
): SavedFormula {
  const {name, code, revision, sources, tests} = stored;
  const {kind, input, compiled} = compilation;
  const own = node?.formula === true ? node : undefined;
  const wrong = own?.state === 'failing' || own?.state === 'quarantined' ? own : undefined;
  const upstream = upstreamProblem === undefined ? undefined : {message: upstreamProblem};
  const ownState =
    wrong?.state === 'quarantined' ? 'quarantined' : (trouble?.state ?? wrong?.state ?? 'live');
  const state = ownState === 'live' && upstream !== undefined ? 'failing' : ownState;
  const error = trouble?.error ?? wrong?.error ?? upstream;
  return {
    name,
    kind,
    input,
    sources,
    ...(compiled === undefined || compiled.params.length === 0 ? {} : {params: compiled.params}),
    tests,
    code,
    revision,
    state: state as SavedFormula['state'],
    items: own?.size ?? 0,
    failed: own?.failed ?? 0,
    ...(own?.lane === undefined ? {} : {lane: own.lane, cost: own.cost}),
    ...(own?.current === false && own.progress !== undefined ? {recomputing: own.progress} : {}),
    error,
    checks,
  };
}

// The status of a Formula in the cluster: conditions, number of items, and errors with their lines.
import type {SavedFormula} from '@krtscope/shared/formulas.ts';
import type {FormulaObject} from '../../../cluster/formulas/resource.ts';
import type {Applied} from '../../../runtime/apply/apply-controller.ts';

type FormulaStatus = NonNullable<FormulaObject['status']>;
type FormulaCondition = NonNullable<FormulaStatus['conditions']>[number];

/** Whether a Formula of the cluster is a collection, or why not. */
export type FormulaAcceptance =
  | {formula: SavedFormula}
  | {reason: 'Suspended' | 'NameTaken' | 'KeptInFile' | 'NotRead'; message: string};

/** Most objects in the status of a Formula. */
const MAX_APPLIED_ROWS = 50;

export function statusOf(
  object: FormulaObject,
  acceptance: FormulaAcceptance,
  applied: readonly Applied[],
  time: string,
): FormulaStatus {
  const {generation} = object.metadata;
  const condition = (type: string, holds: boolean, reason: string, message: string): FormulaCondition => {
    const status = holds ? 'True' : 'False';
    const old = object.status?.conditions?.find(one => one.type === type);
    const since = old?.status === status ? old.lastTransitionTime : time;
    const seen = generation === undefined ? {} : {observedGeneration: generation};
    return {type, status, reason, message, lastTransitionTime: since, ...seen};
  };
  const seen = generation === undefined ? {} : {observedGeneration: generation};
  if (!('formula' in acceptance)) {
    const {reason, message} = acceptance;
    const conditions = [
      condition('Accepted', false, reason, message),
      condition('Ready', false, reason, message),
    ];
    return {...seen, items: 0, failed: 0, errors: [], conditions};
  }
  const {name, state, items, failed, error, revision} = acceptance.formula;
  const apply = object.spec.apply;
  const ready = state === 'live';
  const reason = ready ? 'Live' : state === 'failing' ? 'Failing' : 'Quarantined';
  const message = error?.message ?? (ready ? `${name} is a collection` : `${name} is ${state}`);
  return {
    ...seen,
    revision,
    items,
    failed,
    errors: error === undefined ? [] : [error],
    conditions: [
      condition('Accepted', true, 'Kept', `${name} is kept`),
      condition('Ready', ready, reason, message),
      ...(apply ? [appliedCondition(apply.mode, items, applied, condition)] : []),
    ],
    ...(apply ? {applied: applied.slice(0, MAX_APPLIED_ROWS).map(appliedRow)} : {}),
  };
}

function appliedCondition(
  mode: 'DryRun' | 'Apply',
  rows: number,
  applied: readonly Applied[],
  condition: (type: string, holds: boolean, reason: string, message: string) => FormulaCondition,
): FormulaCondition {
  const wrong = applied.filter(one => one.state === 'failed' || one.state === 'conflict');
  if (wrong.length > 0)
    return condition('Applied', false, 'Failing', wrong[0]?.error ?? `${wrong.length} objects failed`);
  const waiting = applied.filter(one => one.state.startsWith('would-')).length;
  if (mode === 'DryRun')
    return condition(
      'Applied',
      false,
      'DryRun',
      `${waiting} objects would be written; spec.apply.mode: Apply writes them`,
    );
  if (waiting > 0 || applied.length < rows)
    return condition('Applied', false, 'Applying', `${applied.length - waiting} of ${rows} objects are kept`);
  return condition('Applied', true, 'Applied', `${applied.length} objects are kept`);
}

function appliedRow({
  kind,
  namespace,
  name,
  state,
  difference,
  error,
}: Applied): NonNullable<FormulaStatus['applied']>[number] {
  const changes = difference.slice(0, 20).map(({path}) => path || '(the whole object)');
  return {
    kind,
    ...(namespace === undefined ? {} : {namespace}),
    name,
    state,
    ...(changes.length === 0 ? {} : {changes}),
    ...(error === undefined ? {} : {error}),
  };
}

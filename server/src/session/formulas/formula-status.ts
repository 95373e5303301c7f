// What the status of a Formula in the cluster says: conditions, how many items, and errors with their line.
import type {Formula} from '@krtscope/shared/formulas.ts';
import type {FormulaObject} from '../../cluster/formulas/resource.ts';

type Status = NonNullable<FormulaObject['status']>;
type Condition = NonNullable<Status['conditions']>[number];

/** How it stands with a formula of the cluster: it is a collection, or why not. */
export type Standing =
  | {formula: Formula}
  | {reason: 'Suspended' | 'NameTaken' | 'KeptInFile' | 'NotRead'; message: string};

export function statusOf(object: FormulaObject, standing: Standing, time: string): Status {
  const {generation} = object.metadata;
  const condition = (type: string, holds: boolean, reason: string, message: string): Condition => {
    const status = holds ? 'True' : 'False';
    const old = object.status?.conditions?.find(one => one.type === type);
    const since = old?.status === status ? old.lastTransitionTime : time;
    const seen = generation === undefined ? {} : {observedGeneration: generation};
    return {type, status, reason, message, lastTransitionTime: since, ...seen};
  };
  const seen = generation === undefined ? {} : {observedGeneration: generation};
  if (!('formula' in standing)) {
    const {reason, message} = standing;
    const conditions = [
      condition('Accepted', false, reason, message),
      condition('Ready', false, reason, message),
    ];
    return {...seen, items: 0, failed: 0, errors: [], conditions};
  }
  const {name, state, items, failed, error, revision} = standing.formula;
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
    ],
  };
}

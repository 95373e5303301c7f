// Eviction: a deletion that a PodDisruptionBudget may refuse.
import {selectorMatches} from '../kinds/label-selector.ts';
import {at, type JsonObject, listAt, numberAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {notFound, StatusError} from '../wire/responses/status-error.ts';
import {type DeleteRequestOptions, deleteObject} from './delete.ts';
import {updateObject, type WriteContext} from './write.ts';

const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";

export function evictPod(write: WriteContext, name: string, options: DeleteRequestOptions): void {
  const pod = write.api.find(write.resource, write.namespace, name);
  if (!pod) throw notFound(write.resource, name);
  const budget = budgetOf(write, pod);
  if (budget && reducesAvailability(pod, budget)) useDisruption(write, budget);
  deleteObject({...write, subresource: ''}, name, options);
}

function budgetOf(write: WriteContext, pod: StoredObject): StoredObject | undefined {
  const shelf = write.api.storage.resourceStore('policy/poddisruptionbudgets');
  const budgets = Array.from(shelf.keys(`${write.namespace}/`), key => shelf.objects.get(key)!).filter(one =>
    selectorMatches(at(one, 'spec', 'selector'), pod.metadata.labels),
  );
  if (budgets.length > 1)
    throw new StatusError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  return budgets[0];
}

/**
 * Whether the eviction costs availability. A Pod that does not run costs none. An unhealthy one costs some
 * only if the budget is already short.
 */
function reducesAvailability(pod: StoredObject, budget: StoredObject): boolean {
  if (pod.metadata.deletionTimestamp || stringAt(pod, 'status', 'phase') !== 'Running') return false;
  const ready = listAt(pod, 'status', 'conditions').some(
    one => stringAt(one, 'type') === 'Ready' && stringAt(one, 'status') === 'True',
  );
  if (ready) return true;
  if (stringAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return false;
  const desired = numberAt(budget, 'status', 'desiredHealthy');
  return !(desired > 0 && numberAt(budget, 'status', 'currentHealthy') >= desired);
}

/** Uses one allowed disruption until the controller counts again. */
function useDisruption(write: WriteContext, budget: StoredObject): void {
  const {name, generation = 0} = budget.metadata;
  const status = budget.status as JsonObject | undefined;
  if (numberAt(status, 'observedGeneration') < generation)
    throw refusal(`The disruption budget ${name} is still being processed by the server.`, 10);
  const allowed = numberAt(status, 'disruptionsAllowed');
  if (allowed < 1) {
    const [needs, has] = [numberAt(status, 'desiredHealthy'), numberAt(status, 'currentHealthy')];
    throw refusal(`The disruption budget ${name} needs ${needs} healthy pods and has ${has} currently`);
  }
  if (write.dryRun) return;
  const resource = write.api.resources.must('policy', 'v1', 'poddisruptionbudgets');
  updateObject({...write, resource, subresource: 'status'}, name, current => ({
    ...current,
    status: {...status, disruptionsAllowed: allowed - 1},
  }));
}

function refusal(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError(429, 'TooManyRequests', REFUSED, {
    causes: [{reason: 'DisruptionBudget', message}],
    ...(retryAfterSeconds !== undefined && {retryAfterSeconds}),
  });
}

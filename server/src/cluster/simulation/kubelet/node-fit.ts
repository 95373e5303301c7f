// Finds why a Pod does not fit on a node, in the scheduler's words.

import {at, listAt, mapAt, type StoredObject} from '../../object/stored-object.ts';
import {parseQuantity} from '../../schema/quantity.ts';

/** Why the node cannot take the Pod; empty if it can. Ignores other Pods on the node. */
export function unfitReasons(pod: StoredObject, node: StoredObject): string[] {
  if (at(node, 'spec', 'unschedulable') === true) return ['node(s) were unschedulable'];
  const selector = Object.entries(mapAt(pod, 'spec', 'nodeSelector'));
  if (!selector.every(([name, value]) => node.metadata.labels?.[name] === value))
    return ["node(s) didn't match Pod's node affinity/selector"];
  const allocatable = mapAt(node, 'status', 'allocatable');
  return [...requestsOf(pod)]
    .filter(([resource, amount]) => amount > nanoOf(allocatable[resource]))
    .map(([resource]) => `Insufficient ${resource}`);
}

/** The scheduler's message for a Pod that fits on no node. */
export function unschedulableMessage(pod: StoredObject, nodes: readonly StoredObject[]): string {
  const counts = new Map<string, number>();
  for (const node of nodes)
    for (const reason of unfitReasons(pod, node)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  const none = `0/${nodes.length} nodes are available`;
  if (reasons.length === 0) return `${none}.`;
  const preemption = `${none}: ${nodes.length} Preemption is not helpful for scheduling.`;
  return `${none}: ${reasons.join(', ')}. preemption: ${preemption}`;
}

/** Requests of all containers together, in billionths. An init container runs alone, so the largest counts. */
function requestsOf(pod: StoredObject): Map<string, bigint> {
  const total = new Map<string, bigint>();
  for (const container of listAt(pod, 'spec', 'containers'))
    for (const [resource, amount] of Object.entries(mapAt(container, 'resources', 'requests')))
      total.set(resource, (total.get(resource) ?? 0n) + nanoOf(amount));
  for (const container of listAt(pod, 'spec', 'initContainers'))
    for (const [resource, amount] of Object.entries(mapAt(container, 'resources', 'requests')))
      if (nanoOf(amount) > (total.get(resource) ?? 0n)) total.set(resource, nanoOf(amount));
  return total;
}

const nanoOf = (quantity: unknown): bigint => parseQuantity(String(quantity ?? '0'))?.nano ?? 0n;

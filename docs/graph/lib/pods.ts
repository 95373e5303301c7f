// What the module's formulas share: plain functions, imported like any neighbour.

export interface Notice {
  key?: string;
  says: string;
  team: string;
}

interface PodLike {
  status?: {phase?: string; conditions?: readonly {type: string; status: string}[]};
  spec?: {containers?: readonly {resources?: {requests?: {readonly [name: string]: unknown}}}[]};
}

export function isReadyPod(pod: PodLike): boolean {
  const ready = pod.status?.conditions?.find(condition => condition.type === 'Ready');
  return pod.status?.phase === 'Running' && ready?.status === 'True';
}

/** What its containers ask for, in thousandths of a core. */
export function cpuOf(pod: PodLike): number {
  let sum = 0;
  for (const container of pod.spec?.containers ?? []) {
    const text = String(container.resources?.requests?.cpu ?? '0');
    sum += text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000;
  }
  return sum;
}

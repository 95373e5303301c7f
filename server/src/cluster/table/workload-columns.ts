// Columns of Pods and of workloads.
import {selectorParts} from '@krtscope/shared/labels/label-selector.ts';
import {at, isObject, listAt, mapAt, numberAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {age, humanDuration} from './duration.ts';
import type {KubectlColumn} from './table.ts';

export const textColumn = (name: string, cell: KubectlColumn['cell'], priority = 0): KubectlColumn => ({
  name,
  type: 'string',
  cell,
  priority,
});
const countColumn = (name: string, ...path: string[]): KubectlColumn => ({
  name,
  type: 'integer',
  cell: o => numberAt(o, ...path),
});
export const nameColumn: KubectlColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name the object has within its namespace, or in the cluster where it has none.',
  cell: o => o.metadata.name,
};
export const ageColumn: KubectlColumn = textColumn('Age', (o, api) =>
  age(o.metadata.creationTimestamp, api.now()),
);

export function selectorText(selector: unknown): string {
  const parts = isObject(selector) ? selectorParts(selector) : [];
  return parts.length === 0 ? '<none>' : parts.sort().join(',');
}

export const labelText = (labels: Record<string, string>): string => selectorText({matchLabels: labels});

const containers = (o: StoredObject) => listAt(o, 'spec', 'template', 'spec', 'containers');
const wideColumns: KubectlColumn[] = [
  textColumn(
    'Containers',
    o =>
      containers(o)
        .map(c => stringAt(c, 'name'))
        .join(','),
    1,
  ),
  textColumn(
    'Images',
    o =>
      containers(o)
        .map(c => stringAt(c, 'image'))
        .join(','),
    1,
  ),
];
const selectorColumn = textColumn('Selector', o => selectorText(at(o, 'spec', 'selector')), 1);

/** kubectl's STATUS of a Pod: the most important reason, not only the phase. */
function podStatus(pod: StoredObject): string {
  let reason = stringAt(pod, 'status', 'reason') || stringAt(pod, 'status', 'phase');
  let running = false;
  for (const status of [...listAt(pod, 'status', 'containerStatuses')].reverse()) {
    const waiting = stringAt(status, 'state', 'waiting', 'reason');
    const ended = at(status, 'state', 'terminated');
    if (waiting !== '') reason = waiting;
    else if (isObject(ended)) {
      const why = stringAt(ended, 'reason');
      reason =
        why !== ''
          ? why
          : numberAt(ended, 'signal') !== 0
            ? `Signal:${numberAt(ended, 'signal')}`
            : `ExitCode:${numberAt(ended, 'exitCode')}`;
    } else if (at(status, 'ready') === true && isObject(at(status, 'state', 'running'))) running = true;
  }
  if (reason === 'Completed' && running) reason = 'Running';
  if (pod.metadata.deletionTimestamp) return 'Terminating';
  return reason;
}

function restarts(pod: StoredObject, now: number): string {
  let total = 0;
  let last = 0;
  for (const status of listAt(pod, 'status', 'containerStatuses')) {
    total += numberAt(status, 'restartCount');
    const ended = Date.parse(stringAt(status, 'lastState', 'terminated', 'finishedAt'));
    if (ended > last) last = ended;
  }
  return total > 0 && last > 0 ? `${total} (${humanDuration(now - last)} ago)` : String(total);
}

const podColumns: KubectlColumn[] = [
  nameColumn,
  textColumn('Ready', o => {
    const statuses = listAt(o, 'status', 'containerStatuses');
    return `${statuses.filter(s => at(s, 'ready') === true).length}/${listAt(o, 'spec', 'containers').length}`;
  }),
  textColumn('Status', podStatus),
  textColumn('Restarts', (o, api) => restarts(o, api.now())),
  ageColumn,
  textColumn('IP', o => stringAt(o, 'status', 'podIP') || '<none>', 1),
  textColumn('Node', o => stringAt(o, 'spec', 'nodeName') || '<none>', 1),
  textColumn('Nominated Node', o => stringAt(o, 'status', 'nominatedNodeName') || '<none>', 1),
  textColumn('Readiness Gates', () => '<none>', 1),
];

function jobStatus(job: StoredObject): string {
  const has = (type: string) =>
    listAt(job, 'status', 'conditions').some(
      c => stringAt(c, 'type') === type && stringAt(c, 'status') === 'True',
    );
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp) return 'Terminating';
  if (has('Suspended')) return 'Suspended';
  if (has('FailureTarget')) return 'FailureTarget';
  if (has('SuccessCriteriaMet')) return 'SuccessCriteriaMet';
  return 'Running';
}

function jobDuration(job: StoredObject, now: number): string {
  const started = Date.parse(stringAt(job, 'status', 'startTime'));
  if (Number.isNaN(started)) return '';
  const done = Date.parse(stringAt(job, 'status', 'completionTime'));
  return humanDuration((Number.isNaN(done) ? now : done) - started);
}

function completions(job: StoredObject): string {
  const done = numberAt(job, 'status', 'succeeded');
  const wanted = at(job, 'spec', 'completions');
  if (typeof wanted === 'number') return `${done}/${wanted}`;
  const parallel = numberAt(job, 'spec', 'parallelism');
  return parallel > 1 ? `${done}/1 of ${parallel}` : `${done}/1`;
}

export const workloadColumns: Record<string, KubectlColumn[]> = {
  '/pods': podColumns,
  'apps/deployments': [
    nameColumn,
    textColumn('Ready', o => `${numberAt(o, 'status', 'readyReplicas')}/${numberAt(o, 'spec', 'replicas')}`),
    {...textColumn('Up-to-date', o => numberAt(o, 'status', 'updatedReplicas'))},
    {...textColumn('Available', o => numberAt(o, 'status', 'availableReplicas'))},
    ageColumn,
    ...wideColumns,
    selectorColumn,
  ],
  'apps/replicasets': [
    nameColumn,
    countColumn('Desired', 'spec', 'replicas'),
    countColumn('Current', 'status', 'replicas'),
    countColumn('Ready', 'status', 'readyReplicas'),
    ageColumn,
    ...wideColumns,
    selectorColumn,
  ],
  'apps/statefulsets': [
    nameColumn,
    textColumn('Ready', o => `${numberAt(o, 'status', 'readyReplicas')}/${numberAt(o, 'spec', 'replicas')}`),
    ageColumn,
    ...wideColumns,
  ],
  'apps/daemonsets': [
    nameColumn,
    countColumn('Desired', 'status', 'desiredNumberScheduled'),
    countColumn('Current', 'status', 'currentNumberScheduled'),
    countColumn('Ready', 'status', 'numberReady'),
    countColumn('Up-to-date', 'status', 'updatedNumberScheduled'),
    countColumn('Available', 'status', 'numberAvailable'),
    textColumn('Node Selector', o => labelText(mapAt(o, 'spec', 'template', 'spec', 'nodeSelector'))),
    ageColumn,
    ...wideColumns,
    selectorColumn,
  ],
  'batch/jobs': [
    nameColumn,
    textColumn('Status', jobStatus),
    textColumn('Completions', completions),
    textColumn('Duration', (o, api) => jobDuration(o, api.now())),
    ageColumn,
    ...wideColumns,
    selectorColumn,
  ],
  'batch/cronjobs': [
    nameColumn,
    textColumn('Schedule', o => stringAt(o, 'spec', 'schedule')),
    textColumn('Timezone', o => stringAt(o, 'spec', 'timeZone') || '<none>'),
    {name: 'Suspend', type: 'boolean', cell: o => at(o, 'spec', 'suspend') === true},
    {name: 'Active', type: 'integer', cell: o => listAt(o, 'status', 'active').length},
    textColumn('Last Schedule', (o, api) =>
      stringAt(o, 'status', 'lastScheduleTime')
        ? age(stringAt(o, 'status', 'lastScheduleTime'), api.now())
        : '<none>',
    ),
    ageColumn,
  ],
};

// The workload whose template makes a Pod: a fix of the Pod alone would not last.
import type {Records} from '../records.ts';
import {selectorOf} from './filter-evaluation.ts';
import {patchCommandFor} from './kubectl-command.ts';

interface ControllerReference {
  readonly kind?: string;
  readonly name?: string;
  readonly controller?: boolean;
}

/** Kinds with a Pod template of their own. */
const templateKinds: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

function controllerOf(value: unknown): ControllerReference | undefined {
  const owners = (value as {metadata?: {ownerReferences?: readonly ControllerReference[]}} | undefined)
    ?.metadata?.ownerReferences;
  return owners?.find(({controller}) => controller !== false);
}

export function hasController(value: unknown): boolean {
  return controllerOf(value) !== undefined;
}

/** The command that sets a label in the template; undefined where the template is unknown or its selector has the label. */
export function templateLabelCommand(
  records: Records,
  key: string,
  value: unknown,
  label: string,
  wanted: string,
  at?: number,
): string | undefined {
  const namespace = key.slice(0, key.indexOf('/'));
  let owner = controllerOf(value);
  let template: unknown;
  if (owner?.kind === 'ReplicaSet') {
    template = records.collection('ReplicaSets', at)
      ? records.value('ReplicaSets', `${namespace}/${owner.name}`, at)
      : undefined;
    owner = controllerOf(template);
  }
  if (owner?.kind === undefined || owner.name === undefined || !templateKinds.has(owner.kind))
    return undefined;
  // The selector of a workload is immutable, so its template must keep that label.
  if (selectorOf(template)[label] !== undefined) return undefined;
  const patch = {spec: {template: {metadata: {labels: {[label]: wanted}}}}};
  return patchCommandFor(namespace, owner.kind.toLowerCase(), owner.name, patch);
}

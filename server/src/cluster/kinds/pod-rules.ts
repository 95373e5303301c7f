// Pods: defaults, admission, immutable fields and field selectors.
import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {labelErrors} from '../object/metadata-rules.ts';
import {at, isObject, type JsonObject, listAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {forbiddenField} from '../wire/responses/invalid-errors.ts';
import type {FieldError, KindRules} from './kind-rules.ts';
import {admitPod} from './pod-admission.ts';
import {defaultPodSpec, qosClass, setDefault} from './pod-defaults.ts';
import {podSpecErrors} from './pod-validation.ts';

const IMMUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** The immutable part of the spec. */
function fixedPart(spec: unknown): unknown {
  const out = deepCopy(spec) as JsonObject;
  for (const list of ['containers', 'initContainers']) {
    for (const item of listAt(out, list)) if (isObject(item)) delete item.image;
  }
  delete out.activeDeadlineSeconds;
  delete out.tolerations;
  return out;
}

function updateErrors(pod: StoredObject, old: StoredObject): FieldError[] {
  const errors: FieldError[] = [...podSpecErrors(pod.spec as JsonObject, 'spec')];
  if (deepEqual(fixedPart(pod.spec), fixedPart(old.spec))) return errors;
  const [now, was] = [deepCopy(pod.spec) as JsonObject, deepCopy(old.spec) as JsonObject];
  // The scheduler sets nodeName in a binding.
  if (!was.nodeName && now.nodeName) {
    delete now.nodeName;
    if (deepEqual(fixedPart(now), fixedPart(was))) return errors;
  }
  errors.push(forbiddenField('spec', IMMUTABLE));
  return errors;
}

export const podRules: KindRules = {
  default(pod) {
    pod.spec ??= {};
    const spec = pod.spec as JsonObject;
    setDefault(spec, 'enableServiceLinks', true);
    defaultPodSpec(spec);
  },
  onCreate(pod, api) {
    admitPod(pod, api);
    pod.status = {phase: 'Pending', qosClass: qosClass(pod.spec)};
  },
  validate: pod => podSpecErrors(pod.spec as JsonObject, 'spec'),
  validateUpdate: updateErrors,
  warnings(pod) {
    return listAt(pod, 'spec', 'imagePullSecrets').flatMap((secret, i) =>
      stringAt(secret, 'name') === '' ? [`spec.imagePullSecrets[${i}].name: invalid empty name ""`] : [],
    );
  },
  grace(pod, requested) {
    // The Pod does not run, so there is nothing to wait for.
    if (
      !stringAt(pod, 'spec', 'nodeName') ||
      ['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase'))
    )
      return 0;
    const own = at(pod, 'spec', 'terminationGracePeriodSeconds');
    return Math.max(0, requested ?? (typeof own === 'number' ? own : 30));
  },
  returnsDeleted: true,
  metadataApart: true,
  fieldLabels: {
    'spec.nodeName': o => stringAt(o, 'spec', 'nodeName'),
    'spec.restartPolicy': o => stringAt(o, 'spec', 'restartPolicy'),
    'spec.schedulerName': o => stringAt(o, 'spec', 'schedulerName'),
    'spec.serviceAccountName': o => stringAt(o, 'spec', 'serviceAccountName'),
    'spec.hostNetwork': o => String(at(o, 'spec', 'hostNetwork') === true),
    'status.phase': o => stringAt(o, 'status', 'phase'),
    'status.podIP': o => stringAt(o, 'status', 'podIP'),
    'status.nominatedNodeName': o => stringAt(o, 'status', 'nominatedNodeName'),
  },
};

/** Validates the template of a workload: labels and spec. */
export function templateErrors(template: unknown, path: string): FieldError[] {
  const labels = at(template, 'metadata', 'labels');
  const errors = isObject(labels)
    ? labelErrors(labels as Record<string, string>, `${path}.metadata.labels`)
    : [];
  errors.push(...podSpecErrors((at(template, 'spec') ?? {}) as JsonObject, `${path}.spec`));
  return errors;
}

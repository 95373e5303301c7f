// Jobs and CronJobs: defaults, generated selectors and validation.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {at, isObject, type JsonObject, mapAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {goValue, invalidValue, notSupported, required} from '../wire/responses/invalid-errors.ts';
import type {FieldError, KindRules} from './kind-rules.ts';
import {labelSelectorErrors} from './label-selector.ts';
import {setDefault} from './pod-defaults.ts';
import {templateErrors} from './pod-rules.ts';
import {defaultTemplate, nonNegative, specOf} from './workload-rules.ts';

function defaultJobSpec(spec: JsonObject): void {
  if (spec.completions === undefined && spec.parallelism === undefined) {
    spec.completions = 1;
    spec.parallelism = 1;
  }
  setDefault(spec, 'parallelism', 1);
  setDefault(spec, 'backoffLimit', spec.backoffLimitPerIndex === undefined ? 6 : 2147483647);
  setDefault(spec, 'completionMode', 'NonIndexed');
  setDefault(spec, 'suspend', false);
  setDefault(
    spec,
    'podReplacementPolicy',
    isObject(spec.podFailurePolicy) ? 'Failed' : 'TerminatingOrFailed',
  );
  defaultTemplate(spec);
}

/** The API server ties the Pods of a Job to it by the Job's uid. */
function generateSelector(job: StoredObject): void {
  const spec = specOf(job);
  if (spec.manualSelector === true) return;
  const {uid = '', name} = job.metadata;
  const template = spec.template as JsonObject;
  const meta = (isObject(template.metadata) ? template.metadata : {}) as JsonObject;
  template.metadata = meta;
  // The labels of the template stay; the added ones appear on both.
  meta.labels = Object.assign(mapAt(meta, 'labels'), {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  });
  spec.selector = {
    ...(isObject(spec.selector) && spec.selector),
    matchLabels: {...mapAt(spec, 'selector', 'matchLabels'), 'batch.kubernetes.io/controller-uid': uid},
  };
}

function jobErrors(job: StoredObject): FieldError[] {
  const spec = specOf(job);
  return [...jobSpecErrors(spec, 'spec'), ...selectorErrors(job, spec)];
}

function selectorErrors(job: StoredObject, spec: JsonObject): FieldError[] {
  if (!isObject(spec.selector)) {
    const labels = mapAt(spec, 'template', 'metadata', 'labels');
    const why = '`selector` does not match template `labels`';
    return [
      required('spec.selector'),
      invalidValue('spec.template.metadata.labels', Object.keys(labels).length > 0 ? labels : null, why),
    ];
  }
  const errors = labelSelectorErrors(spec.selector, 'spec.selector');
  const own = mapAt(spec, 'selector', 'matchLabels');
  const generated =
    Object.keys(own).length === 1 && own['batch.kubernetes.io/controller-uid'] === job.metadata.uid;
  if (spec.manualSelector !== true && !generated)
    errors.push(invalidValue('spec.selector', spec.selector, '`selector` not auto-generated'));
  return errors;
}

function jobSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ]) {
    errors.push(...nonNegative(spec[field], `${path}.${field}`));
  }
  const mode = stringAt(spec, 'completionMode');
  if (mode !== 'NonIndexed' && mode !== 'Indexed')
    errors.push(notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']));
  if (mode === 'Indexed' && spec.completions === undefined) {
    errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  }
  const policy = stringAt(spec, 'podReplacementPolicy');
  if (policy !== '' && !['Failed', 'TerminatingOrFailed'].includes(policy)) {
    errors.push(notSupported(`${path}.podReplacementPolicy`, policy, ['Failed', 'TerminatingOrFailed']));
  }
  errors.push(...templateErrors(spec.template, `${path}.template`));
  const restart = stringAt(spec, 'template', 'spec', 'restartPolicy');
  if (restart === 'Always' || restart === '') {
    const field = `${path}.template.spec.restartPolicy`;
    errors.push({
      reason: 'FieldValueRequired',
      field,
      message: 'Required value: valid values: "OnFailure", "Never"',
    });
  }
  return errors;
}

function immutableErrors(job: StoredObject, old: StoredObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['completions', 'selector', 'template', 'completionMode']) {
    const [now, was] = [at(job, 'spec', field), at(old, 'spec', field)];
    if (!deepEqual(now, was))
      errors.push({
        reason: 'FieldValueInvalid',
        field: `spec.${field}`,
        message: `Invalid value: ${goValue(now)}: field is immutable`,
      });
  }
  return errors;
}

export const jobRules: KindRules = {
  default(job) {
    const spec = specOf(job);
    defaultJobSpec(spec);
    setDefault(spec, 'manualSelector', false);
    const labels = mapAt(spec, 'template', 'metadata', 'labels');
    if (Object.keys(job.metadata.labels ?? {}).length === 0 && Object.keys(labels).length > 0)
      job.metadata.labels = labels;
  },
  onCreate(job) {
    generateSelector(job);
    job.status = {};
  },
  validate: jobErrors,
  validateUpdate: (job, old) => [...jobErrors(job), ...immutableErrors(job, old)],
  fieldLabels: {'status.successful': o => String(at(o, 'status', 'succeeded') ?? 0)},
};

export const cronJobRules: KindRules = {
  default(object) {
    const spec = specOf(object);
    setDefault(spec, 'concurrencyPolicy', 'Allow');
    setDefault(spec, 'suspend', false);
    setDefault(spec, 'successfulJobsHistoryLimit', 3);
    setDefault(spec, 'failedJobsHistoryLimit', 1);
    const template = isObject(spec.jobTemplate) ? spec.jobTemplate : {};
    spec.jobTemplate = template;
    if (!isObject(template.spec)) template.spec = {};
    const inner = template.spec as JsonObject;
    // A Job fills in the rest when it is created.
    if (isObject(inner.template)) defaultTemplate(inner);
  },
  validate(object) {
    const spec = specOf(object);
    const errors: FieldError[] = [];
    if (stringAt(spec, 'schedule') === '') errors.push(required('spec.schedule'));
    const policy = stringAt(spec, 'concurrencyPolicy');
    if (!['Allow', 'Forbid', 'Replace'].includes(policy))
      errors.push(notSupported('spec.concurrencyPolicy', policy, ['Allow', 'Forbid', 'Replace']));
    const deadline = spec.startingDeadlineSeconds;
    if (typeof deadline === 'number' && deadline < 0)
      errors.push(
        invalidValue('spec.startingDeadlineSeconds', deadline, 'must be greater than or equal to 0'),
      );
    return errors;
  },
};

// Deployment, ReplicaSet, StatefulSet and DaemonSet: defaults, immutable selectors and validation.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {at, isObject, type JsonObject, mapAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {goValue, invalidValue, notSupported, required} from '../wire/responses/invalid-errors.ts';
import type {FieldError, KindRules} from './kind-rules.ts';
import {isEmptySelector, labelSelectorErrors, selectorMatches} from './label-selector.ts';
import {defaultPodSpec, setDefault} from './pod-defaults.ts';
import {templateErrors} from './pod-rules.ts';

export function specOf(object: StoredObject): JsonObject {
  if (!isObject(object.spec)) object.spec = {};
  return object.spec as JsonObject;
}

export function defaultTemplate(spec: JsonObject): void {
  const template = isObject(spec.template) ? spec.template : {};
  spec.template = template;
  if (!isObject(template.spec)) template.spec = {};
  setDefault(template, 'metadata', {});
  defaultPodSpec(template.spec as JsonObject);
}

export function nonNegative(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'number' || value >= 0) return [];
  return [invalidValue(field, value, 'must be greater than or equal to 0')];
}

/** Validates the template, its labels against the selector, and its restart policy. */
function selectorAndTemplateErrors(spec: JsonObject, path: string, emptyWhy: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!isObject(spec.selector)) errors.push(required(`${path}.selector`));
  else {
    const broken = labelSelectorErrors(spec.selector, `${path}.selector`);
    errors.push(...broken);
    if (broken.length > 0)
      errors.push(invalidValue(`${path}.selector`, goSelector(spec.selector), 'invalid label selector'));
    if (isEmptySelector(spec.selector))
      errors.push(invalidValue(`${path}.selector`, goSelector(spec.selector), emptyWhy));
  }
  return errors;
}

function goSelector(selector: JsonObject): JsonObject {
  return {
    ...(isObject(selector.matchLabels) && {matchLabels: selector.matchLabels}),
    ...(selector.matchExpressions !== undefined && {matchExpressions: selector.matchExpressions}),
  };
}

function templateAgainstSelector(spec: JsonObject, path: string): FieldError[] {
  // An invalid selector is reported elsewhere.
  if (labelSelectorErrors(spec.selector, '').length > 0) return [];
  const labels = mapAt(spec, 'template', 'metadata', 'labels');
  const errors: FieldError[] = [];
  if (isObject(spec.selector) && !isEmptySelector(spec.selector) && !selectorMatches(spec.selector, labels)) {
    errors.push(
      invalidValue(
        `${path}.template.metadata.labels`,
        Object.keys(labels).length === 0 ? null : labels,
        '`selector` does not match template `labels`',
      ),
    );
  }
  errors.push(...templateErrors(spec.template, `${path}.template`));
  const restart = stringAt(spec, 'template', 'spec', 'restartPolicy');
  if (restart !== 'Always')
    errors.push(notSupported(`${path}.template.spec.restartPolicy`, restart, ['Always']));
  if (at(spec, 'template', 'spec', 'activeDeadlineSeconds') !== undefined) {
    const why = 'activeDeadlineSeconds in ReplicaSet is not Supported';
    errors.push({
      reason: 'FieldValueForbidden',
      field: `${path}.template.spec.activeDeadlineSeconds`,
      message: `Forbidden: ${why}`,
    });
  }
  return errors;
}

function percentOrCount(value: unknown, field: string): FieldError[] {
  if (typeof value === 'number') return nonNegative(value, field);
  if (typeof value !== 'string') return [];
  if (/^[0-9]+%$/.test(value)) {
    const over = field.endsWith('maxUnavailable') && Number.parseInt(value, 10) > 100;
    return over ? [invalidValue(field, value, 'must not be greater than 100%')] : [];
  }
  const why =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  return [invalidValue(field, value, why)];
}

function strategyErrors(spec: JsonObject): FieldError[] {
  const type = stringAt(spec, 'strategy', 'type');
  const rolling = at(spec, 'strategy', 'rollingUpdate');
  if (type === 'Recreate') {
    if (!isObject(rolling)) return [];
    return [
      {
        reason: 'FieldValueForbidden',
        field: 'spec.strategy.rollingUpdate',
        message: "Forbidden: may not be specified when strategy `type` is 'Recreate'",
      },
    ];
  }
  if (type !== 'RollingUpdate')
    return [
      notSupported('spec.strategy', {Type: type, RollingUpdate: rolling ?? null}, [
        'Recreate',
        'RollingUpdate',
      ]),
    ];
  const errors = [
    ...percentOrCount(at(rolling, 'maxUnavailable'), 'spec.strategy.rollingUpdate.maxUnavailable'),
    ...percentOrCount(at(rolling, 'maxSurge'), 'spec.strategy.rollingUpdate.maxSurge'),
  ];
  const zero = (value: unknown) => value === 0 || value === '0%';
  if (zero(at(rolling, 'maxUnavailable')) && zero(at(rolling, 'maxSurge'))) {
    const why = 'may not be 0 when `maxSurge` is 0';
    errors.push(
      invalidValue('spec.strategy.rollingUpdate.maxUnavailable', at(rolling, 'maxUnavailable'), why),
    );
  }
  return errors;
}

function deploymentErrors(object: StoredObject): FieldError[] {
  const spec = specOf(object);
  const errors = [...nonNegative(spec.replicas, 'spec.replicas')];
  errors.push(...selectorAndTemplateErrors(spec, 'spec', 'empty selector is invalid for deployment'));
  if (isObject(spec.selector)) errors.push(...templateAgainstSelector(spec, 'spec'));
  else errors.push(...selectorlessTemplateErrors(spec));
  errors.push(
    ...strategyErrors(spec),
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  );
  const deadline = spec.progressDeadlineSeconds;
  errors.push(...nonNegative(deadline, 'spec.progressDeadlineSeconds'));
  const ready = typeof spec.minReadySeconds === 'number' ? spec.minReadySeconds : 0;
  if (typeof deadline === 'number' && deadline <= ready) {
    errors.push(
      invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'),
    );
  }
  return errors;
}

function selectorlessTemplateErrors(spec: JsonObject): FieldError[] {
  const labels = mapAt(spec, 'template', 'metadata', 'labels');
  const shown = Object.keys(labels).length === 0 ? null : labels;
  return [
    invalidValue('spec.template.metadata.labels', shown, '`selector` does not match template `labels`'),
    ...templateErrors(spec.template, 'spec.template'),
  ];
}

/** The selector is immutable. */
function immutableSelector(object: StoredObject, old: StoredObject): FieldError[] {
  const [now, was] = [at(object, 'spec', 'selector'), at(old, 'spec', 'selector')];
  if (deepEqual(now, was)) return [];
  return [
    {
      reason: 'FieldValueInvalid',
      field: 'spec.selector',
      message: `Invalid value: ${goValue(now)}: field is immutable`,
    },
  ];
}

/** Defaults to a rolling update with the numbers of the kind. */
function defaultStrategy(spec: JsonObject, field: string, numbers: JsonObject): void {
  const strategy = isObject(spec[field]) ? spec[field] : {};
  spec[field] = strategy;
  setDefault(strategy, 'type', 'RollingUpdate');
  if (strategy.type !== 'RollingUpdate') return;
  const rolling = isObject(strategy.rollingUpdate) ? strategy.rollingUpdate : {};
  strategy.rollingUpdate = rolling;
  for (const [name, value] of Object.entries(numbers)) setDefault(rolling, name, value);
}

export const deploymentRules: KindRules = {
  default(object) {
    const spec = specOf(object);
    setDefault(spec, 'replicas', 1);
    setDefault(spec, 'revisionHistoryLimit', 10);
    setDefault(spec, 'progressDeadlineSeconds', 600);
    defaultStrategy(spec, 'strategy', {maxUnavailable: '25%', maxSurge: '25%'});
    defaultTemplate(spec);
  },
  onCreate(object) {
    object.status = {};
  },
  validate: deploymentErrors,
  validateUpdate: (object, old) => [...deploymentErrors(object), ...immutableSelector(object, old)],
  validateStatus(object) {
    const status = (object.status ?? {}) as JsonObject;
    return [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
    ].flatMap(field => nonNegative(status[field], `status.${field}`));
  },
};

function replicaSetErrors(object: StoredObject): FieldError[] {
  const spec = specOf(object);
  return [
    ...nonNegative(spec.replicas, 'spec.replicas'),
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...selectorAndTemplateErrors(spec, 'spec', 'empty selector is invalid for deployment'),
    ...templateAgainstSelector(spec, 'spec'),
  ];
}

export const replicaSetRules: KindRules = {
  default(object) {
    const spec = specOf(object);
    setDefault(spec, 'replicas', 1);
    defaultTemplate(spec);
  },
  onCreate(object) {
    object.status = {replicas: 0};
  },
  validate: replicaSetErrors,
  validateUpdate: (object, old) => [...replicaSetErrors(object), ...immutableSelector(object, old)],
};

export const statefulSetRules: KindRules = {
  default(object) {
    const spec = specOf(object);
    setDefault(spec, 'replicas', 1);
    setDefault(spec, 'podManagementPolicy', 'OrderedReady');
    setDefault(spec, 'revisionHistoryLimit', 10);
    setDefault(spec, 'persistentVolumeClaimRetentionPolicy', {whenDeleted: 'Retain', whenScaled: 'Retain'});
    defaultStrategy(spec, 'updateStrategy', {partition: 0});
    defaultTemplate(spec);
  },
  onCreate(object) {
    object.status = {replicas: 0, availableReplicas: 0};
  },
  validate(object) {
    const spec = specOf(object);
    return [
      ...nonNegative(spec.replicas, 'spec.replicas'),
      ...selectorAndTemplateErrors(spec, 'spec', 'empty selector is invalid for statefulset'),
      ...templateAgainstSelector(spec, 'spec'),
    ];
  },
};

export const daemonSetRules: KindRules = {
  default(object) {
    const spec = specOf(object);
    setDefault(spec, 'revisionHistoryLimit', 10);
    defaultStrategy(spec, 'updateStrategy', {maxUnavailable: 1, maxSurge: 0});
    defaultTemplate(spec);
  },
  onCreate(object) {
    object.status = {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    };
    object.metadata.annotations = {
      ...object.metadata.annotations,
      'deprecated.daemonset.template.generation': '1',
    };
  },
  validate(object) {
    const spec = specOf(object);
    return [
      ...selectorAndTemplateErrors(spec, 'spec', 'empty selector is invalid for daemonset'),
      ...templateAgainstSelector(spec, 'spec'),
    ];
  },
};

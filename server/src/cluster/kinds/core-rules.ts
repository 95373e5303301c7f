// Rules of small kinds: ConfigMap, Secret, Namespace, Lease, Node and others.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {configKeyProblems, labelNameProblems, pathSegmentProblems} from '../object/name-rules.ts';
import {
  at,
  isObject,
  type JsonObject,
  listAt,
  mapAt,
  type StoredObject,
  stringAt,
} from '../object/stored-object.ts';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
} from '../wire/responses/invalid-errors.ts';
import type {FieldError, KindRules} from './kind-rules.ts';
import {setDefault} from './pod-defaults.ts';
import {specOf} from './workload-rules.ts';

const DATA_LIMIT = 1024 * 1024;

function keyErrors(map: Record<string, unknown>, field: string): FieldError[] {
  return Object.keys(map).flatMap(key =>
    configKeyProblems(key).map(text => invalidValue(`${field}[${key}]`, key, text)),
  );
}

function configMapErrors(object: StoredObject): FieldError[] {
  const data = mapAt(object, 'data');
  const binary = mapAt(object, 'binaryData');
  const errors = keyErrors(data, 'data');
  for (const key of Object.keys(data)) {
    if (Object.hasOwn(binary, key))
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  }
  errors.push(...keyErrors(binary, 'binaryData'));
  let size = 0;
  for (const value of Object.values(data)) size += Buffer.byteLength(String(value));
  for (const value of Object.values(binary)) size += Math.floor((String(value).length * 3) / 4);
  if (size > DATA_LIMIT) errors.push(tooLong('[]', DATA_LIMIT));
  return errors;
}

/** Immutable data may not change and may not become mutable again. */
function immutableData(object: StoredObject, old: StoredObject, fields: string[]): FieldError[] {
  if (old.immutable !== true) return [];
  const errors: FieldError[] = [];
  if (object.immutable !== true)
    errors.push(forbiddenField('immutable', 'field is immutable when `immutable` is set'));
  for (const field of fields) {
    if (!deepEqual(object[field], old[field]))
      errors.push(forbiddenField(field, 'field is immutable when `immutable` is set'));
  }
  return errors;
}

export const configMapRules: KindRules = {
  generation: false,
  validate: configMapErrors,
  validateUpdate: (object, old) => [
    ...immutableData(object, old, ['data', 'binaryData']),
    ...configMapErrors(object),
  ],
};

const NEEDED_KEYS: Record<string, string[]> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

function secretErrors(object: StoredObject): FieldError[] {
  const data = mapAt(object, 'data');
  const errors = keyErrors(data, 'data');
  const size = Object.values(data).reduce(
    (sum, value) => sum + Math.floor((String(value).length * 3) / 4),
    0,
  );
  if (size > DATA_LIMIT) errors.push(tooLong('data', DATA_LIMIT));
  const type = stringAt(object, 'type');
  for (const key of NEEDED_KEYS[type] ?? [])
    if (!Object.hasOwn(data, key)) errors.push(required(`data[${key}]`));
  if (
    type === 'kubernetes.io/basic-auth' &&
    !Object.hasOwn(data, 'username') &&
    !Object.hasOwn(data, 'password')
  ) {
    errors.push(required('data[username]'), required('data[password]'));
  }
  if (
    type === 'kubernetes.io/service-account-token' &&
    !object.metadata.annotations?.['kubernetes.io/service-account.name']
  ) {
    errors.push(required('metadata.annotations[kubernetes.io/service-account.name]'));
  }
  if (type === 'kubernetes.io/dockerconfigjson' && Object.hasOwn(data, '.dockerconfigjson')) {
    try {
      JSON.parse(Buffer.from(String(data['.dockerconfigjson']), 'base64').toString('utf8'));
    } catch {
      errors.push(
        invalidValue(
          'data[.dockerconfigjson]',
          '<secret contents redacted>',
          "invalid character 'x' looking for beginning of value",
        ),
      );
    }
  }
  return errors;
}

export const secretRules: KindRules = {
  generation: false,
  default(object) {
    if (isObject(object.stringData)) {
      const data: JsonObject = {...mapAt(object, 'data')};
      for (const [key, value] of Object.entries(object.stringData))
        data[key] = Buffer.from(String(value)).toString('base64');
      if (Object.keys(data).length > 0) object.data = data;
      delete object.stringData;
    }
    setDefault(object, 'type', 'Opaque');
  },
  validate: secretErrors,
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    if (object.type !== old.type) errors.push(invalidValue('type', object.type, 'field is immutable'));
    return [...errors, ...immutableData(object, old, ['data']), ...secretErrors(object)];
  },
  fieldLabels: {type: o => stringAt(o, 'type')},
};

export const namespaceRules: KindRules = {
  generation: false,
  nameProblems: labelNameProblems,
  default(object) {
    if (object.metadata.name) {
      object.metadata.labels = {
        ...object.metadata.labels,
        'kubernetes.io/metadata.name': object.metadata.name,
      };
    }
  },
  onCreate(object) {
    const spec = specOf(object);
    const finalizers = listAt(spec, 'finalizers') as string[];
    spec.finalizers = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
    object.metadata.labels = {...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name};
    object.status = {phase: 'Active'};
  },
  validate(object) {
    return (listAt(object, 'spec', 'finalizers') as string[])
      .filter(name => !name.includes('/') && name !== 'kubernetes')
      .map(name =>
        invalidValue(
          'spec.finalizers',
          name,
          'name is neither a standard finalizer name nor is it fully qualified',
        ),
      );
  },
  onUpdate(object, old) {
    object.spec = old.spec;
  },
  holdsDeletion: object => listAt(object, 'spec', 'finalizers').length > 0,
  onDelete(object) {
    object.status = {...(object.status as JsonObject), phase: 'Terminating'};
  },
  refusesDelete: object =>
    ['default', 'kube-system', 'kube-public'].includes(object.metadata.name)
      ? 'this namespace may not be deleted'
      : '',
  returnsDeleted: true,
  fieldLabels: {
    'status.phase': o => stringAt(o, 'status', 'phase'),
    name: o => o.metadata.name,
  },
};

function leaseErrors(object: StoredObject): FieldError[] {
  const spec = (object.spec ?? {}) as JsonObject;
  const errors: FieldError[] = [];
  const seconds = spec.leaseDurationSeconds;
  if (typeof seconds === 'number' && seconds <= 0)
    errors.push(invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
  const transitions = spec.leaseTransitions;
  if (typeof transitions === 'number' && transitions < 0)
    errors.push(invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  return errors;
}

// Coordinated leader election is off, so its fields are dropped, as on a server without the feature.
function dropElection(object: StoredObject): void {
  if (isObject(object.spec)) for (const field of ['strategy', 'preferredHolder']) delete object.spec[field];
}

export const leaseRules: KindRules = {
  generation: false,
  createOnUpdate: true,
  onCreate: dropElection,
  onUpdate: dropElection,
  validate: leaseErrors,
};

export const nodeRules: KindRules = {
  generation: false,
  onCreate(object) {
    if (!isObject(object.status))
      object.status = {daemonEndpoints: {kubeletEndpoint: {Port: 0}}, nodeInfo: {}};
  },
  keepsStatusOnCreate: true,
  fieldLabels: {
    'spec.unschedulable': o => String(at(o, 'spec', 'unschedulable') === true),
  },
};

export const eventRules: KindRules = {
  generation: false,
  createOnUpdate: true,
  fieldLabels: Object.fromEntries([
    ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(field => [
      `involvedObject.${field}`,
      (o: StoredObject) => stringAt(o, 'involvedObject', field),
    ]),
    ['reason', (o: StoredObject) => stringAt(o, 'reason')],
    ['type', (o: StoredObject) => stringAt(o, 'type')],
    ['source', (o: StoredObject) => stringAt(o, 'source', 'component')],
    ['reportingComponent', (o: StoredObject) => stringAt(o, 'reportingComponent')],
  ]),
};

export const rbacRules: KindRules = {generation: false, nameProblems: pathSegmentProblems};

export const roleBindingRules: KindRules = {
  generation: false,
  nameProblems: pathSegmentProblems,
  default(object) {
    const role = isObject(object.roleRef) ? object.roleRef : undefined;
    if (role) setDefault(role, 'apiGroup', 'rbac.authorization.k8s.io');
    for (const subject of listAt(object, 'subjects')) {
      if (isObject(subject) && (subject.kind === 'User' || subject.kind === 'Group'))
        setDefault(subject, 'apiGroup', 'rbac.authorization.k8s.io');
    }
  },
  validateUpdate(object, old) {
    return deepEqual(object.roleRef, old.roleRef)
      ? []
      : [invalidValue('roleRef', object.roleRef, 'cannot change roleRef')];
  },
};

export const endpointSliceRules: KindRules = {
  default(object) {
    for (const port of listAt(object, 'ports')) {
      if (!isObject(port)) continue;
      setDefault(port, 'name', '');
      setDefault(port, 'protocol', 'TCP');
    }
  },
  validate(object) {
    const errors: FieldError[] = [];
    if (!stringAt(object, 'addressType')) errors.push(required('addressType'));
    const names = new Set<string>();
    listAt(object, 'ports').forEach((port, i) => {
      const name = stringAt(port, 'name');
      if (names.has(name)) errors.push(duplicate(`ports[${i}].name`, name));
      names.add(name);
    });
    return errors;
  },
};

export const networkPolicyRules: KindRules = {
  default(object) {
    const spec = specOf(object);
    setDefault(
      spec,
      'policyTypes',
      Array.isArray(spec.egress) && spec.egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'],
    );
    for (const direction of ['ingress', 'egress']) {
      for (const rule of listAt(spec, direction)) {
        for (const port of listAt(rule, 'ports')) if (isObject(port)) setDefault(port, 'protocol', 'TCP');
      }
    }
  },
};

export const plainRules: KindRules = {generation: false};

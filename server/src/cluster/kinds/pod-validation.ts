// Validates a Pod spec, with the errors in the real server's order and words.
import {
  configKeyProblems,
  labelNameProblems,
  portNameProblems,
  subdomainProblems,
} from '../object/name-rules.ts';
import {at, isObject, type JsonObject, listAt, mapAt, stringAt} from '../object/stored-object.ts';
import {compareQuantities, parseQuantity} from '../schema/quantity.ts';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
} from '../wire/responses/invalid-errors.ts';
import type {FieldError} from './kind-rules.ts';
import {placementErrors} from './pod-placement.ts';

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function podSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = volumeErrors(spec, path, errors);
  errors.push(...containersErrors(spec, path, volumes));
  errors.push(...policyErrors(spec, path));
  errors.push(...placementErrors(spec, path));
  if (typeof spec.serviceAccountName === 'string') {
    for (const text of subdomainProblems(spec.serviceAccountName))
      errors.push(invalidValue(`${path}.serviceAccountName`, spec.serviceAccountName, text));
  }
  if (typeof spec.nodeName === 'string' && spec.nodeName !== '') {
    for (const text of subdomainProblems(spec.nodeName))
      errors.push(invalidValue(`${path}.nodeName`, spec.nodeName, text));
  }
  const seconds = spec.activeDeadlineSeconds;
  if (typeof seconds === 'number' && seconds < 1) {
    errors.push(
      invalidValue(`${path}.activeDeadlineSeconds`, seconds, 'must be between 1 and 2147483647, inclusive'),
    );
  }
  if (typeof spec.hostname === 'string' && spec.hostname !== '') {
    for (const text of labelNameProblems(spec.hostname))
      errors.push(invalidValue(`${path}.hostname`, spec.hostname, text));
  }
  return errors;
}

function policyErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const restart = stringAt(spec, 'restartPolicy');
  if (restart === '') errors.push(required(`${path}.restartPolicy`));
  else if (!['Always', 'OnFailure', 'Never'].includes(restart))
    errors.push(notSupported(`${path}.restartPolicy`, restart, ['Always', 'OnFailure', 'Never']));
  const dns = stringAt(spec, 'dnsPolicy');
  const policies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
  if (dns === '') errors.push(required(`${path}.dnsPolicy`));
  else if (!policies.includes(dns)) errors.push(notSupported(`${path}.dnsPolicy`, dns, policies));
  const grace = spec.terminationGracePeriodSeconds;
  if (typeof grace === 'number' && grace < 0)
    errors.push(
      invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than or equal to 0'),
    );
  return errors;
}

/** Validates a name and checks that no earlier item has it. */
function nameErrors(item: unknown, field: string, names: Set<string>): FieldError[] {
  const name = stringAt(item, 'name');
  const taken = names.has(name);
  names.add(name);
  if (name === '') return [required(`${field}.name`)];
  return [
    ...labelNameProblems(name).map(text => invalidValue(`${field}.name`, name, text)),
    ...(taken ? [duplicate(`${field}.name`, name)] : []),
  ];
}

function volumeErrors(spec: JsonObject, path: string, errors: FieldError[]): Set<string> {
  const names = new Set<string>();
  listAt(spec, 'volumes').forEach((item, i) => {
    const field = `${path}.volumes[${i}]`;
    errors.push(...nameErrors(item, field, names));
    const sources = isObject(item) ? Object.keys(item).filter(key => key !== 'name') : [];
    for (const extra of sources.slice(1))
      errors.push(forbiddenField(`${field}.${extra}`, 'may not specify more than 1 volume type'));
    errors.push(...sourceErrors(item, field));
  });
  return names;
}

function sourceErrors(item: unknown, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (isObject(at(item, 'configMap')) && stringAt(item, 'configMap', 'name') === '')
    errors.push(required(`${field}.configMap.name`));
  if (isObject(at(item, 'secret')) && stringAt(item, 'secret', 'secretName') === '')
    errors.push(required(`${field}.secret.secretName`));
  if (
    isObject(at(item, 'persistentVolumeClaim')) &&
    stringAt(item, 'persistentVolumeClaim', 'claimName') === ''
  ) {
    errors.push(required(`${field}.persistentVolumeClaim.claimName`));
  }
  if (isObject(at(item, 'hostPath')) && stringAt(item, 'hostPath', 'path') === '')
    errors.push(required(`${field}.hostPath.path`));
  return errors;
}

function containersErrors(spec: JsonObject, path: string, volumes: Set<string>): FieldError[] {
  const errors: FieldError[] = [];
  const containers = listAt(spec, 'containers');
  if (containers.length === 0) errors.push(required(`${path}.containers`));
  const names = new Set<string>();
  containers.forEach((item, i) => {
    const field = `${path}.containers[${i}]`;
    errors.push(...containerErrors(item, field, names, volumes));
  });
  listAt(spec, 'initContainers').forEach((item, i) => {
    const field = `${path}.initContainers[${i}]`;
    errors.push(...containerErrors(item, field, names, volumes));
  });
  return errors;
}

function containerErrors(
  item: unknown,
  field: string,
  names: Set<string>,
  volumes: Set<string>,
): FieldError[] {
  const errors = nameErrors(item, field, names);
  const image = stringAt(item, 'image');
  if (image.trim() !== image)
    errors.push(invalidValue(`${field}.image`, image, 'must not have leading or trailing whitespace'));
  else if (image === '') errors.push(required(`${field}.image`));
  const pull = stringAt(item, 'imagePullPolicy');
  if (pull !== '' && !PULL_POLICIES.includes(pull))
    errors.push(notSupported(`${field}.imagePullPolicy`, pull, PULL_POLICIES));
  errors.push(...portErrors(item, field), ...envErrors(item, field), ...mountErrors(item, field, volumes));
  errors.push(...probesErrors(item, field), ...resourceErrors(item, field));
  return errors;
}

function portErrors(item: unknown, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  listAt(item, 'ports').forEach((port, i) => {
    const here = `${field}.ports[${i}]`;
    const name = stringAt(port, 'name');
    if (name !== '') {
      for (const text of portNameProblems(name)) errors.push(invalidValue(`${here}.name`, name, text));
      if (names.has(name)) errors.push(duplicate(`${here}.name`, name));
      names.add(name);
    }
    const number = at(port, 'containerPort');
    if (number === undefined || number === 0) errors.push(required(`${here}.containerPort`));
    else if (typeof number === 'number' && (number < 1 || number > 65535)) {
      errors.push(invalidValue(`${here}.containerPort`, number, 'must be between 1 and 65535, inclusive'));
    }
    const host = at(port, 'hostPort');
    if (typeof host === 'number' && host !== 0 && (host < 1 || host > 65535)) {
      errors.push(invalidValue(`${here}.hostPort`, host, 'must be between 1 and 65535, inclusive'));
    }
    const protocol = stringAt(port, 'protocol');
    if (protocol === '') errors.push(required(`${here}.protocol`));
    else if (!PROTOCOLS.includes(protocol))
      errors.push(notSupported(`${here}.protocol`, protocol, PROTOCOLS));
  });
  return errors;
}

function envErrors(item: unknown, field: string): FieldError[] {
  const errors: FieldError[] = [];
  listAt(item, 'env').forEach((env, i) => {
    const here = `${field}.env[${i}]`;
    const name = stringAt(env, 'name');
    if (name === '') errors.push(required(`${here}.name`));
    else if (!/^[ -<>-~]+$/.test(name)) {
      const why =
        "a valid environment variable name must consist only of printable ASCII characters other than '='";
      errors.push(invalidValue(`${here}.name`, name, `${why}`));
    }
    const from = at(env, 'valueFrom');
    if (!isObject(from)) return;
    const kinds = Object.keys(from);
    if (kinds.length === 0)
      errors.push(
        invalidValue(
          `${here}.valueFrom`,
          '',
          'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
        ),
      );
    else if (stringAt(env, 'value') !== '')
      errors.push(invalidValue(`${here}.valueFrom`, '', 'may not be specified when `value` is not empty'));
    else if (kinds.length > 1)
      errors.push(
        invalidValue(`${here}.valueFrom`, '', 'may not have more than one field specified at a time'),
      );
    for (const kind of ['configMapKeyRef', 'secretKeyRef']) {
      if (!isObject(from[kind])) continue;
      for (const text of subdomainProblems(stringAt(from, kind, 'name')))
        errors.push(invalidValue(`${here}.valueFrom.${kind}.name`, stringAt(from, kind, 'name'), text));
      const key = stringAt(from, kind, 'key');
      if (key === '') errors.push(required(`${here}.valueFrom.${kind}.key`));
      else
        for (const text of configKeyProblems(key))
          errors.push(invalidValue(`${here}.valueFrom.${kind}.key`, key, text));
    }
  });
  return errors;
}

function mountErrors(item: unknown, field: string, volumes: Set<string>): FieldError[] {
  const errors: FieldError[] = [];
  const paths = new Set<string>();
  listAt(item, 'volumeMounts').forEach((mount, i) => {
    const here = `${field}.volumeMounts[${i}]`;
    const name = stringAt(mount, 'name');
    const path = stringAt(mount, 'mountPath');
    if (name === '') errors.push(required(`${here}.name`));
    if (!volumes.has(name)) errors.push(notFoundValue(`${here}.name`, name));
    if (path === '') errors.push(required(`${here}.mountPath`));
    if (paths.has(path)) errors.push(invalidValue(`${here}.mountPath`, path, 'must be unique'));
    paths.add(path);
  });
  return errors;
}

function probesErrors(item: unknown, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const kind of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = at(item, kind);
    if (!isObject(probe)) continue;
    const here = `${field}.${kind}`;
    const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'].filter(h => isObject(probe[h]));
    if (handlers.length === 0) errors.push(required(here, 'must specify a handler type'));
    for (const extra of handlers.slice(1))
      errors.push(forbiddenField(`${here}.${extra}`, 'may not specify more than 1 handler type'));
    errors.push(...handlerErrors(probe, here));
    for (const number of [
      'initialDelaySeconds',
      'timeoutSeconds',
      'periodSeconds',
      'successThreshold',
      'failureThreshold',
    ]) {
      const value = probe[number];
      if (typeof value === 'number' && value < 0)
        errors.push(invalidValue(`${here}.${number}`, value, 'must be greater than or equal to 0'));
    }
    if (
      kind !== 'readinessProbe' &&
      typeof probe.successThreshold === 'number' &&
      probe.successThreshold !== 1
    ) {
      errors.push(invalidValue(`${here}.successThreshold`, probe.successThreshold, 'must be 1'));
    }
  }
  return errors;
}

function handlerErrors(probe: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const kind of ['httpGet', 'tcpSocket']) {
    if (!isObject(probe[kind])) continue;
    const port = at(probe, kind, 'port');
    const field = `${path}.${kind}.port`;
    if (typeof port === 'string')
      for (const text of portNameProblems(port)) errors.push(invalidValue(field, port, text));
    else if (typeof port !== 'number' || port < 1 || port > 65535) {
      errors.push(invalidValue(field, port ?? 0, 'must be between 1 and 65535, inclusive'));
    }
  }
  if (isObject(probe.exec) && listAt(probe, 'exec', 'command').length === 0)
    errors.push(required(`${path}.exec.command`));
  return errors;
}

const STANDARD_RESOURCES = /^(cpu|memory|ephemeral-storage|hugepages-.+)$/;

function resourceErrors(item: unknown, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const limits = mapAt(item, 'resources', 'limits');
  const requests = mapAt(item, 'resources', 'requests');
  for (const [kind, list] of [
    ['limits', limits],
    ['requests', requests],
  ] as const) {
    for (const [name, value] of Object.entries(list)) {
      if (!name.includes('/') && !STANDARD_RESOURCES.test(name)) {
        const here = `${field}.resources.${kind}[${name}]`;
        errors.push(invalidValue(here, name, 'must be a standard resource type or fully qualified'));
        errors.push(invalidValue(here, name, 'must be a standard resource for containers'));
      }
      if ((parseQuantity(String(value))?.nano ?? 0n) < 0n) {
        errors.push(
          invalidValue(`${field}.resources.${kind}[${name}]`, value, 'must be greater than or equal to 0'),
        );
      }
    }
  }
  for (const [name, value] of Object.entries(requests)) {
    const limit = limits[name];
    if (limit !== undefined && compareQuantities(String(value), String(limit)) > 0) {
      errors.push(
        invalidValue(
          `${field}.resources.requests`,
          value,
          `must be less than or equal to ${name} limit of ${limit}`,
        ),
      );
    }
  }
  return errors;
}

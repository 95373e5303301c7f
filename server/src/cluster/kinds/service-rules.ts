// Services: cluster IPs, defaults and validation.
import {isIPv4, isIPv6} from 'node:net';
import type {Api} from '../api.ts';
import {labelErrors} from '../object/metadata-rules.ts';
import {labelNameProblems, portNameProblems} from '../object/name-rules.ts';
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
  notSupported,
  required,
} from '../wire/responses/invalid-errors.ts';
import type {FieldError, KindRules} from './kind-rules.ts';
import {setDefault} from './pod-defaults.ts';
import {specOf} from './workload-rules.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const NO_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

function setServiceDefaults(service: StoredObject): void {
  const spec = specOf(service);
  setDefault(spec, 'sessionAffinity', 'None');
  setDefault(spec, 'type', 'ClusterIP');
  if (spec.sessionAffinity === 'ClientIP' && !isObject(spec.sessionAffinityConfig)) {
    spec.sessionAffinityConfig = {clientIP: {timeoutSeconds: 10800}};
  }
  for (const port of listAt(spec, 'ports')) {
    if (!isObject(port)) continue;
    setDefault(port, 'protocol', 'TCP');
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '')
      port.targetPort = port.port ?? 0;
  }
  if (spec.type !== 'ExternalName') setDefault(spec, 'internalTrafficPolicy', 'Cluster');
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer')
    setDefault(spec, 'externalTrafficPolicy', 'Cluster');
  if (spec.type === 'LoadBalancer') setDefault(spec, 'allocateLoadBalancerNodePorts', true);
}

function allocatedValues(api: Api, read: (service: StoredObject) => unknown[]): Set<unknown> {
  const services = api.resourceStore(api.resources.must('', 'v1', 'services')).objects;
  return new Set([...services.values()].flatMap(read));
}

function allocate(service: StoredObject, api: Api): void {
  const spec = specOf(service);
  if (spec.type === 'ExternalName') return;
  if (spec.clusterIP === undefined || spec.clusterIP === '') {
    const taken = allocatedValues(api, s => [stringAt(s, 'spec', 'clusterIP')]);
    do spec.clusterIP = `10.96.${api.random.below(256)}.${1 + api.random.below(254)}`;
    while (taken.has(spec.clusterIP) || spec.clusterIP === '10.96.0.1');
  }
  setDefault(spec, 'clusterIPs', [spec.clusterIP]);
  // Without a selector, the family of the endpoints is unknown.
  const either = spec.clusterIP === 'None' && !isObject(spec.selector);
  setDefault(spec, 'ipFamilyPolicy', either ? 'RequireDualStack' : 'SingleStack');
  setDefault(spec, 'ipFamilies', spec.ipFamilyPolicy === 'SingleStack' ? ['IPv4'] : ['IPv4', 'IPv6']);
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') allocateNodePorts(spec, api);
}

function allocateNodePorts(spec: JsonObject, api: Api): void {
  if (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts === false) return;
  const taken = allocatedValues(api, s => listAt(s, 'spec', 'ports').map(p => at(p, 'nodePort')));
  for (const port of listAt(spec, 'ports')) {
    if (!isObject(port) || port.nodePort) continue;
    do port.nodePort = 30000 + api.random.below(2768);
    while (taken.has(port.nodePort));
    taken.add(port.nodePort);
  }
}

function serviceErrors(service: StoredObject): FieldError[] {
  const spec = specOf(service);
  const errors: FieldError[] = [];
  const ports = listAt(spec, 'ports');
  const headless = spec.clusterIP === 'None';
  if (ports.length === 0 && !headless && spec.type !== 'ExternalName') errors.push(required('spec.ports'));
  errors.push(...typeErrors(spec), ...portsErrors(ports));
  if (isObject(spec.selector)) errors.push(...labelErrors(mapAt(spec, 'selector'), 'spec.selector'));
  const affinity = stringAt(spec, 'sessionAffinity');
  if (affinity === '') errors.push(required('spec.sessionAffinity'));
  else if (!['ClientIP', 'None'].includes(affinity))
    errors.push(notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None']));
  errors.push(...addressErrors(spec));
  if (!TYPES.includes(stringAt(spec, 'type'))) errors.push(notSupported('spec.type', spec.type, TYPES));
  errors.push(...nodePortErrors(spec, ports), ...trafficErrors(spec));
  return errors;
}

function typeErrors(spec: JsonObject): FieldError[] {
  if (spec.type === 'LoadBalancer' && spec.clusterIP === 'None') {
    return [invalidValue('spec.clusterIPs[0]', 'None', "may not be set to 'None' for LoadBalancer services")];
  }
  if (spec.type === 'NodePort' && spec.clusterIP === 'None') {
    return [invalidValue('spec.clusterIPs[0]', 'None', "may not be set to 'None' for NodePort services")];
  }
  if (spec.type !== 'ExternalName') return [];
  const errors: FieldError[] = [];
  if (stringAt(spec, 'clusterIP') !== '')
    errors.push(forbiddenField('spec.clusterIPs[0]', 'may not be set for ExternalName services'));
  const name = stringAt(spec, 'externalName').replace(/\.$/, '');
  if (name === '') errors.push(required('spec.externalName'));
  else
    errors.push(...subdomain(name).map(text => invalidValue('spec.externalName', spec.externalName, text)));
  return errors;
}

function subdomain(name: string): string[] {
  if (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name)) return [];
  return [
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ];
}

function portsErrors(ports: unknown[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  ports.forEach((port, i) => {
    const field = `spec.ports[${i}]`;
    const name = stringAt(port, 'name');
    if (ports.length > 1 && name === '') errors.push(required(`${field}.name`));
    else if (name !== '') {
      for (const text of labelNameProblems(name)) errors.push(invalidValue(`${field}.name`, name, text));
      if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
    const number = at(port, 'port');
    if (typeof number !== 'number' || number < 1 || number > 65535) {
      errors.push(invalidValue(`${field}.port`, number ?? 0, 'must be between 1 and 65535, inclusive'));
    }
    const protocol = stringAt(port, 'protocol');
    if (protocol === '') errors.push(required(`${field}.protocol`));
    else if (!PROTOCOLS.includes(protocol))
      errors.push(notSupported(`${field}.protocol`, protocol, PROTOCOLS));
    const target = at(port, 'targetPort');
    if (typeof target === 'number' && (target < 1 || target > 65535)) {
      errors.push(invalidValue(`${field}.targetPort`, target, 'must be between 1 and 65535, inclusive'));
    }
    if (typeof target === 'string')
      for (const text of portNameProblems(target))
        errors.push(invalidValue(`${field}.targetPort`, target, text));
  });
  return errors;
}

function addressErrors(spec: JsonObject): FieldError[] {
  const address = stringAt(spec, 'clusterIP');
  if (address !== '' && address !== 'None' && isIPv4(address) && !address.startsWith('10.96.')) {
    const why = `failed to allocate IP ${address}: the provided IP (${address}) is not in the valid range. The range of valid IPs is 10.96.0.0/16`;
    return [invalidValue('spec.clusterIPs', [address], why)];
  }
  if (address === '' || address === 'None' || isIPv4(address) || isIPv6(address)) return [];
  return [invalidValue('spec.clusterIPs[0]', address, NO_ADDRESS)];
}

function trafficErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  (listAt(spec, 'externalIPs') as string[]).forEach((ip, i) => {
    if (!isIPv4(ip) && !isIPv6(ip)) errors.push(invalidValue(`spec.externalIPs[${i}]`, ip, NO_ADDRESS));
  });
  const external =
    spec.type === 'NodePort' || spec.type === 'LoadBalancer' || listAt(spec, 'externalIPs').length > 0;
  const policy = stringAt(spec, 'externalTrafficPolicy');
  if (policy !== '' && !external) {
    errors.push(
      invalidValue(
        'spec.externalTrafficPolicy',
        policy,
        'may only be set for externally-accessible services',
      ),
    );
  } else if (policy !== '' && !['Cluster', 'Local'].includes(policy)) {
    errors.push(notSupported('spec.externalTrafficPolicy', policy, ['Cluster', 'Local']));
  }
  const inside = stringAt(spec, 'internalTrafficPolicy');
  if (inside !== '' && !['Cluster', 'Local'].includes(inside))
    errors.push(notSupported('spec.internalTrafficPolicy', inside, ['Cluster', 'Local']));
  (listAt(spec, 'ipFamilies') as string[]).forEach((family, i) => {
    if (family !== 'IPv4' && family !== 'IPv6')
      errors.push(notSupported(`spec.ipFamilies[${i}]`, family, ['IPv4', 'IPv6']));
  });
  const seconds = at(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  if (typeof seconds === 'number' && (seconds <= 0 || seconds > 86400)) {
    errors.push(
      invalidValue(
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds',
        seconds,
        'must be greater than 0 and less than 86400',
      ),
    );
  }
  return errors;
}

function nodePortErrors(spec: JsonObject, ports: unknown[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Map<string, number>();
  ports.forEach((port, i) => {
    const node = at(port, 'nodePort');
    if (spec.type === 'ClusterIP' && typeof node === 'number' && node !== 0) {
      errors.push(forbiddenField(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
    }
    const id = `${stringAt(port, 'protocol')}/${String(at(port, 'port'))}`;
    if (seen.has(id)) {
      const own = port as JsonObject;
      const shown = {
        Name: '',
        Protocol: own.protocol,
        AppProtocol: null,
        Port: own.port,
        TargetPort: 0,
        NodePort: 0,
      };
      errors.push(duplicate(`spec.ports[${i}]`, shown));
    }
    seen.set(id, i);
  });
  return errors;
}

export const serviceRules: KindRules = {
  default: setServiceDefaults,
  onCreate(service, api) {
    service.status = {loadBalancer: {}};
    // An invalid Service gets no address.
    if (serviceErrors(service).length === 0) allocate(service, api);
  },
  onUpdate(service, old, api) {
    const spec = specOf(service);
    if (spec.type === 'ExternalName') {
      for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) delete spec[field];
      return;
    }
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      const was = at(old, 'spec', field);
      if (spec[field] === undefined && was !== undefined) spec[field] = was;
    }
    if (serviceErrors(service).length === 0) allocate(service, api);
  },
  validate: serviceErrors,
  validateUpdate(service, old) {
    const errors: FieldError[] = [];
    const [now, was] = [stringAt(service, 'spec', 'clusterIP'), stringAt(old, 'spec', 'clusterIP')];
    if (was !== '' && now !== was && stringAt(service, 'spec', 'type') !== 'ExternalName') {
      const value = at(service, 'spec', 'clusterIPs');
      errors.push(
        invalidValue('spec.clusterIPs[0]', Array.isArray(value) ? value : [now], 'may not change once set'),
      );
    }
    return [...errors, ...serviceErrors(service)];
  },
  nameProblems: labelNameProblems,
  generation: false,
  returnsDeleted: true,
  fieldLabels: {
    'spec.clusterIP': o => stringAt(o, 'spec', 'clusterIP'),
    'spec.type': o => stringAt(o, 'spec', 'type'),
  },
};

// Defaults of a Pod spec, in a Pod or in a template.
import {isObject, type JsonObject, listAt} from '../object/stored-object.ts';

export function setDefault(object: JsonObject, field: string, value: unknown): void {
  if (object[field] === undefined) object[field] = value;
}

function changeEach(value: unknown, change: (item: JsonObject) => void): void {
  if (Array.isArray(value)) for (const item of value) if (isObject(item)) change(item);
}

function setProbeDefaults(value: unknown): void {
  if (!isObject(value)) return;
  if (!value.timeoutSeconds) value.timeoutSeconds = 1;
  if (!value.periodSeconds) value.periodSeconds = 10;
  if (!value.successThreshold) value.successThreshold = 1;
  if (!value.failureThreshold) value.failureThreshold = 3;
  setHttpGetDefaults(value);
  if (isObject(value.grpc)) setDefault(value.grpc, 'service', '');
}

function setHttpGetDefaults(handler: JsonObject): void {
  if (!isObject(handler.httpGet)) return;
  setDefault(handler.httpGet, 'path', '/');
  setDefault(handler.httpGet, 'scheme', 'HTTP');
}

function pullPolicyOf(image: unknown): string {
  const name = typeof image === 'string' ? image.split('@')[0]!.split('/').at(-1)! : '';
  const tag = name.includes(':') ? name.split(':')[1] : '';
  return (tag === '' || tag === 'latest') && !String(image ?? '').includes('@') ? 'Always' : 'IfNotPresent';
}

function setContainerDefaults(item: JsonObject): void {
  setDefault(item, 'terminationMessagePath', '/dev/termination-log');
  setDefault(item, 'terminationMessagePolicy', 'File');
  setDefault(item, 'imagePullPolicy', pullPolicyOf(item.image));
  setDefault(item, 'resources', {});
  changeEach(item.ports, port => setDefault(port, 'protocol', 'TCP'));
  changeEach(item.env, env => {
    const from = isObject(env.valueFrom) ? env.valueFrom : {};
    if (isObject(from.fieldRef)) setDefault(from.fieldRef, 'apiVersion', 'v1');
  });
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) setProbeDefaults(item[name]);
  for (const hook of ['postStart', 'preStop']) {
    const lifecycle = isObject(item.lifecycle) ? item.lifecycle : {};
    if (isObject(lifecycle[hook])) setHttpGetDefaults(lifecycle[hook]);
  }
  const {limits, requests} = (isObject(item.resources) ? item.resources : {}) as {
    limits?: JsonObject;
    requests?: JsonObject;
  };
  if (isObject(limits)) {
    (item.resources as JsonObject).requests = {...limits, ...requests};
  }
}

function setVolumeDefaults(item: JsonObject): void {
  for (const name of ['configMap', 'secret', 'projected', 'downwardAPI']) {
    const source = item[name];
    if (!isObject(source)) continue;
    setDefault(source, 'defaultMode', 420);
    changeEach(source.items, entry => {
      if (isObject(entry.fieldRef)) setDefault(entry.fieldRef, 'apiVersion', 'v1');
    });
    changeEach(source.sources, projected => {
      if (isObject(projected.serviceAccountToken))
        setDefault(projected.serviceAccountToken, 'expirationSeconds', 3600);
    });
  }
  if (isObject(item.hostPath)) setDefault(item.hostPath, 'type', '');
  const kinds = Object.keys(item).filter(field => field !== 'name');
  if (kinds.length === 0) item.emptyDir = {};
}

export function defaultPodSpec(spec: JsonObject): void {
  // A negative grace period means the shortest one.
  if (typeof spec.terminationGracePeriodSeconds === 'number' && spec.terminationGracePeriodSeconds < 0)
    spec.terminationGracePeriodSeconds = 1;
  setDefault(spec, 'restartPolicy', 'Always');
  setDefault(spec, 'terminationGracePeriodSeconds', 30);
  setDefault(spec, 'dnsPolicy', 'ClusterFirst');
  setDefault(spec, 'securityContext', {});
  setDefault(spec, 'schedulerName', 'default-scheduler');
  if (spec.serviceAccountName !== undefined && spec.serviceAccountName !== '')
    spec.serviceAccount = spec.serviceAccountName;
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'])
    changeEach(spec[list], setContainerDefaults);
  changeEach(spec.volumes, setVolumeDefaults);
  changeEach(spec.topologySpreadConstraints, constraint => {
    setDefault(constraint, 'nodeAffinityPolicy', 'Honor');
    setDefault(constraint, 'nodeTaintsPolicy', 'Ignore');
  });
  if (spec.hostNetwork === true) {
    for (const list of ['containers', 'initContainers']) {
      changeEach(spec[list], item =>
        changeEach(item.ports, port => setDefault(port, 'hostPort', port.containerPort)),
      );
    }
  }
}

/** Guaranteed, Burstable or BestEffort, from requests and limits. */
export function qosClass(spec: unknown): string {
  let some = false;
  let all = true;
  for (const item of [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')]) {
    const resources = isObject(item) && isObject(item.resources) ? item.resources : {};
    const limits = (isObject(resources.limits) ? resources.limits : {}) as Record<string, unknown>;
    const requests = (isObject(resources.requests) ? resources.requests : {}) as Record<string, unknown>;
    for (const name of ['cpu', 'memory']) {
      if (limits[name] !== undefined || requests[name] !== undefined) some = true;
      if (limits[name] === undefined || requests[name] !== limits[name]) all = false;
    }
  }
  if (!some) return 'BestEffort';
  return all ? 'Guaranteed' : 'Burstable';
}

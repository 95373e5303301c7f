// The default admission plugins for a new Pod: service account, priority, tolerations.
import type {Api} from '../api.ts';
import {isObject, type JsonObject, listAt, type StoredObject} from '../object/stored-object.ts';
import {forbidden} from '../wire/responses/status-error.ts';
import {setDefault} from './pod-defaults.ts';

const UNREACHABLE = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

export function admitPod(pod: StoredObject, api: Api): void {
  const spec = pod.spec as JsonObject;
  admitAccount(pod, spec, api);
  admitPriority(pod, spec, api);
  const tolerations = listAt(spec, 'tolerations') as JsonObject[];
  for (const key of UNREACHABLE) {
    const covered = tolerations.some(
      t => (t.key === key || !t.key) && (!t.effect || t.effect === 'NoExecute'),
    );
    if (!covered) tolerations.push({key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300});
  }
  spec.tolerations = tolerations;
}

function admitAccount(pod: StoredObject, spec: JsonObject, api: Api): void {
  setDefault(spec, 'serviceAccountName', 'default');
  const name = String(spec.serviceAccountName);
  spec.serviceAccount = name;
  const namespace = pod.metadata.namespace ?? '';
  const account = api.find(api.resources.must('', 'v1', 'serviceaccounts'), namespace, name);
  if (!account) {
    // A new namespace gets its default account soon. Other missing accounts are refused.
    if (name === 'default') return;
    const why = `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
    throw forbidden({group: '', resource: 'pods'}, pod.metadata.name, why);
  }
  if (spec.automountServiceAccountToken === false || account.automountServiceAccountToken === false) return;
  mountToken(spec, `kube-api-access-${api.random.suffix(5)}`);
}

function mountToken(spec: JsonObject, name: string): void {
  let mounted = false;
  for (const list of ['containers', 'initContainers']) {
    for (const container of listAt(spec, list)) {
      if (!isObject(container)) continue;
      const mounts = listAt(container, 'volumeMounts') as JsonObject[];
      if (mounts.some(mount => mount.mountPath === TOKEN_PATH)) continue;
      container.volumeMounts = [...mounts, {name, readOnly: true, mountPath: TOKEN_PATH}];
      mounted = true;
    }
  }
  if (!mounted) return;
  const sources = [
    {serviceAccountToken: {expirationSeconds: 3607, path: 'token'}},
    {configMap: {name: 'kube-root-ca.crt', items: [{key: 'ca.crt', path: 'ca.crt'}]}},
    {
      downwardAPI: {
        items: [{path: 'namespace', fieldRef: {apiVersion: 'v1', fieldPath: 'metadata.namespace'}}],
      },
    },
  ];
  spec.volumes = [...listAt(spec, 'volumes'), {name, projected: {sources, defaultMode: 420}}];
}

function admitPriority(pod: StoredObject, spec: JsonObject, api: Api): void {
  const name = spec.priorityClassName;
  const found =
    typeof name === 'string' && name !== ''
      ? api.find(api.resources.must('scheduling.k8s.io', 'v1', 'priorityclasses'), '', name)
      : undefined;
  if (typeof name === 'string' && name !== '' && !found) {
    throw forbidden(
      {group: '', resource: 'pods'},
      pod.metadata.name,
      `no PriorityClass with name ${name} was found`,
    );
  }
  setDefault(spec, 'priority', found?.value ?? 0);
  setDefault(spec, 'preemptionPolicy', found?.preemptionPolicy ?? 'PreemptLowerPriority');
}

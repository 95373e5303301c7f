// The pods and services of the workloads W1 to W5, the row a formula makes of a pod, and the oracle.
// pod i lies in namespace i mod N with label app = floor(i/N) mod A; services likewise.
// They have the shape Kubernetes gives them: no key of their own, so every contender has to make or avoid one.

export type Labels = Readonly<Record<string, string>>;

export interface Metadata {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly resourceVersion: string;
}

export interface Pod {
  readonly metadata: Metadata;
  readonly status: {readonly podIP: string};
}

export interface Service {
  readonly metadata: Metadata;
  readonly spec: {readonly selector: Labels};
}

export interface WorkloadRow {
  readonly key: string;
  readonly ip: string;
  readonly depth: number;
  readonly services: readonly string[];
}

export interface WorkloadObjects {
  readonly pods: Pod[];
  readonly services: Service[];
}

export function makePod(namespace: string, name: string, labels: Labels, ip: string, version: number): Pod {
  return {metadata: {namespace, name, labels, resourceVersion: String(version)}, status: {podIP: ip}};
}

export function makeService(namespace: string, name: string, selector: Labels): Service {
  return {metadata: {namespace, name, labels: {}, resourceVersion: '1'}, spec: {selector}};
}

export function keyOf(object: Pod | Service): string {
  return `${object.metadata.namespace}/${object.metadata.name}`;
}

export function withIp({metadata: m}: Pod, ip: string): Pod {
  return makePod(m.namespace, m.name, m.labels, ip, Number(m.resourceVersion) + 1);
}

/** A new object that differs in nothing a formula looks at; its labels are a new object too, as a decoder's are. */
export function touched({metadata: m, status}: Pod): Pod {
  return makePod(m.namespace, m.name, {...m.labels}, status.podIP, Number(m.resourceVersion) + 1);
}

export function relabelled({metadata: m, status}: Pod, labels: Labels): Pod {
  return makePod(m.namespace, m.name, labels, status.podIP, Number(m.resourceVersion) + 1);
}

/** `tiers` > 1 gives every pod and every selector a second label, listed first. */
export function makeWorkloadObjects(
  pods: number,
  services: number,
  namespaces: number,
  apps: number,
  tiers = 1,
): WorkloadObjects {
  const labelsOf = (i: number): Labels => {
    const n = Math.floor(i / namespaces);
    const app = `app-${n % apps}`;
    return tiers === 1 ? {app} : {tier: `tier-${Math.floor(n / apps) % tiers}`, app};
  };
  const world: WorkloadObjects = {pods: [], services: []};
  for (let i = 0; i < pods; i++) {
    world.pods.push(makePod(`ns-${i % namespaces}`, `pod-${i}`, labelsOf(i), `10.0.${i >> 8}.${i & 255}`, 1));
  }
  for (let i = 0; i < services; i++) {
    world.services.push(makeService(`ns-${i % namespaces}`, `svc-${i}`, labelsOf(i)));
  }
  return world;
}

export function selects(selector: Labels, labels: Labels): boolean {
  let any = false;
  for (const k in selector) {
    if (labels[k] !== selector[k]) return false;
    any = true;
  }
  return any;
}

/** What the user's formula returns; every contender but `floor` calls it. */
export function workloadRow(pod: Pod, services: readonly Service[]): WorkloadRow {
  const {namespace, name} = pod.metadata;
  return {
    key: `${namespace}/${name}`,
    ip: pod.status.podIP,
    depth: 1,
    services: services.map(s => s.metadata.name),
  };
}

export function deeper(row: WorkloadRow, depth: number): WorkloadRow {
  return {key: row.key, ip: row.ip, depth, services: row.services};
}

/** The state that must be there, by plain functions over the sources. */
export function oracle(pods: Iterable<Pod>, services: Iterable<Service>, depth = 1): Map<string, string> {
  const byNamespace = Map.groupBy(services, s => s.metadata.namespace);
  const rows = new Map<string, string>();
  for (const pod of pods) {
    const {namespace, labels} = pod.metadata;
    const matched = (byNamespace.get(namespace) ?? []).filter(s => selects(s.spec.selector, labels));
    rows.set(keyOf(pod), fingerprint(deeper(workloadRow(pod, matched), depth)));
  }
  return rows;
}

export function fingerprint(row: WorkloadRow): string {
  return `${row.key} ${row.ip} ${row.depth} ${[...row.services].sort().join(',')}`;
}

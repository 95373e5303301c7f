// What is wrong in the cluster itself, read off the shipped graph: what a person wants to hear of first. All of it goes
// through every Pod or backend there is, and pauses on the way: what was there before a pause may be gone after it.

import {editDistance} from '../evidence/edit-distance.ts';
import {labelsOf, selectorOf} from '../evidence/filter-evaluation.ts';
import type {Records} from '../records.ts';
import {labelCommand} from '../why-not/mismatch-fix.ts';
import {listWords, nameOf} from '../wording/sentence.ts';
import type {CheckContext, CheckSteps, Finding} from './finding.ts';

const MOST = 50;
/** Endpoints and slices are written by different hands: a moment's difference is no disagreement. */
const PATIENCE = 5000;

interface ServiceInfoFields {
  readonly namespace: string;
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly pods: number;
}

interface WorkloadFields {
  readonly namespace: string;
  readonly name: string;
  readonly owner?: string;
  readonly services: readonly string[];
}

function labelPairs(map: Readonly<Record<string, string>>): string {
  return Object.entries(map)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** The Pod of a namespace whose labels come nearest to a selector. */
function nearestPod(
  records: Records,
  inside: readonly string[],
  wanted: Readonly<Record<string, string>>,
  at?: number,
): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const key of inside) {
    const own = labelsOf(records.value('Pods', key, at));
    let apart = 0;
    for (const [name, value] of Object.entries(wanted))
      apart += own[name] === undefined ? value.length + 3 : editDistance(value, own[name]);
    if (apart > least || (apart === least && best !== undefined && key > best)) continue;
    least = apart;
    best = key;
  }
  return best;
}

function* selectsNothing({records, at}: CheckContext): CheckSteps<Finding[]> {
  if (!records.collection('ServiceInfos', at) || !records.collection('Pods', at)?.synced) return [];
  const idle: {key: string; info: ServiceInfoFields}[] = [];
  for (const key of records.keys('ServiceInfos', at)) {
    yield;
    const info = records.value('ServiceInfos', key, at) as ServiceInfoFields | undefined;
    if (!info) continue;
    if (info.pods === 0 && Object.keys(info.selector ?? {}).length > 0) idle.push({key, info});
    if (idle.length >= MOST) break;
  }
  if (idle.length === 0) return [];
  const byNamespace = new Map<string, string[]>();
  for (const key of records.keys('Pods', at)) {
    yield;
    const namespace = key.slice(0, key.indexOf('/'));
    const list = byNamespace.get(namespace);
    if (list) list.push(key);
    else byNamespace.set(namespace, [key]);
  }
  return idle.map(({key, info}) => {
    const inside = byNamespace.get(info.namespace) ?? [];
    const near = nearestPod(records, inside, info.selector, at);
    const facts = records.row('ServiceInfos', key, at);
    return {
      code: 'selects-nothing',
      severity: 'warning' as const,
      collection: 'Services',
      keys: [key],
      title: 'Service selects nothing',
      message: `Services/${key} wants ${labelPairs(info.selector)}; 0 of ${inside.length} Pods in ${info.namespace} match`,
      evidence: {
        item: {collection: 'ServiceInfos', key},
        ...(near !== undefined ? {expected: {collection: 'Pods', key: near}} : {}),
      },
      hint: `kubectl -n ${info.namespace} get pods --show-labels`,
      ...(facts ? {sequence: facts.sequence, at: facts.at} : {}),
    };
  });
}

interface OwnerGroup {
  readonly selected: string[];
  readonly left: string[];
}

/**
 * Workloads by owner: those that some Service selects and those that none does. A relabelled Pod has lost its owner,
 * but its name was made from the same one as its siblings'.
 */
function* groupByOwner(records: Records, at?: number): CheckSteps<Map<string, OwnerGroup>> {
  const found = new Map<string, OwnerGroup>();
  const byName = new Map<string, OwnerGroup>();
  const orphans: [key: string, made: string][] = [];
  for (const key of records.keys('Workloads', at)) {
    yield;
    const workload = records.value('Workloads', key, at) as WorkloadFields | undefined;
    if (!workload) continue;
    const {namespace, owner, services} = workload;
    const madeFrom = generatedNameOf(records.value('Pods', key, at));
    const made = madeFrom === undefined ? undefined : `${namespace}\n${madeFrom}`;
    if (owner === undefined) {
      if (made !== undefined && services.length === 0) orphans.push([key, made]);
      continue;
    }
    const id = `${namespace}\n${owner}`;
    let family = found.get(id);
    if (!family) {
      family = {selected: [], left: []};
      found.set(id, family);
    }
    if (made !== undefined) byName.set(made, family);
    (services.length > 0 ? family.selected : family.left).push(key);
  }
  for (const [key, made] of orphans) byName.get(made)?.left.push(key);
  return found;
}

/** What its name was made from, without the hash that every rollout makes anew. */
function generatedNameOf(pod: unknown): string | undefined {
  const {generateName: name, labels} = (pod as {metadata?: GeneratedNameFields} | undefined)?.metadata ?? {};
  if (typeof name !== 'string') return undefined;
  const hash = labels?.['pod-template-hash'];
  return hash !== undefined && name.endsWith(`${hash}-`) ? name.slice(0, -hash.length - 1) : name;
}

interface GeneratedNameFields {
  readonly generateName?: unknown;
  readonly labels?: Readonly<Record<string, string>>;
}

function* unselectedPods({records, at}: CheckContext): CheckSteps<Finding[]> {
  if (!records.collection('Workloads', at) || !records.collection('Services', at)?.synced) return [];
  const findings: Finding[] = [];
  const all = yield* groupByOwner(records, at);
  for (const {selected, left} of all.values()) {
    yield;
    // In which order a collection has its keys is not the same at once and later.
    const [sibling] = selected.sort();
    if (sibling === undefined || left.length === 0 || selected.length < left.length) continue;
    const alike = records.value('Workloads', sibling, at) as WorkloadFields | undefined;
    if (!alike) continue;
    const {namespace, services} = alike;
    const service = `${namespace}/${services[0]}`;
    const wanted = selectorOf(records.value('Services', service, at));
    for (const key of left) {
      if (findings.length >= MOST) return findings;
      const own = labelsOf(records.value('Pods', key, at));
      const [name, value] = Object.entries(wanted).find(([label, v]) => own[label] !== v) ?? [];
      if (name === undefined || value === undefined) continue;
      const command = labelCommand(records.collection('Pods', at), key, name, value);
      const facts = records.row('Pods', key, at);
      findings.push({
        code: 'unselected-pod',
        severity: 'warning',
        collection: 'Pods',
        keys: [key],
        title: 'Pod that no Service selects',
        message: `Pods/${key} has ${name}=${own[name] ?? 'none'}; ${selected.length} ${selected.length === 1 ? 'sibling says' : 'siblings say'} ${value}, as Services/${service} wants`,
        evidence: {item: {collection: 'ServiceInfos', key: service}, expected: {collection: 'Pods', key}},
        ...(command !== undefined ? {hint: command} : {}),
        ...(facts ? {sequence: facts.sequence, at: facts.at} : {}),
      });
    }
  }
  return findings;
}

interface ContainerStatus {
  readonly name?: string;
  readonly restartCount?: number;
  readonly state?: {readonly waiting?: {readonly reason?: string; readonly message?: string}};
  readonly lastState?: {readonly terminated?: {readonly reason?: string; readonly exitCode?: number}};
}

interface PodStatusFields {
  readonly metadata?: {readonly ownerReferences?: readonly {readonly name?: string}[]};
  readonly status?: {
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

function* crashLoops({records, at}: CheckContext): CheckSteps<Finding[]> {
  if (!records.collection('Pods', at)) return [];
  const findings: Finding[] = [];
  for (const key of records.keys('Pods', at)) {
    yield;
    const {status} = (records.value('Pods', key, at) ?? {}) as PodStatusFields;
    const containers = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
    const looping = containers.find(c => c.state?.waiting?.reason === 'CrashLoopBackOff');
    if (!looping) continue;
    const restarts = looping.restartCount ?? 0;
    const last = looping.lastState?.terminated;
    const exit =
      last?.exitCode === undefined
        ? ''
        : `, exit code ${last.exitCode}${last.reason ? ` (${last.reason})` : ''}`;
    const slash = key.indexOf('/');
    const facts = records.row('Pods', key, at);
    findings.push({
      code: 'crash-loop',
      severity: 'error',
      collection: 'Pods',
      keys: [key],
      title: `Pod crash-looping, ${key.slice(slash + 1)}`,
      message: `Pods/${key} restarted ${restarts}×: container ${looping.name ?? '?'} is in CrashLoopBackOff${exit}`,
      count: restarts,
      evidence: {item: {collection: 'Pods', key}},
      hint: `kubectl -n ${key.slice(0, slash)} logs ${key.slice(slash + 1)} --previous${looping.name ? ` -c ${looping.name}` : ''}`,
      ...(facts ? {sequence: facts.sequence, at: facts.at} : {}),
    });
    if (findings.length >= MOST) break;
  }
  return findings;
}

interface BackendFields {
  readonly namespace: string;
  readonly service: string;
  readonly agreement: 'agree' | 'by-hand' | 'only-pods' | 'only-slices' | 'ready-differs';
}

const disagreementWords: Record<BackendFields['agreement'], string> = {
  agree: '',
  'by-hand': '',
  'only-pods': 'is in no EndpointSlice',
  'only-slices': 'is in an EndpointSlice and no Pod has it',
  'ready-differs': 'is ready on one side only',
};

function* disagreeingEndpoints({records, at, now}: CheckContext): CheckSteps<Finding[]> {
  if (!records.collection('Backends', at)?.synced || !records.collection('EndpointSlices', at)?.synced)
    return [];
  const services = new Map<
    string,
    {keys: string[]; how: BackendFields['agreement']; sequence: number; at: number}
  >();
  for (const key of records.keys('Backends', at)) {
    yield;
    const backend = records.value('Backends', key, at) as BackendFields | undefined;
    if (!backend) continue;
    const {namespace, service, agreement} = backend;
    if (agreement === 'agree' || agreement === 'by-hand') continue;
    const facts = records.row('Backends', key, at);
    if (!facts || now - facts.at < PATIENCE) continue;
    const name = `${namespace}/${service}`;
    // Without a selector its slices are written by hand (default/kubernetes): there is nothing to agree with.
    if (Object.keys(selectorOf(records.value('Services', name, at))).length === 0) continue;
    const held = services.get(name);
    if (held) {
      held.keys.push(key);
      if (facts.sequence < held.sequence) Object.assign(held, {sequence: facts.sequence, at: facts.at});
    } else services.set(name, {keys: [key], how: agreement, sequence: facts.sequence, at: facts.at});
    if (services.size >= MOST) break;
  }
  for (const held of services.values()) {
    held.keys.sort();
    held.how = (records.value('Backends', held.keys[0] as string, at) as BackendFields).agreement;
  }
  return [...services].map(([service, {keys, how, sequence, at: since}]) => ({
    code: 'endpoints-disagree',
    severity: 'warning' as const,
    collection: 'Backends',
    keys: keys.slice(0, 100),
    title: `Endpoints disagree with the EndpointSlices of ${service}`,
    message: `${listWords(
      keys.map(key => nameOf({collection: 'Backends', key})),
      2,
    )} ${disagreementWords[how]}`,
    count: keys.length,
    sequence,
    at: since,
    evidence: {item: {collection: 'Backends', key: keys[0]!}},
    hint: `kubectl -n ${service.slice(0, service.indexOf('/'))} get endpointslices -l kubernetes.io/service-name=${service.slice(service.indexOf('/') + 1)}`,
  }));
}

export function* clusterFindings(scene: CheckContext): CheckSteps<Finding[]> {
  return [
    ...(yield* crashLoops(scene)),
    ...(yield* selectsNothing(scene)),
    ...(yield* unselectedPods(scene)),
    ...(yield* disagreeingEndpoints(scene)),
  ];
}

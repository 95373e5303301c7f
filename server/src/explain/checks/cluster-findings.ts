// Finds what is wrong in the cluster itself, from the rows of the shipped graph. The checks go through every Pod and backend
// and pause on the way, so an object may be deleted between two steps.

import {labelsOf, selectorOf} from '../evidence/filter-evaluation.ts';
import {labelCommand} from '../evidence/kubectl-command.ts';
import type {Records} from '../records.ts';
import {labelDistance, nearestOf} from '../why-not/nearest-match.ts';
import {
  crashLoopWords,
  type Disagreement,
  endpointsDisagreeWords,
  selectsNothingWords,
  unselectedPodWords,
} from '../wording/cluster-check-sentence.ts';
import type {CheckContext, CheckSteps, Finding} from './finding.ts';

const MAX_FINDINGS = 50;
/** Different controllers write Pods and slices, so they may differ for a moment. */
const PATIENCE_MS = 5000;

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

/** The Pod whose labels come nearest to a selector. */
function nearestPod(
  records: Records,
  keys: readonly string[],
  selector: Readonly<Record<string, string>>,
  at?: number,
): string | undefined {
  const pods = keys.map(key => ({key, labels: labelsOf(records.value('Pods', key, at))}));
  return nearestOf(pods, ({labels}) =>
    Object.entries(selector).reduce((sum, [name, value]) => sum + labelDistance(value, labels[name]), 0),
  )?.key;
}

function* selectsNothing({records, at}: CheckContext): CheckSteps<Finding[]> {
  if (!records.collection('ServiceInfos', at) || !records.collection('Pods', at)?.synced) return [];
  const idle: {key: string; info: ServiceInfoFields}[] = [];
  for (const key of records.keys('ServiceInfos', at)) {
    yield;
    const info = records.value('ServiceInfos', key, at) as ServiceInfoFields | undefined;
    if (!info) continue;
    if (info.pods === 0 && Object.keys(info.selector ?? {}).length > 0) idle.push({key, info});
    if (idle.length >= MAX_FINDINGS) break;
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
      ...selectsNothingWords({...info, key, pods: inside.length}),
      evidence: {
        item: {collection: 'ServiceInfos', key},
        ...(near !== undefined ? {expected: {collection: 'Pods', key: near}} : {}),
      },
      ...(facts ? {sequence: facts.sequence, at: facts.at} : {}),
    };
  });
}

interface OwnerGroup {
  readonly selected: string[];
  readonly unselected: string[];
}

/**
 * Workloads by owner: those that a Service selects, and the others. A relabelled Pod has lost its owner, but its name
 * was generated from the same base as the names of its siblings.
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
    let group = found.get(id);
    if (!group) {
      group = {selected: [], unselected: []};
      found.set(id, group);
    }
    if (made !== undefined) byName.set(made, group);
    (services.length > 0 ? group.selected : group.unselected).push(key);
  }
  for (const [key, made] of orphans) byName.get(made)?.unselected.push(key);
  return found;
}

/** The base of a generated name, without the hash of the rollout. */
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
  for (const {selected, unselected} of all.values()) {
    yield;
    // In which order a collection has its keys is not the same at once and later.
    const [sibling] = selected.sort();
    if (sibling === undefined || unselected.length === 0 || selected.length < unselected.length) continue;
    const alike = records.value('Workloads', sibling, at) as WorkloadFields | undefined;
    if (!alike) continue;
    const {namespace, services} = alike;
    const service = `${namespace}/${services[0]}`;
    const wanted = selectorOf(records.value('Services', service, at));
    for (const key of unselected) {
      if (findings.length >= MAX_FINDINGS) return findings;
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
        ...unselectedPodWords({
          key,
          label: name,
          has: own[name],
          wanted: value,
          service,
          siblings: selected.length,
          command,
        }),
        evidence: {item: {collection: 'ServiceInfos', key: service}, expected: {collection: 'Pods', key}},
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
    // An object need not follow its schema, and one bad Pod must not fail all checks.
    const containers = [status?.containerStatuses, status?.initContainerStatuses]
      .filter(Array.isArray)
      .flat();
    const looping = containers.find(c => c?.state?.waiting?.reason === 'CrashLoopBackOff') as
      | ContainerStatus
      | undefined;
    if (!looping) continue;
    const restarts = looping.restartCount ?? 0;
    const last = looping.lastState?.terminated;
    const facts = records.row('Pods', key, at);
    findings.push({
      code: 'crash-loop',
      severity: 'error',
      collection: 'Pods',
      keys: [key],
      ...crashLoopWords({
        key,
        container: looping.name,
        restarts,
        exitCode: last?.exitCode,
        reason: last?.reason,
      }),
      count: restarts,
      evidence: {item: {collection: 'Pods', key}},
      ...(facts ? {sequence: facts.sequence, at: facts.at} : {}),
    });
    if (findings.length >= MAX_FINDINGS) break;
  }
  return findings;
}

interface BackendFields {
  readonly namespace: string;
  readonly service: string;
  readonly agreement: 'agree' | 'by-hand' | Disagreement;
}

function* disagreeingEndpoints({records, at, now}: CheckContext): CheckSteps<Finding[]> {
  if (!records.collection('Backends', at)?.synced || !records.collection('EndpointSlices', at)?.synced)
    return [];
  const services = new Map<string, {keys: string[]; how: Disagreement; sequence: number; at: number}>();
  for (const key of records.keys('Backends', at)) {
    yield;
    const backend = records.value('Backends', key, at) as BackendFields | undefined;
    if (!backend) continue;
    const {namespace, service, agreement} = backend;
    if (agreement === 'agree' || agreement === 'by-hand') continue;
    const facts = records.row('Backends', key, at);
    if (!facts || now - facts.at < PATIENCE_MS) continue;
    const name = `${namespace}/${service}`;
    // The slices of a Service without a selector are written by hand (default/kubernetes), so they need not agree.
    if (Object.keys(selectorOf(records.value('Services', name, at))).length === 0) continue;
    const entry = services.get(name);
    if (entry) {
      entry.keys.push(key);
      if (facts.sequence < entry.sequence) Object.assign(entry, {sequence: facts.sequence, at: facts.at});
    } else services.set(name, {keys: [key], how: agreement, sequence: facts.sequence, at: facts.at});
    if (services.size >= MAX_FINDINGS) break;
  }
  for (const entry of services.values()) {
    entry.keys.sort();
    const {agreement} = records.value('Backends', entry.keys[0] as string, at) as BackendFields;
    if (agreement !== 'agree' && agreement !== 'by-hand') entry.how = agreement;
  }
  return [...services].map(([service, {keys, how, sequence, at: since}]) => ({
    code: 'endpoints-disagree',
    severity: 'warning' as const,
    collection: 'Backends',
    keys: keys.slice(0, 100),
    ...endpointsDisagreeWords(service, keys, how),
    count: keys.length,
    sequence,
    at: since,
    evidence: {item: {collection: 'Backends', key: keys[0]!}},
  }));
}

export function* clusterFindings(context: CheckContext): CheckSteps<Finding[]> {
  return [
    ...(yield* crashLoops(context)),
    ...(yield* selectsNothing(context)),
    ...(yield* unselectedPods(context)),
    ...(yield* disagreeingEndpoints(context)),
  ];
}

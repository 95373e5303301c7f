// What holds collections back or leaves them alone: unsynced sources, forbidden kinds, gaps, orphans, unused collections.
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import type {CollectionFacts} from '../records.ts';
import {listWords, nameOf} from '../wording/sentence.ts';
import type {CheckContext, Finding} from './finding.ts';

function sourceFinding(facts: CollectionFacts): Finding | undefined {
  const {name, state, reason, hint, resource} = facts;
  const kinds = resource
    ? `${resource.resource}${resource.group ? `.${resource.group}` : ''}`
    : name.toLowerCase();
  const base = {collection: name, keys: [], count: 1};
  switch (state) {
    case 'forbidden':
      return {
        ...base,
        code: 'forbidden',
        severity: 'error',
        title: `${name} not permitted`,
        message: `listing ${name} is forbidden${reason ? `: ${reason}` : ''}`,
        hint: hint ?? `kubectl auth can-i list ${kinds}`,
      };
    case 'unauthorized':
      return {
        ...base,
        code: 'unauthorized',
        severity: 'error',
        title: `The credentials for ${name} are not accepted`,
        message: `${name}: ${reason ?? 'the server does not accept these credentials'}`,
        hint: hint ?? `kubectl get ${kinds} --all-namespaces`,
      };
    case 'unreachable':
      return {
        ...base,
        code: 'unreachable',
        severity: 'error',
        title: `${name} cannot be listed`,
        message: `${name}: ${reason ?? 'the cluster does not answer'}`,
        hint: hint ?? `kubectl get ${kinds} --all-namespaces`,
      };
    case 'not installed':
      return {
        ...base,
        code: 'not-installed',
        severity: 'info',
        title: `${name} is not installed`,
        message: reason ?? `the cluster has no ${kinds}; the collection is empty and goes live when it comes`,
        ...(hint !== undefined ? {hint} : {}),
      };
    default:
      // Of what a program tells there is no kind to ask the cluster for.
      if (resource === undefined || !facts.synced || facts.current !== false) return undefined;
      return {
        ...base,
        code: 'stale',
        severity: 'warning',
        title: `${name} is not current`,
        message: `${name}${sinceWords(facts)}${reason ? `: ${reason}` : ''}; what is computed from it is as old`,
        hint: hint ?? `kubectl get ${kinds} --all-namespaces`,
      };
  }
}

/** Up to when its rows are right; the API's times are UTC. */
function sinceWords({asOf}: CollectionFacts): string {
  if (asOf === undefined) return ' has not been heard';
  return ` has not been heard since ${new Date(asOf).toISOString().slice(11, 19)} UTC`;
}

/** Waiting collections, together under the source that holds them. */
function waitingFindings({records, at}: CheckContext): Finding[] {
  const held = new Map<string, {waiting: string[]; chain: ReturnType<typeof syncBlockersOf>}>();
  for (const facts of records.collections(at)) {
    if ((facts.synced && facts.waitingFor === undefined) || facts.state !== undefined) continue;
    const chain = syncBlockersOf(records, facts.name, at);
    const holder = chain[chain.length - 1];
    if (!holder || holder.collection === facts.name) continue;
    const entry = held.get(holder.collection) ?? {waiting: [], chain};
    entry.waiting.push(facts.name);
    if (chain.length > entry.chain.length) entry.chain = chain;
    held.set(holder.collection, entry);
  }
  return [...held].map(([holder, {waiting, chain}]) => {
    const last = chain[chain.length - 1]!;
    const path = chain.map(c => c.collection).join(' waits for ');
    const soon = last.state === 'waiting' || last.state === 'listing';
    return {
      code: 'not-synced',
      severity: soon ? ('info' as const) : ('warning' as const),
      collection: holder,
      keys: waiting,
      title: `${waiting.length} ${waiting.length === 1 ? 'collection waits' : 'collections wait'} for ${holder}`,
      message: `${path} (${last.reason ?? last.state})`,
      count: waiting.length,
    };
  });
}

/** Inputs that nothing can wake any more: their last run was not accepted and all they read has stopped. */
function orphanFindings({records, at}: CheckContext): Finding[] {
  const stopped = (name: string): boolean => {
    const facts = records.collection(name, at);
    return facts === undefined || facts.stopped === true;
  };
  return records.collections(at).flatMap(({name}): Finding[] => {
    const suspects = [...records.discardedInputs(name, at), ...records.failedInputs(name, at)].sort();
    const orphans = suspects.filter(input => {
      const reads = records.dependenciesOf(name, input, at);
      return reads.length > 0 && reads.every(d => stopped(d.collection));
    });
    const [first] = orphans;
    if (first === undefined) return [];
    const reads = [...new Set(records.dependenciesOf(name, first, at).map(d => d.collection))];
    return [
      {
        code: 'orphan',
        severity: 'warning',
        collection: name,
        keys: orphans.slice(0, 100),
        title: `${orphans.length} ${orphans.length === 1 ? 'orphan' : 'orphans'} in ${name}`,
        message: `${nameOf({collection: name, key: first})} read only ${listWords(reads)}, which ${reads.length === 1 ? 'has' : 'have'} stopped, and its last run was not accepted: no change can wake it`,
        count: orphans.length,
        evidence: {item: {collection: name, key: first}},
        hint: 'stop this collection with the one it reads, or make it read one that lives',
      },
    ];
  });
}

function discardFindings({records, at}: CheckContext): Finding[] {
  return records.collections(at).flatMap(({name}): Finding[] => {
    const inputs = [...records.discardedInputs(name, at)].sort();
    const [first] = inputs;
    if (first === undefined) return [];
    return [
      {
        code: 'discards',
        severity: 'info',
        collection: name,
        keys: inputs.slice(0, 100),
        title: `${inputs.length} discarded in ${name}`,
        message: `the last run of ${nameOf({collection: name, key: first})} discarded its result; the rows before it stay`,
        count: inputs.length,
        evidence: {item: {collection: name, key: first}},
      },
    ];
  });
}

/** Sources that nothing reads, and views, which exist only to be read. A derived collection may be read by people. */
function unusedFindings({records, at}: CheckContext): Finding[] {
  // Who has not run yet may read anything: nobody knows what is unused while some wait for a kind they may not list.
  const isSilent = ({name, kind, parents, synced, stopped}: CollectionFacts): boolean =>
    !stopped &&
    (!synced ||
      (kind !== 'join' &&
        kind !== 'map' &&
        kind !== 'index' &&
        kind !== 'status' &&
        (parents.length > 0 || kind === 'singleton') &&
        records.runTotal(name) === 0));
  if (records.collections(at).some(isSilent)) return [];
  const read = new Set(records.edges(at).map(e => e.from));
  const views = new Set<string>(['join', 'map', 'index']);
  return records
    .collections(at)
    .filter(
      c =>
        !read.has(c.name) &&
        !c.formula &&
        (c.parents.length === 0 ? c.kind !== 'singleton' : views.has(c.kind)),
    )
    .map(c => ({
      code: 'unused',
      severity: 'info' as const,
      collection: c.name,
      keys: [],
      title: `Nothing reads ${c.name}`,
      message: `${c.name} holds ${records.size(c.name, at)} items and no collection has it as input or fetches it`,
      count: 1,
    }));
}

const gapTitles = {
  watch: 'Watch lost and relisted',
  engine: 'Engine process restarted',
  program: 'The program was not heard',
} as const;

function gapFindings({records, now, at}: CheckContext): Finding[] {
  const gaps = records.gaps().filter(({sequence, to}) => sequence <= at && to <= now);
  return gaps.map(gap => ({
    code: `${gap.kind}-gap`,
    severity: now - gap.to < 600_000 ? ('warning' as const) : ('info' as const),
    collection: '',
    keys: [],
    title: `${gapTitles[gap.kind]}, ${seconds(gap.to - gap.from)} gap`,
    message: gap.text,
    count: 1,
    sequence: gap.sequence,
    at: gap.from,
  }));
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export function syncFindings(scene: CheckContext): Finding[] {
  return [
    ...scene.records.collections(scene.at).flatMap(facts => sourceFinding(facts) ?? []),
    ...waitingFindings(scene),
    ...orphanFindings(scene),
    ...discardFindings(scene),
    ...unusedFindings(scene),
    ...gapFindings(scene),
  ];
}

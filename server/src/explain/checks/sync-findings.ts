// Finds sources that cannot be read, collections that wait, orphans, discarded results, unused collections and gaps.
import {NOT_RUNNING} from '@krtscope/shared/timeline.ts';
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import type {CollectionFacts} from '../records.ts';
import {
  discardWords,
  forbiddenWords,
  gapWords,
  leftOutWords,
  notInstalledWords,
  notSyncedWords,
  orphanWords,
  staleWords,
  unauthorizedWords,
  unreachableWords,
  unusedWords,
} from '../wording/sync-check-sentence.ts';
import type {CheckContext, Finding} from './finding.ts';

function sourceFinding(facts: CollectionFacts): Finding | undefined {
  const {name, state, reason, hint, resource} = facts;
  const kind = resource
    ? `${resource.resource}${resource.group ? `.${resource.group}` : ''}`
    : name.toLowerCase();
  const source = {name, resource: kind, reason, hint};
  const base = {collection: name, keys: [], count: 1};
  switch (state) {
    case 'forbidden':
      return {...base, code: 'forbidden', severity: 'error', ...forbiddenWords(source)};
    case 'unauthorized':
      return {...base, code: 'unauthorized', severity: 'error', ...unauthorizedWords(source)};
    case 'unreachable':
      return {...base, code: 'unreachable', severity: 'error', ...unreachableWords(source)};
    case 'not installed':
      return {...base, code: 'not-installed', severity: 'info', ...notInstalledWords(source)};
    case 'left out':
      return {...base, code: 'left-out', severity: 'info', ...leftOutWords(source)};
    default:
      // A collection of a program has no kind that the cluster could be asked for.
      if (resource === undefined || !facts.synced || facts.current !== false) return undefined;
      return {...base, code: 'stale', severity: 'warning', ...staleWords(source, facts.asOf)};
  }
}

/** What a collection is in before its first rows. It passes by itself. */
const startStates: ReadonlySet<string> = new Set(['waiting', 'listing', 'not synced']);

/** Waiting collections, grouped by the source that they wait for. */
function waitingFindings({records, at}: CheckContext): Finding[] {
  const byBlocker = new Map<string, {waiting: string[]; chain: ReturnType<typeof syncBlockersOf>}>();
  for (const facts of records.collections(at)) {
    if ((facts.synced && facts.waitingFor === undefined) || facts.state !== undefined) continue;
    const chain = syncBlockersOf(records, facts.name, at);
    const blocker = chain[chain.length - 1];
    if (!blocker || blocker.collection === facts.name) continue;
    const entry = byBlocker.get(blocker.collection) ?? {waiting: [], chain};
    entry.waiting.push(facts.name);
    if (chain.length > entry.chain.length) entry.chain = chain;
    byBlocker.set(blocker.collection, entry);
  }
  return [...byBlocker].map(([blocker, {waiting, chain}]) => {
    const last = chain[chain.length - 1]!;
    // A collection without a state of its own makes its first runs: at 20,000 Pods that takes seconds.
    const soon = startStates.has(last.state);
    return {
      code: 'not-synced',
      severity: soon ? ('info' as const) : ('warning' as const),
      collection: blocker,
      keys: waiting,
      ...notSyncedWords(
        {...last, collection: blocker},
        waiting.length,
        chain.map(({collection}) => collection),
      ),
      count: waiting.length,
    };
  });
}

/** Inputs that no change can run again: their last run was not accepted and all that they read has stopped. */
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
        ...orphanWords({collection: name, key: first}, orphans.length, reads),
        count: orphans.length,
        evidence: {item: {collection: name, key: first}},
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
        ...discardWords({collection: name, key: first}, inputs.length),
        count: inputs.length,
        evidence: {item: {collection: name, key: first}},
      },
    ];
  });
}

/** Sources and views that no collection reads. A derived collection may exist for people to read. */
function unusedFindings({records, at}: CheckContext): Finding[] {
  // A collection without runs may read anything, so nothing is known to be unused while one waits.
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
      ...unusedWords(c.name, records.size(c.name, at)),
      count: 1,
    }));
}

function gapFindings({records, now, at}: CheckContext): Finding[] {
  const gaps = records.gaps().filter(({sequence, to}) => sequence <= at && to <= now);
  return gaps.map(gap => ({
    code: `${gap.kind}-gap`,
    // A restart of krtscope says nothing about the cluster.
    severity: now - gap.to < 600_000 && !gap.text.startsWith(NOT_RUNNING) ? 'warning' : 'info',
    collection: '',
    keys: [],
    ...gapWords(gap.kind, gap.to - gap.from, gap.text),
    count: 1,
    sequence: gap.sequence,
    at: gap.from,
  }));
}

export function syncFindings(context: CheckContext): Finding[] {
  return [
    ...context.records.collections(context.at).flatMap(facts => sourceFinding(facts) ?? []),
    ...waitingFindings(context),
    ...orphanFindings(context),
    ...discardFindings(context),
    ...unusedFindings(context),
    ...gapFindings(context),
  ];
}

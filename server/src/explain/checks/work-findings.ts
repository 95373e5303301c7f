// Finds costly work: scans without an index, runs that change nothing, busy collections, writes with many effects.
import type {BatchSummary, EdgeFacts, RecordedFetch, RecordedRun} from '../records.ts';
import {
  fanOutWords,
  fullScanWords,
  hotItemWords,
  hotWords,
  type ScanCost,
  wastedRunsWords,
} from '../wording/work-check-sentence.ts';
import {type CheckContext, type Finding, MINUTE} from './finding.ts';

/** A scan over fewer items costs too little to report. */
const MIN_SCANNED = 50;
const SAMPLED = 24;
const BUSY_RUNS = 30;
/** Runs of one item in a minute. A policy over all Pods of a busy namespace has fewer. */
const BUSY_ITEM = 120;

interface RunCost {
  runs: number;
  equal: number;
  milliseconds: number;
}

/** What each collection did in the last minute, and the write with the most effects. */
function lastMinute(context: CheckContext): {work: Map<string, RunCost>; widest: BatchSummary | undefined} {
  const work = new Map<string, RunCost>();
  let widest: BatchSummary | undefined;
  let most = 0;
  const {records, now, at} = context;
  for (const batch of records.batches(Math.max(records.oldest(), at - 20_000), at)) {
    if (batch.at < now - MINUTE) continue;
    let total = 0;
    for (const {collection, outcomes, milliseconds} of batch.runs) {
      const entry = work.get(collection) ?? {runs: 0, equal: 0, milliseconds: 0};
      for (const count of Object.values(outcomes)) {
        entry.runs += count;
        total += count;
      }
      entry.equal += outcomes.equal ?? 0;
      entry.milliseconds += milliseconds;
      work.set(collection, entry);
    }
    if (batch.roots.length === 1 && total > most) {
      most = total;
      widest = batch;
    }
  }
  return {work, widest};
}

/** The newest run of a collection that fits, among the last few batches. */
function recentRun(
  {records, at}: CheckContext,
  collection: string,
  fits: (run: RecordedRun) => boolean,
): RecordedRun | undefined {
  for (let sequence = at; sequence >= Math.max(records.oldest(), at - 100); sequence--) {
    const batch = records.batch(sequence);
    if (!batch?.runs.some(r => r.collection === collection)) continue;
    for (let i = batch.runCount - 1; i >= Math.max(0, batch.runCount - 200); i--) {
      if ((batch.brief?.(i) ?? batch.run(i)).collection !== collection) continue;
      const run = batch.run(i);
      if (fits(run)) return run;
    }
  }
  return undefined;
}

/** Fetches that compare every item of a collection. */
function scanFindings(context: CheckContext, work: ReadonlyMap<string, RunCost>): Finding[] {
  const {records, at} = context;
  const findings: Finding[] = [];
  for (const edge of records.edges(at)) {
    const to = records.collection(edge.to, at);
    const size = records.size(edge.from, at);
    const parent = to?.parents[0];
    // A singleton may read everything once: it is a summary. A scan for every input costs the square.
    if (edge.kind !== 'fetch' || size < MIN_SCANNED || parent === undefined || records.size(parent, at) < 2)
      continue;
    const scans = sampledScans(context, edge, parent);
    const [first] = scans;
    if (!first) continue;
    const {input, fetch} = first;
    const runs = work.get(edge.to)?.runs ?? 0;
    const reader = {collection: edge.to, key: input};
    findings.push({
      code: 'full-scan',
      severity: 'warning',
      collection: edge.to,
      keys: scans.map(s => s.input),
      ...fullScanWords({
        reader,
        runs,
        fetch,
        size,
        cost: scanCostOf(scans, runs, records.size(parent, at)),
        namespaced: records.collection(edge.from, at)?.resource?.namespaced ?? true,
      }),
      count: Math.max(1, runs),
      evidence: {item: reader},
    });
  }
  return findings;
}

interface SampledScan {
  readonly input: string;
  readonly fetch: RecordedFetch;
}

/** Scanning fetches among the last runs of the first inputs. */
function sampledScans({records, at}: CheckContext, {from, to}: EdgeFacts, parent: string): SampledScan[] {
  const scans: SampledScan[] = [];
  for (const input of firstOf(records.keys(parent, at))) {
    const run = records.lastRun(to, input, at);
    const fetch = run?.fetches.find(f => f.collection === from && f.via.kind === 'scan');
    if (fetch) scans.push({input, fetch});
  }
  return scans;
}

/** Sorted, because the order of a collection's keys differs between a live session and a recording. */
function firstOf(keys: Iterable<string>): string[] {
  const first: string[] = [];
  for (const key of keys) {
    if (first.length === SAMPLED && key > (first[SAMPLED - 1] as string)) continue;
    first.push(key);
    first.sort();
    first.length = Math.min(first.length, SAMPLED);
  }
  return first;
}

/** As the runs counted it. Fetches of everything share one list, which costs when it changes. */
function scanCostOf(scans: readonly SampledScan[], runs: number, inputs: number): ScanCost {
  const compared = scans.reduce((sum, {fetch}) => sum + fetch.scanned, 0) / scans.length;
  const isAll = scans.every(({fetch}) => fetch.clauses.every(({kind}) => kind === 'all'));
  if (isAll || compared === 0) return {kind: 'every-change', inputs};
  return runs > 0
    ? {kind: 'last-minute', items: Math.round(compared * runs)}
    : {kind: 'each-run', items: Math.round(compared)};
}

function wastedFinding(
  context: CheckContext,
  collection: string,
  {runs, equal}: RunCost,
): Finding | undefined {
  const share = equal / runs;
  if (runs < BUSY_RUNS || share < 0.9) return undefined;
  const run = recentRun(context, collection, r => r.outcome === 'equal');
  const cause = run?.causes.find(c => c.collection !== undefined);
  return {
    code: 'wasted-runs',
    severity: 'info',
    collection,
    keys: run ? [run.input] : [],
    ...wastedRunsWords(collection, {
      runs,
      equal,
      last: cause && {collection: cause.collection ?? '', key: cause.key ?? ''},
    }),
    count: equal,
    ...(run ? {evidence: {item: {collection, key: run.input}}, sequence: run.sequence} : {}),
  };
}

function hotFinding(collection: string, {runs, milliseconds}: RunCost): Finding | undefined {
  const share = milliseconds / MINUTE;
  if (share < 0.05 && runs < 20_000) return undefined;
  return {
    code: 'hot',
    severity: share > 0.25 ? 'warning' : 'info',
    collection,
    keys: [],
    ...hotWords(collection, {runs, milliseconds}),
    count: runs,
  };
}

/** Single items that run again and again. */
function hotItems(context: CheckContext): Finding[] {
  const {records, now, at} = context;
  const counts = new Map<string, {collection: string; input: string; runs: number; sequence: number}>();
  let looked = 0;
  for (let sequence = at; sequence >= records.oldest() && looked < 3000; sequence--) {
    const batch = records.batch(sequence);
    if (!batch) continue;
    if (batch.at < now - MINUTE) break;
    // In a wide batch every input runs once, so it makes no single item busy.
    if (batch.runCount > 200) continue;
    for (let i = 0; i < batch.runCount; i++, looked++) {
      const {collection, input} = batch.brief?.(i) ?? batch.run(i);
      // A summary runs with every change.
      if (collection === '' || input === '') continue;
      const id = `${collection}\n${input}`;
      const entry = counts.get(id);
      if (entry) entry.runs++;
      else counts.set(id, {collection, input, runs: 1, sequence});
    }
  }
  return [...counts.values()]
    .filter(c => c.runs >= BUSY_ITEM)
    .sort((a, b) => b.runs - a.runs)
    .slice(0, 5)
    .map(({collection, input, runs, sequence}) => ({
      code: 'hot-item',
      severity: 'info' as const,
      collection,
      keys: [input],
      ...hotItemWords({collection, key: input}, runs),
      count: runs,
      sequence,
      evidence: {item: {collection, key: input}},
    }));
}

function fanOut(context: CheckContext, widest: BatchSummary | undefined): Finding[] {
  const root = widest?.roots[0];
  if (!widest || !root) return [];
  const runs = widest.runs.reduce((sum, r) => sum + Object.values(r.outcomes).reduce((a, b) => a + b, 0), 0);
  const {records, at} = context;
  const inputs = records
    .collections(at)
    .reduce((sum, c) => sum + (c.parents.length === 0 ? records.size(c.name, at) : 0), 0);
  if (runs < 1000 || runs < inputs / 4) return [];
  return [
    {
      code: 'fan-out',
      severity: 'info',
      collection: root.collection,
      keys: [root.key],
      ...fanOutWords({
        root,
        sequence: widest.sequence,
        collections: widest.runs.map(({collection}) => collection),
        runs,
        milliseconds: widest.duration,
      }),
      count: runs,
      sequence: widest.sequence,
      evidence: {item: {collection: root.collection, key: root.key}},
    },
  ];
}

export function workFindings(context: CheckContext): Finding[] {
  const {work, widest} = lastMinute(context);
  const findings = scanFindings(context, work);
  for (const [collection, done] of work) {
    const wasted = wastedFinding(context, collection, done);
    if (wasted) findings.push(wasted);
    const hot = hotFinding(collection, done);
    if (hot) findings.push(hot);
  }
  return [...findings, ...hotItems(context), ...fanOut(context, widest)];
}

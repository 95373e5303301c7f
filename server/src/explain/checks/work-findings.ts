// Work that is wasted or costly: scans without an index, runs that change nothing, hot spots, wide waves.
import type {BatchSummary, CollectionFacts, EdgeFacts, RecordedFetch, RecordedRun} from '../records.ts';
import {fetchWords, nameOf} from '../wording/sentence.ts';
import {type CheckContext, type Finding, MINUTE} from './finding.ts';

/** A scan over fewer items costs nobody anything. */
const SMALL = 50;
const SAMPLED = 24;
const BUSY_RUNS = 30;
/** Runs of one item in a minute: twice a second is more than a busy namespace gives a policy over all its Pods. */
const BUSY_ITEM = 120;

interface RunCost {
  runs: number;
  equal: number;
  milliseconds: number;
}

/** What each collection did in the last minute, and the widest wave of one write. */
function lastMinute(scene: CheckContext): {work: Map<string, RunCost>; widest: BatchSummary | undefined} {
  const work = new Map<string, RunCost>();
  let widest: BatchSummary | undefined;
  let most = 0;
  const {records, now, at} = scene;
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

/** The newest run of a collection that fits, within the last few batches. */
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

/** What would make a scanning fetch an indexed one. */
function indexFor(fetch: RecordedFetch, from: CollectionFacts | undefined): string {
  if (fetch.clauses.every(c => c.kind === 'all'))
    return `narrow it to what the formula needs: by key, filterNamespace or filterLabel, which are indexed by themselves, or by an index over what it compares`;
  const generic = fetch.clauses.find(c => c.kind === 'generic');
  if (generic)
    return `make an index of ${fetch.collection} over what ${generic.kind === 'generic' ? generic.name : 'the function'} looks at, and fetch with filterIndex`;
  const namespaced = from?.resource?.namespaced ?? true;
  return namespaced
    ? `an index of ${fetch.collection} by namespace covers it: fetch with filterNamespace and, if you can, filterLabel`
    : `fetch ${fetch.collection} by key, or make an index over what you look for`;
}

/** Fetches that walk through everything, with what that costs and what would help. */
function scanFindings(scene: CheckContext, work: ReadonlyMap<string, RunCost>): Finding[] {
  const {records, at} = scene;
  const findings: Finding[] = [];
  for (const edge of records.edges(at)) {
    const to = records.collection(edge.to, at);
    const size = records.size(edge.from, at);
    const parent = to?.parents[0];
    // One run over everything, a singleton's, is what a summary is; a run an input over everything is a square.
    if (edge.kind !== 'fetch' || size < SMALL || parent === undefined || records.size(parent, at) < 2)
      continue;
    const scans = sampledScans(scene, edge, parent);
    const [first] = scans;
    if (!first) continue;
    const {input, fetch} = first;
    const runs = work.get(edge.to)?.runs ?? 0;
    const cost = costWords(scans, runs, records.size(parent, at));
    findings.push({
      code: 'full-scan',
      severity: 'warning',
      collection: edge.to,
      keys: scans.map(s => s.input),
      title: `Unindexed fetch in ${edge.to}${runs > 0 ? `, ${runs} runs/min` : ''}`,
      message: `${nameOf({collection: edge.to, key: input})} asks ${fetchWords(edge.from, fetch.filter)}, which goes through all ${size} ${edge.from} and finds ${fetch.matched}; ${cost}`,
      count: Math.max(1, runs),
      evidence: {item: {collection: edge.to, key: input}},
      hint: indexFor(fetch, records.collection(edge.from, at)),
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

/** By name: in which order a collection has its keys is not the same at once and later. */
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

/** As the runs themselves counted it: who asks for everything shares one list, and pays when that changes. */
function costWords(scans: readonly SampledScan[], runs: number, inputs: number): string {
  const looked = scans.reduce((sum, {fetch}) => sum + fetch.scanned, 0) / scans.length;
  const isAll = scans.every(({fetch}) => fetch.clauses.every(c => c.kind === 'all'));
  if (isAll || looked === 0) return `each change of one of them runs all ${inputs} inputs`;
  return runs > 0
    ? `about ${Math.round(looked * runs)} items looked at in the last minute`
    : `${Math.round(looked)} items a run`;
}

function wastedFinding(scene: CheckContext, collection: string, {runs, equal}: RunCost): Finding | undefined {
  const share = equal / runs;
  if (runs < BUSY_RUNS || share < 0.9) return undefined;
  const run = recentRun(scene, collection, r => r.outcome === 'equal');
  const cause = run?.causes.find(c => c.collection !== undefined);
  const often = cause
    ? `, the last because of ${nameOf({collection: cause.collection!, key: cause.key ?? ''})}`
    : '';
  return {
    code: 'wasted-runs',
    severity: 'info',
    collection,
    keys: run ? [run.input] : [],
    title: `${Math.floor(share * 100)}% of ${collection} runs change nothing`,
    message: `${collection} ran ${runs} times in the last minute and ${equal} came out equal${often}`,
    count: equal,
    ...(run ? {evidence: {item: {collection, key: run.input}}, sequence: run.sequence} : {}),
    hint: 'fetch only what the formula reads: partialFetch, or a collection of just these fields in between',
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
    title: `${collection} is hot, ${runs} runs/min`,
    message: `${collection} took ${(milliseconds / 1000).toFixed(1)} s of the last minute in ${runs} runs, ${(milliseconds / runs).toFixed(2)} ms each`,
    count: runs,
    hint: 'open the trace of this collection: its causes say what wakes it',
  };
}

/** Single items that run again and again. */
function hotItems(scene: CheckContext): Finding[] {
  const {records, now, at} = scene;
  const counts = new Map<string, {collection: string; input: string; runs: number; sequence: number}>();
  let looked = 0;
  for (let sequence = at; sequence >= records.oldest() && looked < 3000; sequence--) {
    const batch = records.batch(sequence);
    if (!batch) continue;
    if (batch.at < now - MINUTE) break;
    // Wide batches make nothing hot by themselves: every input runs once.
    if (batch.runCount > 200) continue;
    for (let i = 0; i < batch.runCount; i++, looked++) {
      const {collection, input} = batch.brief?.(i) ?? batch.run(i);
      // A summary of everything runs with everything.
      if (collection === '' || input === '') continue;
      const id = `${collection}\n${input}`;
      const held = counts.get(id);
      if (held) held.runs++;
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
      title: `${nameOf({collection, key: input})} ran ${runs} times in a minute`,
      message: `${nameOf({collection, key: input})} ran ${runs} times in the minute before; its causes say what wakes it`,
      count: runs,
      sequence,
      evidence: {item: {collection, key: input}},
    }));
}

function fanOut(scene: CheckContext, widest: BatchSummary | undefined): Finding[] {
  const root = widest?.roots[0];
  if (!widest || !root) return [];
  const runs = widest.runs.reduce((sum, r) => sum + Object.values(r.outcomes).reduce((a, b) => a + b, 0), 0);
  const {records, at} = scene;
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
      title: `One write, ${runs} runs`,
      message: `${nameOf(root)} changed in batch ${widest.sequence} and ${widest.runs.map(r => r.collection).join(', ')} ran ${runs} times, ${widest.duration.toFixed(0)} ms`,
      count: runs,
      sequence: widest.sequence,
      evidence: {item: {collection: root.collection, key: root.key}},
      hint: 'a narrower filter wakes fewer inputs',
    },
  ];
}

export function workFindings(scene: CheckContext): Finding[] {
  const {work, widest} = lastMinute(scene);
  const findings = scanFindings(scene, work);
  for (const [collection, done] of work) {
    const wasted = wastedFinding(scene, collection, done);
    if (wasted) findings.push(wasted);
    const hot = hotFinding(collection, done);
    if (hot) findings.push(hot);
  }
  return [...findings, ...hotItems(scene), ...fanOut(scene, widest)];
}

// The sentence of the wave card: what a batch wrote, what ran, and where it stopped.
import {singularOf} from '@krtscope/shared/object-name.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';

const eventTexts = {add: 'New', update: 'A write to', delete: 'The deletion of'} as const;

export interface WaveCount {
  collection: string;
  runs: number;
  changed: number;
  equal: number;
  failed: number;
}

export function waveCounts(pulse: BatchPulse): WaveCount[] {
  const counts = new Map<string, WaveCount>();
  for (const wave of pulse.waves) {
    const count = counts.get(wave.to) ?? {collection: wave.to, runs: 0, changed: 0, equal: 0, failed: 0};
    for (const [outcome, n] of Object.entries(wave.outcomes) as [RunOutcome, number][]) {
      count.runs += n;
      if (outcome === 'failed') count.failed += n;
      else if (outcome === 'added' || outcome === 'changed' || outcome === 'deleted') count.changed += n;
      else count.equal += n;
    }
    counts.set(wave.to, count);
  }
  return [...counts.values()];
}

/** Collections whose runs were all equal. The wave stopped there. */
export function stopsOf(pulse: BatchPulse): WaveCount[] {
  return waveCounts(pulse).filter(count => count.runs > 0 && count.changed === 0 && count.failed === 0);
}

/**
 * `A write to Namespace shop re-ran 18 Workloads: 15 changed, 3 equal.`
 * `readers` returns the readers of a collection, `kindOf` the kind of its objects.
 */
export function waveSentence(
  pulse: BatchPulse,
  readers: (collection: string) => string[],
  kindOf: (collection: string) => string,
): SentencePart[] {
  const root = pulse.roots[0];
  if (!root) return [{text: 'This batch has no write from the cluster.'}];
  const parts: SentencePart[] = [
    {text: `${eventTexts[root.event]} ${kindOf(root.collection)} `},
    {code: root.key},
  ];
  const more = pulse.roots.length - 1;
  if (more > 0) parts.push({text: ` and ${more} more ${more === 1 ? 'change' : 'changes'}`});
  const counts = waveCounts(pulse);
  if (counts.length === 0) return [...parts, {text: ' started no runs: no formula reads it.'}];
  const ran = new Set(counts.map(count => count.collection));
  const first = counts[0]!;
  parts.push({text: ` re-ran ${ranText(first)}`}, ...countParts(first));
  for (const count of counts.slice(1, 3)) {
    if (count.changed + count.failed === 0) continue;
    parts.push({text: ` Then ${ranText(count)} ran`}, ...countParts(count));
  }
  const stops = stopsOf(pulse).map(stop => stop.collection);
  const stop =
    counts.find(count => count !== first && stops.includes(count.collection)) ??
    (stops.includes(first.collection) ? first : undefined);
  if (stop) {
    const notRun = readers(stop.collection).filter(name => !ran.has(name));
    parts.push({text: stopText(stop, stop !== first, notRun)});
  }
  return parts;
}

/** `3 Workloads`, `1 Workload`. */
function ranText({runs, collection}: WaveCount): string {
  return `${runs} ${runs === 1 ? singularOf(collection) : collection}`;
}

function stopText(stop: WaveCount, named: boolean, notRun: readonly string[]): string {
  const equal =
    stop.runs === 1
      ? ` The run of 1 ${singularOf(stop.collection)} was equal`
      : ` All ${stop.runs} ${stop.collection} runs were equal`;
  const result = named ? equal : '';
  if (notRun.length === 0) return named ? `${result}.` : '';
  const names = notRun.slice(0, 2).join(' and ');
  return named ? `${result}, so ${names} did not run.` : ` ${names} did not run.`;
}

/** `: 2 changed, 1 equal.`, or `. None changed.` */
function countParts(count: WaveCount): SentencePart[] {
  if (count.changed + count.failed === 0) return [{text: '. None changed.'}];
  const parts: SentencePart[] = [];
  if (count.changed > 0) parts.push({code: `${count.changed} changed`, mark: 'changed'});
  if (count.failed > 0) parts.push({code: `${count.failed} failed`, mark: 'error'});
  if (count.equal > 0) parts.push({text: `${count.equal} equal`});
  const list = parts.flatMap((part, i): SentencePart[] => (i === 0 ? [part] : [{text: ', '}, part]));
  return [{text: ': '}, ...list, {text: '.'}];
}

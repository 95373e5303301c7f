// The wave card's words: what one batch wrote, what ran, and where it stopped. Leaves replay to the pulses.
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';

const eventVerbs = {add: 'add', update: 'write', delete: 'removal'} as const;

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

/** Collections whose runs all came out equal: the wave ended at their edge. */
export function stopsOf(pulse: BatchPulse): WaveCount[] {
  return waveCounts(pulse).filter(count => count.runs > 0 && count.changed === 0 && count.failed === 0);
}

/**
 * The sentence: root, what it ran, and the collections where the wave stopped with what never ran behind them.
 * `readers` names the collections that a collection feeds.
 */
export function waveSentence(pulse: BatchPulse, readers: (collection: string) => string[]): SentencePart[] {
  const root = pulse.roots[0];
  if (!root) return [{text: 'This turn had no write from outside.'}];
  const parts: SentencePart[] = [
    {item: {collection: root.collection, key: root.key}, role: 'cause'},
    {text: ` ${eventVerbs[root.event]}`},
  ];
  if (pulse.roots.length > 1) parts.push({text: ` and ${pulse.roots.length - 1} more`});
  const counts = waveCounts(pulse);
  if (counts.length === 0) return [...parts, {text: ' ran nothing: no formula looks at it.'}];
  const ran = new Set(counts.map(count => count.collection));
  const first = counts[0]!;
  parts.push({text: ` ran ${first.runs} ${first.collection}: `}, ...countParts(first), {text: '.'});
  for (const count of counts.slice(1, 3)) {
    if (count.changed + count.failed === 0) continue;
    parts.push({text: ` Then ${count.runs} ${count.collection}: `}, ...countParts(count), {text: '.'});
  }
  const stops = stopsOf(pulse).map(stop => stop.collection);
  const stop =
    counts.find(count => count !== first && stops.includes(count.collection)) ??
    (stops.includes(first.collection) ? first : undefined);
  if (stop)
    parts.push({
      text: stopWords(
        stop,
        stop !== first,
        readers(stop.collection).filter(name => !ran.has(name)),
      ),
    });
  return parts;
}

function stopWords(stop: WaveCount, fed: boolean, behind: string[]): string {
  const subject = fed
    ? ` The ${stop.runs} ${stop.collection} it fed came out equal`
    : ' The result was equal';
  return behind.length === 0
    ? `${subject}.`
    : `${subject}, so ${behind.slice(0, 2).join(' and ')} never ran.`;
}

function countParts(count: WaveCount): SentencePart[] {
  const parts: SentencePart[] = [];
  if (count.changed > 0) parts.push({code: `${count.changed} changed`, mark: 'changed'});
  if (count.failed > 0) parts.push({code: `${count.failed} failed`, mark: 'error'});
  if (count.equal > 0) parts.push({text: `${count.equal} equal`});
  return parts.flatMap((part, i) => (i === 0 ? [part] : [{text: ', '}, part]));
}

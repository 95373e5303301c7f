// The wave of an answer of What if, in the form that the Graph draws. Pure.
import type {Graph} from '@krtscope/shared/graph.ts';
import {singularOf} from '@krtscope/shared/object-name.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import type {WhatIf} from '@krtscope/shared/what-if/what-if.ts';
import {eventOf} from '@krtscope/shared/what-if/what-if-text.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';

const rootEvents = {added: 'add', changed: 'update', removed: 'delete'} as const;
const MAX_NAMED = 4;

export function supposedWave(
  {sequence, at, collections, stopped}: WhatIf,
  edges: Graph['edges'],
): BatchPulse | undefined {
  const roots: BatchPulse['roots'] = [];
  const waves = new Map<string, BatchPulse['waves'][number]>();
  const add = (from: string, to: string, outcome: keyof BatchPulse['waves'][number]['outcomes']) => {
    const wave = waves.get(`${from} ${to}`) ?? {from, to, outcomes: {}};
    wave.outcomes[outcome] = (wave.outcomes[outcome] ?? 0) + 1;
    waves.set(`${from} ${to}`, wave);
  };
  for (const [collection, rows] of Object.entries(collections))
    for (const row of rows) {
      const from = row.run?.causes.find(cause => cause.collection !== undefined)?.collection;
      const upstream = from ?? readsChanged(collection, collections, edges);
      if (upstream === undefined) roots.push({collection, key: row.key, event: rootEvents[eventOf(row)]});
      else add(upstream, collection, row.run?.outcome ?? 'changed');
    }
  for (const {collection} of stopped) {
    const from = readsChanged(collection, collections, edges);
    if (from !== undefined) add(from, collection, 'equal');
  }
  return roots.length + waves.size === 0 ? undefined : {sequence, at, roots, waves: [...waves.values()]};
}

/** The changed collection that this one reads. Joins and rows that stayed equal name no cause. */
function readsChanged(
  collection: string,
  collections: WhatIf['collections'],
  edges: Graph['edges'],
): string | undefined {
  return edges.find(edge => edge.to === collection && (collections[edge.from]?.length ?? 0) > 0)?.from;
}

/** `1 Service would change. Then 3 Workloads and 1 ServiceInfo would differ; 2 Routes would stay equal.` */
export function supposedSentence(
  {collections, stopped}: WhatIf,
  wave: BatchPulse | undefined,
): SentencePart[] {
  if (wave === undefined) return [{text: 'No row would change.'}];
  const sources = new Set(wave.roots.map(root => root.collection));
  const written = [...sources].map(name =>
    counted(wave.roots.filter(one => one.collection === name).length, name),
  );
  const changed = Object.entries(collections)
    .filter(([name, rows]) => !sources.has(name) && rows.length > 0)
    .map(([name, rows]) => counted(rows.length, name));
  const equal = [...Map.groupBy(stopped, row => row.collection)].map(([name, rows]) =>
    counted(rows.length, name),
  );
  const parts: SentencePart[] = [];
  if (written.length > 0) parts.push({code: listed(written), mark: 'changed'}, {text: ' would be written. '});
  parts.push(
    ...(changed.length > 0
      ? ([{code: listed(changed), mark: 'changed'}, {text: ' would differ'}] as SentencePart[])
      : [{text: 'Nothing computed would differ'}]),
  );
  return [...parts, {text: equal.length === 0 ? '.' : `; ${listed(equal)} would run again and stay equal.`}];
}

function counted(count: number, collection: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singularOf(collection) : collection}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more collections` : shown.join(', ');
}

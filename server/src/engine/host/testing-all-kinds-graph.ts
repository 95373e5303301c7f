// A graph for tests with every kind of collection. Its inputs make formulas fail, discard or return nothing, so that
// tests can compare the rows after a restart and from a file.
import {
  type Collection,
  type Engine,
  fetch,
  filterKey,
  filterLabel,
  joinCollection,
  joinWithMergeCollection,
  mapCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newSingleton,
} from '../../krt/index.ts';

export interface AllKindsInput {
  readonly metadata: {readonly name: string; readonly labels?: Readonly<Record<string, string>>};
  readonly mode?: 'fail' | 'discard' | 'none' | 'plain';
  readonly size?: number;
}

export interface AllKindsResult {
  readonly name: string;
  readonly size: number;
  readonly zone: string;
  readonly friends: readonly string[];
}

export const sources = ['Moods', 'Spares'];

const nameOf = (row: unknown): string => (row as {name: string}).name;

export function build(engine: Engine, source: (name: string) => Collection<unknown>): void {
  const moods = source('Moods') as Collection<AllKindsInput>;
  const spares = source('Spares') as Collection<AllKindsInput>;
  const results = newCollection(
    moods,
    (ctx, {metadata: {name, labels = {}}, mode, size = 0}): AllKindsResult | undefined => {
      const twin = fetch(ctx, spares, filterKey(name));
      const friends = fetch(ctx, spares, filterLabel(labels)).map(s => s.metadata.name);
      if (mode === 'fail') throw new Error(`${name} is not in the mood`);
      if (mode === 'discard') ctx.discardResult();
      if (mode === 'none') return undefined;
      return {name, size: size + twin.length, zone: labels.zone ?? 'a', friends: friends.sort()};
    },
    {name: 'Results', key: nameOf, labels: ({zone}) => ({zone})},
  );
  const parts = newManyCollection(
    results,
    (ctx, {name, size, zone}) => {
      if (size === 5) throw new Error('five is too many');
      if (size === 4) ctx.discardResult();
      return Array.from({length: size}, (_, i) => ({name: `${name}/${i}`, zone}));
    },
    {name: 'Parts', key: nameOf},
  );
  const extras = newCollection(
    spares,
    (_, {metadata, size = 0}) => ({name: `${metadata.name}/0`, zone: String(size)}),
    {
      name: 'Extras',
      key: nameOf,
    },
  );
  joinCollection([parts, extras], {name: 'Either', key: nameOf});
  joinWithMergeCollection(
    [parts, extras],
    rows => ({
      name: nameOf(rows[0]),
      zone: rows
        .map(r => r.zone)
        .sort()
        .join(),
    }),
    {
      name: 'Both',
      key: nameOf,
    },
  );
  mapCollection(results, ({name, size}) => ({name, double: size * 2}), {name: 'Doubles', key: nameOf});
  const byZone = newIndex(results, 'zone', ({zone}) => [zone]).asCollection({name: 'ByZone'});
  newSingleton(
    engine,
    ctx => ({
      zones: fetch(ctx, byZone).length,
      parts: fetch(ctx, parts).length,
      sizes: fetch(ctx, results).reduce((sum, {size}) => sum + size, 0),
    }),
    {name: 'Total', key: () => 'total'},
  );
}

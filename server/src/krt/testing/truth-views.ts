// The graphs of the recorded cases that test joins, groups, singletons, discarding and triggers.
import {
  type Collection,
  fetch,
  joinCollection,
  joinWithMergeCollection,
  mapCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newIndex,
  newRecomputeTrigger,
  newSingleton,
  newStaticCollection,
} from '../index.ts';
import {
  type Build,
  derived,
  keysOf,
  named,
  row,
  type Sources,
  sorted,
  type TruthRow,
  view,
} from './truth-rows.ts';

/** The data of a ConfigMap, with the name of its source. */
function tagged(sources: Sources, name: string): Collection<TruthRow> {
  return mapCollection(sources[name]!, o => row(o, {from: name, ...o.data}), {...named(`tagged ${name}`)});
}

function mergeRows(items: readonly TruthRow[]): TruthRow | undefined {
  const n = Math.max(...items.map(i => Number(i.value.n)));
  if (n === 0) return undefined;
  return {key: items[0]!.key, value: {from: sorted(items.map(i => String(i.value.from))), n}};
}

export const tally: Build = (engine, {pods}) => {
  const all = newSingleton<TruthRow>(
    engine,
    ctx => {
      const counts: Record<string, number> = {};
      const found = fetch(ctx, pods!);
      for (const pod of found) counts[pod.phase ?? ''] = (counts[pod.phase ?? ''] ?? 0) + 1;
      return found.length === 0 ? undefined : {key: 'tally', value: counts};
    },
    named('tally'),
  );
  return {watched: {tally: derived(all)}};
};

export const join: Build = (_, sources) => {
  const joined = joinCollection([tagged(sources, 'first'), tagged(sources, 'second')], named('joined'));
  const shout = newCollection(
    joined,
    (_ctx, item): TruthRow => ({key: item.key, value: {n: `${item.value.n ?? ''}!`, from: item.value.from}}),
    named('shout'),
  );
  return {watched: {joined: view(joined, true), shout: derived(shout)}};
};

export const merge: Build = (_, sources) => {
  const members = ['first', 'second', 'third'].map(name => tagged(sources, name));
  return {watched: {merged: view(joinWithMergeCollection(members, mergeRows, named('merged')), false)}};
};

export const nested: Build = (engine, sources) => {
  const members = new Map(['a', 'b', 'c'].map(name => [name, tagged(sources, name)]));
  const container = newStaticCollection(engine, [members.get('a')!, members.get('b')!], {name: 'container'});
  const merged = nestedJoinWithMergeCollection(container, mergeRows, named('merged'));
  const attached = (name: string) => container.getKey(String(members.get(name)!.uid)) !== undefined;
  return {
    watched: {merged: view(merged, false)},
    attach: name => {
      if (!attached(name)) container.updateObject(members.get(name)!);
    },
    detach: name => container.deleteObject(String(members.get(name)!.uid)),
  };
};

export const byNode: Build = (_, {pods}) => {
  const index = newIndex(pods!, 'node', pod => (pod.node ? [pod.node] : []));
  const nodes = newCollection(
    index.asCollection(),
    (_ctx, group): TruthRow => ({
      key: group.key,
      value: {
        pods: keysOf(group.objects),
        running: group.objects.filter(p => p.phase === 'Running').length,
      },
    }),
    named('nodes'),
  );
  return {watched: {nodes: derived(nodes)}};
};

export const discard: Build = (_, {configs}) => {
  const settings = newCollection(
    configs!,
    (ctx, config) => {
      const mode = config.data?.mode ?? '';
      if (mode === 'none') return undefined;
      if (mode === 'bad' || mode === 'bad+default') ctx.discardResult();
      if (mode === 'bad') return undefined;
      if (mode === 'bad+default') return row(config, {mode: 'default'});
      return row(config, {mode, n: config.data?.n ?? ''});
    },
    named('settings'),
  );
  return {watched: {settings: derived(settings)}};
};

export const trigger: Build = (engine, {pods}) => {
  let color = 'blue';
  const outside = newRecomputeTrigger(engine, {name: 'outside'});
  const painted = newCollection(
    pods!,
    (ctx, pod) => {
      if (pod.phase !== 'Running') return row(pod, {color: 'grey'});
      outside.markDependant(ctx);
      return row(pod, {color});
    },
    named('painted'),
  );
  return {
    watched: {painted: derived(painted)},
    setValue: value => {
      color = value;
    },
    trigger: () => outside.triggerRecomputation(),
  };
};

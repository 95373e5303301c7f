// A tracked re-run: the formula once more against the present, with every read of a field noted.
import type {Probe} from '../../explain/records.ts';
import {
  collectionByName,
  type Dependency,
  dependenciesOf,
  type Engine,
  type Probed,
  probe,
} from '../../krt/index.ts';
import {Tracker} from './tracker.ts';

/** Undefined where there is no formula or no such input. */
export function probeRun(engine: Engine, name: string, input: string): Probe | undefined {
  const collection = collectionByName(engine, name);
  if (collection === undefined) return undefined;
  const tracker = new Tracker();
  const lines: (string | undefined)[] = [];
  let probed: Probed;
  try {
    probed = probe(collection, input, (item, {collection: from, key, fetch}) => {
      if (fetch >= 0 && lines[fetch] === undefined) lines[fetch] = lineOfFormula();
      return item === null ? item : tracker.watch(from, key, item);
    });
  } catch {
    return undefined;
  }
  const dependencies = dependenciesOf(collection, input);
  const fetches = dependencies.map(({collection: from, filter, clauses, matched, via, keys}) => ({
    collection: from,
    filter,
    clauses,
    matched,
    scanned: 0,
    via: {...via},
    keys: [...keys],
  }));
  // A list that is made lazily is read when it is walked through.
  const outcome = outcomeOf(probed);
  const error =
    probed.error ?? (probed.waitingFor === undefined ? undefined : `waiting for ${probed.waitingFor}`);
  return {
    reads: tracker.reads(),
    fetches,
    lines,
    outcome,
    filterReads: (from, key, value) => filterReads(dependencies, from, key, value),
    test: (from, filter, key, value) =>
      dependencies.find(d => d.collection === from && d.filter === filter)?.test(value, key),
    ...(error === undefined ? {} : {error}),
  };
}

function filterReads(
  dependencies: readonly Dependency[],
  from: string,
  key: string,
  value: unknown,
): readonly string[] {
  const tracker = new Tracker();
  const watched = tracker.watch(from, key, value);
  for (const {collection, test} of dependencies) if (collection === from) test(watched, key);
  return tracker.reads()[0]?.paths ?? [];
}

function outcomeOf({error, waitingFor, discarded, value}: Probed): Probe['outcome'] {
  if (waitingFor !== undefined) return 'suspended';
  if (error !== undefined) return 'failed';
  if (discarded) return 'discarded';
  if (value === undefined || value === null) return 'empty';
  return typeof value === 'object' &&
    Symbol.iterator in value &&
    [...(value as Iterable<unknown>)].length === 0
    ? 'empty'
    : 'outputs';
}

/** `workloads.ts:41`: where the formula made the fetch, if the stack says so. */
function lineOfFormula(): string | undefined {
  const frames = new Error().stack?.split('\n').slice(1) ?? [];
  // By what comes last of the path: the folder of the whole product may have such a name too.
  const ours = /\/(?:krt|engine)\/(?:[\w-]+\/)?[\w.-]+:\d+:\d+\)?$/;
  const frame = frames.find(line => !ours.test(line) && /:\d+:\d+\)?$/.test(line));
  return frame?.match(/([^/\\(]+:\d+):\d+\)?$/)?.[1];
}

// Small Kubernetes-shaped objects, and the engine's trace as short lines for assertions.

import {
  type BatchTrace,
  type Cause,
  type Collection,
  createEngine,
  type Engine,
  type EngineOptions,
  type EngineStats,
  type HandlerContext,
  newCollection,
  newStaticCollection,
  type Run,
} from '../index.ts';

export interface Thing {
  metadata: {name: string; namespace?: string; labels?: Record<string, string>};
  spec?: {selector?: Record<string, string>};
  v?: unknown;
}

/** `thing('a/b', 1, {app: 'x'})`; without a slash it is cluster-scoped. */
export function thing(key: string, v?: unknown, labels?: Record<string, string>): Thing {
  const [first, second] = key.split('/') as [string, string | undefined];
  const metadata: Thing['metadata'] = second === undefined ? {name: first} : {name: second, namespace: first};
  if (labels !== undefined) metadata.labels = labels;
  return v === undefined ? {metadata} : {metadata, v};
}

export function selecting(key: string, selector?: Record<string, string>): Thing {
  return {...thing(key), spec: selector === undefined ? {} : {selector}};
}

export function keyOf(item: Thing): string {
  const {namespace, name} = item.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

/** The smallest item that has a key and can change. */
export interface Item {
  key: string;
  n: number;
}

export const item = (key: string, n = 1): Item => ({key, n});

export interface Rig {
  engine: Engine;
  /** Traces since the last call. */
  traces(): BatchTrace[];
  /** Runs since the last call, as `collection input outcome <- causes`. */
  runs(): string[];
}

export function rig(options: EngineOptions = {}): Rig {
  const engine = createEngine({checks: 'off', ...options});
  let seen: BatchTrace[] = [];
  engine.onTrace(trace => seen.push(trace));
  const traces = () => {
    const taken = seen;
    seen = [];
    return taken;
  };
  return {engine, traces, runs: () => traces().flatMap(trace => trace.runs.map(runText))};
}

/** A collection with one input `i` whose row is the sorted keys that `read` fetches. */
export function reader(
  read: (ctx: HandlerContext, source: Collection<Thing>, item: Thing) => readonly Thing[],
) {
  const all = rig();
  const source = newStaticCollection<Thing>(all.engine, [], {name: 'source'});
  const inputs = newStaticCollection<Thing>(all.engine, [thing('i', 'k1')], {name: 'inputs'});
  const rows = newCollection(
    inputs,
    (ctx, item) => ({key: keyOf(item), found: read(ctx, source, item).map(keyOf).sort()}),
    {key: row => row.key, name: 'rows'},
  );
  all.runs();
  return {...all, source, inputs, rows, found: () => rows.getKey('i')?.found};
}

function runText(run: Run): string {
  return `${run.collection} ${run.input} ${run.outcome} <- ${run.causes.map(causeText).join(', ')}`;
}

function causeText(cause: Cause): string {
  if (cause.kind === 'formula') return 'formula';
  if (cause.kind === 'synced') return `synced ${cause.collection}`;
  const change = `${cause.collection} ${cause.key} ${cause.event}`;
  if (cause.kind === 'input') return change;
  return `${change} (${cause.filter}, ${cause.matched}, ${cause.via?.name ?? cause.via?.kind})`;
}

/** The counts of engineStats when nothing is left behind. */
export const NOTHING_LEFT: EngineStats = {
  dependencies: 0,
  queries: 0,
  buckets: 0,
  handlers: 0,
  subscriptions: 0,
};

/** A user's function that throws while its switch is on. */
export function moody() {
  const mood = {
    unwell: true,
    call: (): undefined => {
      if (mood.unwell) throw new Error('no');
    },
  };
  return mood;
}

/** An engine that repeats no runs. */
export const quiet = (): Engine => createEngine({checks: 'off'});

export const codes = (engine: Engine): string[] => engine.violations().map(({code}) => code);

/** The codes of the current violations, with the keys that they are counted under. */
export function violated(engine: Engine): string[] {
  return engine.violations().map(v => `${v.code} ${v.collection} ${v.keys[0] ?? ''}`.trim());
}

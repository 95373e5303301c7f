// Passes an informer's states, changes and gaps to the engine.
import type {EngineHandle, SourceChange, SourceReport} from '../engine/link/engine-link.ts';
import type {Change} from '../kube/informer/change-handler.ts';
import type {Informer} from '../kube/informer/informer.ts';
import {toWireWriter} from '../kube/informer/wire-writer.ts';
import type {Gap, ReflectorState} from '../kube/reflector/reflector-state.ts';
import {type Resource, resourceName, toWireResource} from '../kube/resource.ts';

export interface SourceFeederOptions {
  collection: string;
  informer: Informer;
  engine: EngineHandle;
  /** The kubectl command for the same cluster, and the namespace if only one is read. */
  kubectl: string;
  namespace?: string | undefined;
  /** Keys that the engine has from another version of the kind. Missing ones are deleted. */
  rows?: ReadonlySet<string> | undefined;
  now: () => number;
  /** The paths of kubectl's columns, once they are known. */
  columns?: () => readonly string[] | undefined;
  onState: (collection: string, state: ReflectorState) => void;
}

export interface SourceFeeder {
  /** Reports the source's state again. */
  report(): void;
  /** Stops passing anything on. */
  end(): void;
}

/** Passes everything from an informer to the engine, starting with the first list. */
export function feedSource(options: SourceFeederOptions): SourceFeeder {
  const {collection, informer, engine, now, columns, onState} = options;
  const {resource} = informer;
  let ended = false;
  const report = (state: ReflectorState) => {
    if (ended) return;
    const sourceReport = toReport(
      state,
      resource,
      options.rows !== undefined || informer.hasSynced(),
      options,
    );
    const paths = columns?.();
    engine.sourceState(
      collection,
      paths === undefined ? sourceReport : {...sourceReport, columns: [...paths]},
    );
    onState(collection, state);
  };
  informer.addHandler({
    onChanges: changes => {
      if (!ended) engine.apply(changes.map(change => toSourceChange(collection, change, now())));
    },
    onState: report,
    onWithheld: objects => {
      if (!ended) engine.withhold(collection, objects);
    },
    onSynced: () => {
      const gone = [...(options.rows ?? [])].filter(key => informer.cache.get(key) === undefined);
      if (!ended && gone.length > 0)
        engine.apply(gone.map(key => ({collection, key, event: 'delete', received: now()})));
      report(informer.state);
    },
    onGap: gap => {
      if (!ended) engine.gap(toGap(collection, gap, now(), engine.sequence));
    },
  });
  return {
    report: () => report(informer.state),
    end: () => {
      ended = true;
    },
  };
}

function toSourceChange(collection: string, change: Change, received: number): SourceChange {
  const {event, key, writer} = change;
  return {
    collection,
    key,
    event,
    received,
    ...(event === 'delete' ? {} : {new: change.new}),
    ...(writer === undefined ? {} : {writer: toWireWriter(writer)}),
  };
}

function toReport(
  state: ReflectorState,
  resource: Resource,
  synced: boolean,
  {kubectl, namespace}: SourceFeederOptions,
): SourceReport {
  const where = namespace === undefined ? '--all-namespaces' : `-n ${namespace}`;
  const {phase, reason, seen, total} = state;
  return {
    state: phase,
    listed: seen,
    total,
    synced: synced || phase === 'not installed',
    resource: toWireResource(resource),
    reason: reason || undefined,
    hint: phase === 'forbidden' ? `${kubectl} auth can-i list ${resourceName(resource)} ${where}` : undefined,
  };
}

function toGap(collection: string, {reason, lasted, differed, missed}: Gap, now: number, sequence: number) {
  const seconds = (lasted / 1000).toFixed(1);
  const text =
    missed === undefined
      ? `${collection}: ${seconds} s without updates (${reason}); listed again, ${differed} differed`
      : `the watch of ${collection} missed ${missed === 1 ? '1 event' : `${missed} events`}; repaired`;
  return {kind: 'watch' as const, from: now - lasted, to: now, sequence, text};
}

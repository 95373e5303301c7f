// The way from an informer's news to the engine's: states, changes, gaps.
import type {EngineHandle, SourceChange, SourceReport} from '../engine/link/engine-link.ts';
import type {Change} from '../kube/informer/change-handler.ts';
import type {Informer} from '../kube/informer/informer.ts';
import type {Gap, ReflectorState} from '../kube/reflector/reflector-state.ts';
import {type Resource, resourceName, toWireResource} from '../kube/resource.ts';

/** kubectl's own copy of an object: dropped from every object, so nobody is named for having written it. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Paths of a writer that are told. */
const MAX_PATHS = 20;

export interface SourceFeederOptions {
  collection: string;
  informer: Informer;
  engine: EngineHandle;
  /** The command that reaches the same cluster, and the namespace that is read if not all are. */
  kubectl: string;
  namespace?: string | undefined;
  /** Keys that the engine has from another version of the kind: those that are no longer there go. */
  rows?: ReadonlySet<string> | undefined;
  now: () => number;
  /** Paths that kubectl shows of such objects, once they are known. */
  columns?: () => readonly string[] | undefined;
  onState: (collection: string, state: ReflectorState) => void;
}

export interface SourceFeeder {
  /** Tells the engine again how the source stands. */
  report(): void;
  /** From now on nothing of it is handed on. */
  end(): void;
}

/** Hands everything that an informer says to the engine, from the first list on. */
export function feedSource(options: SourceFeederOptions): SourceFeeder {
  const {collection, informer, engine, now, columns, onState} = options;
  const {resource} = informer;
  let ended = false;
  const report = (state: ReflectorState) => {
    if (ended) return;
    const told = toReport(state, resource, options.rows !== undefined || informer.hasSynced(), options);
    const paths = columns?.();
    engine.sourceState(collection, paths === undefined ? told : {...told, columns: [...paths]});
    onState(collection, state);
  };
  informer.addHandler({
    onChanges: changes => {
      if (!ended) engine.apply(changes.map(change => toSourceChange(collection, change, now())));
    },
    onState: report,
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
    ...(writer === undefined
      ? {}
      : {
          writer: {
            manager: writer.manager,
            operation: writer.operation,
            time: writer.time,
            paths: writer.paths
              .slice(0, MAX_PATHS + 1)
              .filter(path => !path.includes(LAST_APPLIED))
              .slice(0, MAX_PATHS),
          },
        }),
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
    ...(total === undefined ? {} : {total}),
    synced: synced || phase === 'not installed',
    resource: toWireResource(resource),
    ...(reason === '' ? {} : {reason}),
    ...(phase === 'forbidden' ? {hint: `${kubectl} auth can-i list ${resourceName(resource)} ${where}`} : {}),
  };
}

function toGap(collection: string, {reason, lasted, differed}: Gap, now: number, sequence: number) {
  const seconds = (lasted / 1000).toFixed(1);
  const text = `${collection}: ${seconds} s without news (${reason}); listed again, ${differed} differed`;
  return {kind: 'watch' as const, from: now - lasted, to: now, sequence, text};
}

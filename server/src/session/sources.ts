// The sources that ship, and the way from an informer's news to the engine's: states, changes, gaps.
import type {Resource as WireResource} from '@krtscope/shared/graph.ts';
import type {Engine, SourceChange, SourceReport, SourceSpec} from '../engine/link/link.ts';
import type {Change} from '../kube/handler.ts';
import type {Informer} from '../kube/informer.ts';
import type {Gap, ReflectorState} from '../kube/reflector-state.ts';
import {type Resource, resourceName, resources} from '../kube/resource.ts';

/** Contract.md 8: what every session reads, by collection name. */
export const shipped = {
  Namespaces: resources.Namespaces,
  Nodes: resources.Nodes,
  Pods: resources.Pods,
  Services: resources.Services,
  EndpointSlices: resources.EndpointSlices,
  Deployments: resources.Deployments,
  ReplicaSets: resources.ReplicaSets,
  ConfigMaps: resources.ConfigMaps,
  Secrets: resources.Secrets,
  NetworkPolicies: resources.NetworkPolicies,
} as const satisfies Record<string, Resource>;

export const sourceSpecs: SourceSpec[] = Object.entries(shipped).map(([collection, resource]) => ({
  collection,
  resource: toWire(resource),
}));

function toWire({group, version, plural, kind, namespaced}: Resource): WireResource {
  return {group, version, resource: plural, kind, namespaced};
}

/** kubectl's own copy of an object: dropped from every object, so nobody is named for having written it. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Paths of a writer that are told. */
const PATHS = 20;

export interface FeedOptions {
  collection: string;
  informer: Informer;
  engine: Engine;
  context: string;
  now: () => number;
  onState: (collection: string, state: ReflectorState) => void;
}

/** Hands everything that an informer says to the engine, from the first list on. */
export function feed({collection, informer, engine, context, now, onState}: FeedOptions): void {
  const {resource} = informer;
  const report = (state: ReflectorState) => {
    engine.sourceState(collection, toReport(state, resource, informer.hasSynced(), context));
    onState(collection, state);
  };
  informer.addHandler({
    onChanges: changes => engine.apply(changes.map(change => toSourceChange(collection, change, now()))),
    onState: report,
    onSynced: () => report(informer.state),
    onGap: gap => engine.gap(toGap(collection, gap, now(), engine.sequence)),
  });
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
              .slice(0, PATHS + 1)
              .filter(path => !path.includes(LAST_APPLIED))
              .slice(0, PATHS),
          },
        }),
  };
}

function toReport(state: ReflectorState, resource: Resource, synced: boolean, context: string): SourceReport {
  const {phase, reason, seen, total} = state;
  return {
    state: phase,
    listed: seen,
    ...(total === undefined ? {} : {total}),
    synced: synced || phase === 'not installed',
    resource: toWire(resource),
    ...(reason === '' ? {} : {reason}),
    ...(phase === 'forbidden'
      ? {hint: `kubectl --context ${context} auth can-i list ${resourceName(resource)} --all-namespaces`}
      : {}),
  };
}

function toGap(collection: string, {reason, lasted, differed}: Gap, now: number, sequence: number) {
  const seconds = (lasted / 1000).toFixed(1);
  const text = `${collection}: ${seconds} s without news (${reason}); listed again, ${differed} differed`;
  return {kind: 'watch' as const, from: now - lasted, to: now, sequence, text};
}

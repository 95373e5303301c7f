// Where a session's data comes from: a cluster, a program, a krtz document or a recording.

import type {WireResource} from '@krtscope/shared/graph.ts';
import type {LagAnswer} from '@krtscope/shared/programs/lag.ts';
import type {ProgramWork} from '@krtscope/shared/programs/work.ts';
import type {AttachedState, SessionAnswer} from '@krtscope/shared/session.ts';
import type {AddedSource, KindsAnswer} from '@krtscope/shared/sources.ts';
import type {ClusterObjects} from '../attach/lag/cluster-objects.ts';
import type {EngineHandle} from '../engine/link/engine-link.ts';
import type {SessionConnection} from './connection-state.ts';
import type {OpenApiDocuments} from './types/declarations.ts';

export interface SessionFeed {
  /** The cluster of these objects, as far as it is known. */
  readonly cluster: SessionAnswer['cluster'];
  readonly connection: SessionConnection;
  /** The time up to which all its sources are right, and whether that is now. Absent for static data. */
  readonly freshness?: {asOf: number; current: boolean} | undefined;
  /** Of an attached program: the state of its document and its log. */
  readonly attached?: AttachedState | undefined;
  /** The chosen namespaces. Empty means all. */
  readonly namespaces: readonly string[];
  /** The OpenAPI documents of its kinds. */
  readonly documents: OpenApiDocuments;
  /** Starts to report to the engine. Calls `changed` when one of the fields above changes. */
  start(engine: EngineHandle, changed: () => void): void;
  /** Why the engine's data may be incomplete; empty if it is complete. */
  notReadyReasons(engine: EngineHandle, brief: boolean): Promise<string[]>;
  /** Retries pending work at once. */
  retry(): void;
  stop(): Promise<void>;
  /**
   * Reads one object from the cluster, as it is there. Resolves with undefined if it is gone or cannot be read. Absent
   * without a cluster.
   */
  readObject?(object: {resource: WireResource; namespace: string; name: string}): Promise<object | undefined>;
  /** Of a cluster: its objects, to compare a program's informers with. */
  readonly objects?: ClusterObjects | undefined;
  /** Of an attached program: how far its informers are behind their cluster. */
  readonly lag?: LagAnswer | undefined;
  /** Of an attached program: what it did in vain, and what stands out in its documents. */
  readonly work?: ProgramWork | undefined;
  /** Absent if sources cannot be added. */
  readonly sources?: SessionSources | undefined;
}

/** The sources of a session, and possible other ones. Rejects with EngineFailure. */
export interface SessionSources {
  kinds(): Promise<KindsAnswer>;
  add(resource: string): Promise<AddedSource>;
  drop(name: string): Promise<void>;
}

// What a session's engine is fed by: a cluster, a program, somebody's document, or a file that has nothing new to say.

import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {AddedSource, KindsAnswer} from '@krtscope/shared/sources.ts';
import type {EngineHandle} from '../engine/link/engine-link.ts';
import type {SessionConnection} from './connection-state.ts';
import type {OpenApiDocuments} from './types/declarations.ts';

export interface SessionFeed {
  /** Whose objects these are, as far as is known. */
  readonly cluster: SessionAnswer['cluster'];
  readonly connection: SessionConnection;
  /** The time that all its sources are right up to, and whether that is now; absent where nothing moves. */
  readonly freshness?: {asOf: number; current: boolean} | undefined;
  /** Those that were chosen; none: all. */
  readonly namespaces: readonly string[];
  /** The OpenAPI documents of its kinds. */
  readonly documents: OpenApiDocuments;
  /** Begins, and tells the engine everything it learns. `changed`: what the fields above say is another. */
  start(engine: EngineHandle, changed: () => void): void;
  /** Why what the engine has may not be all, in words; none when it is. */
  notReadyReasons(engine: EngineHandle): Promise<string[]>;
  /** Tries again at once what it waits to try. */
  retry(): void;
  stop(): Promise<void>;
  /** Absent where nothing can be added. */
  readonly sources?: SessionSources | undefined;
}

/** The sources of a session, and what else could be one. Rejects with EngineFailure. */
export interface SessionSources {
  kinds(): Promise<KindsAnswer>;
  add(resource: string): Promise<AddedSource>;
  drop(name: string): Promise<void>;
}

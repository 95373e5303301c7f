// The public face of the engine: everything that another program may rely on, under the names of krt.md 0.4.

export type {Change, ChangeEvent} from './change.ts';
export {items, latest} from './change.ts';
export type {
  BatchHandler,
  Collection,
  CollectionKind,
  DerivedCollection,
  DerivedSingleton,
  Handler,
  Labels,
  Metadata,
  Options,
  Registration,
  RowState,
  Singleton,
  StaticCollection,
  StaticSingleton,
  SyncLatch,
} from './collection.ts';
export type {HandlerContext} from './context.ts';
export {EngineError, type EngineErrorCode} from './error.ts';
export {type Clause, describeFilters, Filter} from './filter.ts';
export type {
  BatchTrace,
  Cause,
  CauseKind,
  DependencyRef,
  FetchRecord,
  Outcome,
  Published,
  RootChange,
  Run,
  RunCounts,
  RunOutput,
  Via,
} from './trace.ts';
export type {Violation, ViolationCode} from './violation.ts';

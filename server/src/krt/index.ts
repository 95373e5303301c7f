// The public face of the engine: everything that another program may rely on, under the names of krt.md 0.4.

export {type Change, type ChangeEvent, items, latest} from './change.ts';
export type {Clock} from './clock.ts';
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
export {createEngine} from './create-engine.ts';
export {newCollection, newManyCollection, newManyFromNothing, newSingleton} from './derived-collection.ts';
export type {DumpEntry, DumpInput, DumpState} from './dump.ts';
export type {Engine, EngineOptions} from './engine.ts';
export {equal} from './equality.ts';
export {EngineError, type EngineErrorCode} from './error.ts';
export {batchedEventFilter} from './event-filter.ts';
export {
  fetch,
  fetchOne,
  fetchOrList,
  partialFetch,
  partialFetchComparable,
  resourceExists,
} from './fetch.ts';
export {
  type FileReader,
  type FolderWatch,
  newFileCollection,
  newFileSingleton,
  newFolderWatch,
} from './file.ts';
export {
  type Clause,
  describeFilters,
  Filter,
  filterGeneric,
  filterIndex,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterObjectName,
  filterSelects,
  filterSelectsNonEmpty,
} from './filter.ts';
export {fetchIndexObjects, type Index, type IndexRow, newIndex, newNamespaceIndex} from './indexes.ts';
export type {CollectionInfo, EdgeInfo} from './info.ts';
export {
  type ClauseResult,
  collectionByUid,
  type Dependency,
  dependenciesOf,
  type EngineStats,
  engineStats,
  type InputState,
  inputs,
  inputsOf,
  isCollection,
  outputsOf,
  type Probed,
  type ProbedRead,
  primaryOf,
  probe,
} from './inspect.ts';
export {joinCollection} from './join.ts';
export {Named, ObjectWithCluster} from './key.ts';
export {newSyncLatch} from './latch.ts';
export {mapCollection} from './map.ts';
export {joinWithMergeCollection} from './merge-join.ts';
export {nestedJoinWithMergeCollection} from './nested-join.ts';
export {newStatic} from './singleton.ts';
export {newStaticCollection} from './static-list.ts';
export {newStatusCollection, newStatusManyCollection, type StatusRow} from './status.ts';
export {
  dummyContext,
  type EventTracker,
  eventTracker,
  type MockInputs,
  type MockType,
  mockInputs,
  tracked,
} from './testing.ts';
export {
  type BatchTrace,
  type Cause,
  type CauseKind,
  type DependencyRef,
  type FetchRecord,
  KEYS_SHOWN,
  type Outcome,
  type Published,
  type RootChange,
  type Run,
  type RunCounts,
  type RunOutput,
  type Via,
} from './trace.ts';
export {
  newRecomputeProtected,
  newRecomputeTrigger,
  type RecomputeProtected,
  type RecomputeTrigger,
} from './trigger.ts';
export type {Violation, ViolationCode} from './violation.ts';

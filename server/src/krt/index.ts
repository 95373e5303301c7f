// The public face of the engine: everything that another program may rely on, as docs/krt.md tells it.

export {type Change, type ChangeEvent, items, latest} from './api/change.ts';
export type {Clock} from './api/clock.ts';
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
} from './api/collection.ts';
export type {HandlerContext} from './api/context.ts';
export {createEngine} from './api/create-engine.ts';
export type {DumpEntry, DumpInput, DumpState} from './api/dump.ts';
export {equal} from './api/equality.ts';
export {EngineError, type EngineErrorCode} from './api/error.ts';
export {batchedEventFilter} from './api/event-filter.ts';
export {
  type CollectionOutline,
  canHoldRows,
  collectionByName,
  collectionsOf,
  dumpPieces,
  holdRows,
  onTurn,
  outline,
  proceed,
  renameCollection,
} from './api/host.ts';
export type {CollectionInfo, EdgeInfo} from './api/info.ts';
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
} from './api/inspect.ts';
export {Named, ObjectWithCluster} from './api/key.ts';
export {keyOf} from './api/key-of.ts';
export {Rehearsal, type RehearsedFetch} from './check/rehearsal.ts';
export {
  type AskedFetch,
  formulaText,
  groupsOf,
  type Repeated,
  repeat,
  repeatView,
} from './check/repeat.ts';
export {type Violation, type ViolationCode, violationCodes} from './check/violation.ts';
export type {Engine, EngineOptions} from './graph/engine.ts';
export {
  newCollection,
  newManyCollection,
  newManyFromNothing,
  newSingleton,
} from './kinds/derived-collection.ts';
export {
  type FileReader,
  type FolderWatch,
  newFileCollection,
  newFileSingleton,
  newFolderWatch,
} from './kinds/file.ts';
export {joinCollection} from './kinds/join.ts';
export {newSyncLatch} from './kinds/latch.ts';
export {mapCollection} from './kinds/map.ts';
export {joinWithMergeCollection} from './kinds/merge-join.ts';
export {nestedJoinWithMergeCollection} from './kinds/nested-join.ts';
export {newStatic} from './kinds/singleton.ts';
export {newStaticCollection} from './kinds/static-list.ts';
export {newStatusCollection, newStatusManyCollection, type StatusRow} from './kinds/status.ts';
export {
  newRecomputeProtected,
  newRecomputeTrigger,
  type RecomputeProtected,
  type RecomputeTrigger,
} from './kinds/trigger.ts';
export {
  fetch,
  fetchOne,
  fetchOrList,
  partialFetch,
  partialFetchComparable,
  resourceExists,
} from './query/fetch.ts';
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
} from './query/filter.ts';
export {
  dropIndex,
  fetchIndexObjects,
  type Index,
  type IndexRow,
  newIndex,
  newNamespaceIndex,
} from './query/indexes.ts';
export {
  dummyContext,
  type EventTracker,
  eventTracker,
  type MockInputs,
  type MockType,
  mockInputs,
  tracked,
} from './testing/helpers.ts';
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
} from './trace/trace.ts';

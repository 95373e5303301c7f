// The public interface of the engine, as docs/krt.md describes it.

export type {Probed, ProbedRead} from './check/probe.ts';
export {Rehearsal, type RehearsedFetch} from './check/rehearsal.ts';
export {
  type AskedFetch,
  formulaText,
  groupsOf,
  type Repeated,
  repeat,
  repeatView,
} from './check/repeat.ts';
export type {Engine, EngineOptions} from './graph/engine.ts';
export {createEngine} from './host/create-engine.ts';
export {
  type CollectionOutline,
  canHoldRows,
  clearView,
  collectionByName,
  collectionsOf,
  dumpPieces,
  holdRows,
  onTurn,
  outline,
  proceed,
  renameCollection,
  replaceInSlices,
  rerunInputs,
  runningInputKey,
} from './host/host-access.ts';
export {
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
  primaryOf,
  probe,
} from './host/inspect.ts';
export {keyOf} from './host/key-of.ts';
export {
  newCollection,
  newManyCollection,
  newManyFromNothing,
  newSingleton,
} from './kinds/derived-collection.ts';
export {type FolderWatch, newFileCollection, newFileSingleton, newFolderWatch} from './kinds/file.ts';
export type {IndexRow} from './kinds/group-by.ts';
export {
  dropIndex,
  fetchIndexObjects,
  filterIndex,
  type Index,
  newIndex,
  newNamespaceIndex,
} from './kinds/indexes.ts';
export {joinCollection} from './kinds/join.ts';
export {mapCollection} from './kinds/map.ts';
export {joinWithMergeCollection} from './kinds/merge-join.ts';
export {nestedJoinWithMergeCollection} from './kinds/nested-join.ts';
export {newStatic} from './kinds/singleton.ts';
export {newStaticCollection} from './kinds/static-collection.ts';
export {newStatusCollection, newStatusManyCollection, type StatusRow} from './kinds/status.ts';
export {newSyncLatch} from './kinds/sync-latch.ts';
export {
  newRecomputeProtected,
  newRecomputeTrigger,
  type RecomputeProtected,
  type RecomputeTrigger,
} from './kinds/trigger.ts';
export type {ClauseResult} from './query/clause-test.ts';
export {
  describeFilters,
  Filter,
  filterGeneric,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterObjectName,
  filterSelects,
  filterSelectsNonEmpty,
} from './query/filter.ts';
export {
  fetch,
  fetchOne,
  fetchOrList,
  partialFetch,
  partialFetchComparable,
  resourceExists,
} from './run/fetch.ts';
export {
  dummyContext,
  type EventTracker,
  eventTracker,
  type MockInputs,
  type MockType,
  mockInputs,
  tracked,
} from './testing/helpers.ts';
export {type Violation, type ViolationCode, violationCodes} from './trace/violation.ts';
export {type Change, type ChangeEvent, items, latest} from './values/change.ts';
export type {Clause} from './values/clause.ts';
export type {Clock} from './values/clock.ts';
export type {
  BatchHandler,
  Collection,
  CollectionKind,
  DerivedCollection,
  DerivedSingleton,
  Handler,
  Options,
  Registration,
  RowState,
  Singleton,
  StaticCollection,
  StaticSingleton,
  SyncLatch,
} from './values/collection.ts';
export type {HandlerContext} from './values/context.ts';
export type {DumpEntry, DumpInput, DumpState} from './values/dump-types.ts';
export {equal} from './values/equality.ts';
export {EngineError, type EngineErrorCode} from './values/error.ts';
export {batchedEventFilter} from './values/event-filter.ts';
export type {FileReader} from './values/file-reader.ts';
export type {CollectionInfo, EdgeInfo} from './values/info-types.ts';
export {Named, ObjectWithCluster} from './values/key.ts';
export type {Labels, Metadata} from './values/labels.ts';
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
} from './values/trace.ts';

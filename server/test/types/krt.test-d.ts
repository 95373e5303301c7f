// The public names of krtscope/krt: fields, members, arguments and values. The compiler is the test.
import {expectTypeOf} from 'vitest';
import {
  type AskedFetch,
  type BatchHandler,
  type BatchTrace,
  type batchedEventFilter,
  type Cause,
  type CauseKind,
  type Change,
  type ChangeEvent,
  type Clause,
  type ClauseResult,
  type Clock,
  type Collection,
  type CollectionInfo,
  type CollectionKind,
  type CollectionOutline,
  type canHoldRows,
  type clearView,
  type collectionByName,
  type collectionByUid,
  type collectionsOf,
  type createEngine,
  type Dependency,
  type DependencyRef,
  type DerivedCollection,
  type DerivedSingleton,
  type DumpEntry,
  type DumpInput,
  type DumpState,
  type dependenciesOf,
  type describeFilters,
  type dropIndex,
  type dummyContext,
  type dumpPieces,
  type EdgeInfo,
  type Engine,
  type EngineError,
  type EngineErrorCode,
  type EngineOptions,
  type EngineStats,
  type EventTracker,
  type engineStats,
  type equal,
  type eventTracker,
  type FetchRecord,
  type FileReader,
  type Filter,
  type FolderWatch,
  type fetch,
  type fetchIndexObjects,
  type fetchOne,
  type fetchOrList,
  type filterGeneric,
  type filterIndex,
  type filterKey,
  type filterKeys,
  type filterLabel,
  type filterNamespace,
  type filterObjectName,
  type filterSelects,
  type filterSelectsNonEmpty,
  type formulaText,
  type groupsOf,
  type Handler,
  type HandlerContext,
  type holdRows,
  type Index,
  type IndexRow,
  type InputState,
  type inputs,
  type inputsOf,
  type isCollection,
  type items,
  type joinCollection,
  type joinWithMergeCollection,
  KEYS_SHOWN,
  type keyOf,
  type Labels,
  type latest,
  type Metadata,
  type MockInputs,
  type MockType,
  type mapCollection,
  type mockInputs,
  type Named,
  type nestedJoinWithMergeCollection,
  type newCollection,
  type newFileCollection,
  type newFileSingleton,
  type newFolderWatch,
  type newIndex,
  type newManyCollection,
  type newManyFromNothing,
  type newNamespaceIndex,
  type newRecomputeProtected,
  type newRecomputeTrigger,
  type newSingleton,
  type newStatic,
  type newStaticCollection,
  type newStatusCollection,
  type newStatusManyCollection,
  type newSyncLatch,
  type ObjectWithCluster,
  type Options,
  type Outcome,
  type onTurn,
  type outline,
  type outputsOf,
  type Probed,
  type ProbedRead,
  type Published,
  type partialFetch,
  type partialFetchComparable,
  type primaryOf,
  type probe,
  type proceed,
  type RecomputeProtected,
  type RecomputeTrigger,
  type Registration,
  type Rehearsal,
  type RehearsedFetch,
  type Repeated,
  type RootChange,
  type RowState,
  type Run,
  type RunCounts,
  type RunOutput,
  type renameCollection,
  type repeat,
  type repeatView,
  type replaceInSlices,
  type rerunInputs,
  type resourceExists,
  type runningInputKey,
  type Singleton,
  type StaticCollection,
  type StaticSingleton,
  type StatusRow,
  type SyncLatch,
  type tracked,
  type Via,
  type Violation,
  type ViolationCode,
  violationCodes,
} from '../../src/krt/index.ts';
import type {Arity, Names} from './type-checks.ts';

expectTypeOf<keyof EngineError>().toEqualTypeOf<Names<'code name message stack cause'>>();
expectTypeOf<keyof Filter>().toEqualTypeOf<Names<'kind value index toString'>>();
expectTypeOf<keyof Named>().toEqualTypeOf<Names<'name namespace resourceName'>>();
expectTypeOf<keyof ObjectWithCluster<unknown>>().toEqualTypeOf<Names<'clusterID object resourceName'>>();
expectTypeOf<Rehearsal>().not.toBeAny();
expectTypeOf<keyof AskedFetch>().toEqualTypeOf<
  Names<'collection uid at filter clauses opaque matches test'>
>();
expectTypeOf<BatchHandler<unknown>>().toBeFunction();
expectTypeOf<keyof BatchTrace>().toEqualTypeOf<
  Names<'sequence received settled changes runs published synced'>
>();
expectTypeOf<keyof Cause>().toEqualTypeOf<
  Names<'kind collection uid key event fetch filter matched via run published'>
>();
expectTypeOf<CauseKind>().toEqualTypeOf<Names<'input fetch trigger synced formula'>>();
expectTypeOf<keyof Change>().toEqualTypeOf<Names<'event key old new'>>();
expectTypeOf<ChangeEvent>().toEqualTypeOf<Names<'add update delete'>>();
expectTypeOf<keyof Clause>().toEqualTypeOf<Names<'kind text'>>();
expectTypeOf<keyof ClauseResult>().toEqualTypeOf<Names<'clause matches found error'>>();
expectTypeOf<keyof Clock>().toEqualTypeOf<Names<'now after'>>();
expectTypeOf<keyof Collection<unknown>>().toEqualTypeOf<
  Names<'name uid getKey list hasSynced waitUntilSynced register registerBatch metadata rowState stop'>
>();
expectTypeOf<keyof CollectionInfo>().toEqualTypeOf<
  Names<'name uid kind size synced waitingFor inputs runs failed'>
>();
expectTypeOf<CollectionKind>().toEqualTypeOf<
  Names<'trigger index source static derived many singleton status map join file'>
>();
expectTypeOf<keyof CollectionOutline>().toEqualTypeOf<
  Names<'name uid kind synced waitingFor owes parents indexes'>
>();
expectTypeOf<keyof Dependency>().toEqualTypeOf<
  Names<'collection uid filter clauses via keys matched error test'>
>();
expectTypeOf<keyof DependencyRef>().toEqualTypeOf<Names<'collection uid filter'>>();
expectTypeOf<keyof DerivedCollection<unknown, unknown>>().toEqualTypeOf<
  Names<'replaceFormula name uid getKey list hasSynced waitUntilSynced register registerBatch metadata rowState stop'>
>();
expectTypeOf<keyof DerivedSingleton<unknown>>().toEqualTypeOf<
  Names<'replaceFormula get asCollection name uid getKey list hasSynced waitUntilSynced register registerBatch metadata rowState stop'>
>();
expectTypeOf<keyof DumpEntry>().toEqualTypeOf<Names<'uid name state'>>();
expectTypeOf<keyof DumpInput>().toEqualTypeOf<Names<'outputs dependencies'>>();
expectTypeOf<keyof DumpState>().toEqualTypeOf<Names<'outputs inputCollection inputs synced'>>();
expectTypeOf<keyof EdgeInfo>().toEqualTypeOf<Names<'collection uid kind filters fetches'>>();
expectTypeOf<keyof Engine>().toEqualTypeOf<
  Names<'batch onTrace onViolation violations collections dump stop'>
>();
expectTypeOf<EngineErrorCode>().toEqualTypeOf<
  Names<'file key-missing key-type no-item fetch-without-context fetch-outside-run async-formula async-batch async-callback more-than-one key-and-index label-type selector-type namespace-type write-in-formula cycle index-name index-dropped index-of-index index-collection from-string discard reader-missing foreign-collection unused-input in-use stopped wiring'>
>();
expectTypeOf<keyof EngineOptions>().toEqualTypeOf<
  Names<'clock reader checks firstSequence firstRuns firstRunsMilliseconds'>
>();
expectTypeOf<keyof EngineStats>().toEqualTypeOf<
  Names<'dependencies queries buckets handlers subscriptions'>
>();
expectTypeOf<keyof EventTracker<unknown>>().toEqualTypeOf<Names<'track trackBatch taken'>>();
expectTypeOf<keyof FetchRecord>().toEqualTypeOf<
  Names<'clauses matched scanned via keys collection uid filter'>
>();
expectTypeOf<keyof FileReader>().toEqualTypeOf<Names<'list read watch'>>();
expectTypeOf<keyof FolderWatch<unknown>>().toEqualTypeOf<Names<'items warning stop'>>();
expectTypeOf<Handler<unknown>>().toBeFunction();
expectTypeOf<keyof HandlerContext>().toEqualTypeOf<Names<'discardResult'>>();
expectTypeOf<keyof Index<unknown, string>>().toEqualTypeOf<Names<'name uid lookup fetch asCollection'>>();
expectTypeOf<keyof IndexRow<unknown, string>>().toEqualTypeOf<Names<'key objects'>>();
expectTypeOf<keyof InputState>().toEqualTypeOf<Names<'input outcome stale outputs waitingFor error'>>();
expectTypeOf<Labels>().not.toBeAny();
expectTypeOf<Metadata>().not.toBeAny();
expectTypeOf<keyof MockInputs>().toEqualTypeOf<Names<'collection done'>>();
expectTypeOf<MockType<unknown>>().not.toBeAny();
expectTypeOf<keyof Options<unknown>>().toEqualTypeOf<
  Names<'name key labels selector namespace equals augment metadata synced unchecked fromString'>
>();
expectTypeOf<Outcome>().toEqualTypeOf<
  Names<'added changed deleted equal empty discarded failed suspended'>
>();
expectTypeOf<keyof Probed>().toEqualTypeOf<Names<'value error waitingFor discarded'>>();
expectTypeOf<keyof ProbedRead>().toEqualTypeOf<Names<'collection uid key fetch'>>();
expectTypeOf<keyof Published>().toEqualTypeOf<Names<'collection uid key event old new run from'>>();
expectTypeOf<keyof RecomputeProtected<unknown>>().toEqualTypeOf<
  Names<'get modify accessUnprotected name uid markDependant triggerRecomputation markSynced stop'>
>();
expectTypeOf<keyof RecomputeTrigger>().toEqualTypeOf<
  Names<'name uid markDependant triggerRecomputation markSynced stop'>
>();
expectTypeOf<keyof Registration>().toEqualTypeOf<Names<'hasSynced waitUntilSynced unregisterHandler'>>();
expectTypeOf<keyof RehearsedFetch>().toEqualTypeOf<Names<'at collection via keys record'>>();
expectTypeOf<keyof Repeated>().toEqualTypeOf<Names<'items status discarded error'>>();
expectTypeOf<keyof RootChange>().toEqualTypeOf<Names<'collection uid key event old new'>>();
expectTypeOf<keyof RowState>().toEqualTypeOf<Names<'key input stale outcome waitingFor error'>>();
expectTypeOf<keyof Run>().toEqualTypeOf<
  Names<'collection uid input outcome causes fetches gained lost start duration outputs counts error waitingFor'>
>();
expectTypeOf<keyof RunCounts>().toEqualTypeOf<Names<'added changed deleted equal'>>();
expectTypeOf<keyof RunOutput>().toEqualTypeOf<Names<'key change'>>();
expectTypeOf<keyof Singleton<unknown>>().toEqualTypeOf<
  Names<'get asCollection name uid getKey list hasSynced waitUntilSynced register registerBatch metadata rowState stop'>
>();
expectTypeOf<keyof StaticCollection<unknown>>().toEqualTypeOf<
  Names<'updateObject conditionalUpdateObject deleteObject deleteObjects reset name uid getKey list hasSynced waitUntilSynced register registerBatch metadata rowState stop'>
>();
expectTypeOf<keyof StaticSingleton<unknown>>().toEqualTypeOf<
  Names<'set markSynced get asCollection name uid getKey list hasSynced waitUntilSynced register registerBatch metadata rowState stop'>
>();
expectTypeOf<keyof StatusRow<unknown, unknown>>().toEqualTypeOf<Names<'obj status'>>();
expectTypeOf<keyof SyncLatch>().toEqualTypeOf<Names<'hasSynced markSynced'>>();
expectTypeOf<keyof Via>().toEqualTypeOf<Names<'kind name'>>();
expectTypeOf<keyof Violation>().toEqualTypeOf<Names<'code collection keys message sequence count'>>();
expectTypeOf<ViolationCode>().toEqualTypeOf<
  Names<'cycle duplicate-in-result duplicate-across-inputs untracked-read mutated-input mutated-fetch map-key non-deterministic never-equal join-overlap handler-failed index-failed attribute-failed map-failed foreign-member listener-failed full-scan'>
>();
expectTypeOf<Arity<typeof batchedEventFilter>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof canHoldRows>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof clearView>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof collectionByName>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof collectionByUid>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof collectionsOf>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof createEngine>>().toEqualTypeOf<0 | 1>();
expectTypeOf<Arity<typeof dependenciesOf>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof describeFilters>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof dropIndex>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof dummyContext>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof dumpPieces>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof engineStats>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof equal>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof eventTracker>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof fetch>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof fetchIndexObjects>>().toEqualTypeOf<3>();
expectTypeOf<Arity<typeof fetchOne>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof fetchOrList>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof filterGeneric>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof filterIndex>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof filterKey>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof filterKeys>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof filterLabel>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof filterNamespace>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof filterObjectName>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof filterSelects>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof filterSelectsNonEmpty>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof formulaText>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof groupsOf>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof holdRows>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof inputs>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof inputsOf>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof isCollection>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof items>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof joinCollection>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof joinWithMergeCollection>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof keyOf>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof latest>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof mapCollection>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof mockInputs>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof nestedJoinWithMergeCollection>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof newCollection>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof newFileCollection>>().toEqualTypeOf<1 | 2 | 3>();
expectTypeOf<Arity<typeof newFileSingleton>>().toEqualTypeOf<3 | 4>();
expectTypeOf<Arity<typeof newFolderWatch>>().toEqualTypeOf<3>();
expectTypeOf<Arity<typeof newIndex>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof newManyCollection>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof newManyFromNothing>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof newNamespaceIndex>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof newRecomputeProtected>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof newRecomputeTrigger>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof newSingleton>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof newStatic>>().toEqualTypeOf<1 | 2 | 3>();
expectTypeOf<Arity<typeof newStaticCollection>>().toEqualTypeOf<1 | 2 | 3>();
expectTypeOf<Arity<typeof newStatusCollection>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof newStatusManyCollection>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof newSyncLatch>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof onTurn>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof outline>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof outputsOf>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof partialFetch>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof partialFetchComparable>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof primaryOf>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof probe>>().toEqualTypeOf<3>();
expectTypeOf<Arity<typeof proceed>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof renameCollection>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof repeat>>().toEqualTypeOf<3 | 4>();
expectTypeOf<Arity<typeof repeatView>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof replaceInSlices>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof rerunInputs>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof resourceExists>>().toEqualTypeOf<3>();
expectTypeOf<Arity<typeof runningInputKey>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof tracked>>().toEqualTypeOf<1>();
expectTypeOf(KEYS_SHOWN).toEqualTypeOf<number>();
expectTypeOf(violationCodes).not.toBeAny();

// The types of krtscope/runtime have these fields and no others. The compiler is the test.
import {expectTypeOf} from 'vitest';
import type {
  AddOptions,
  AdmissionContext,
  AdmissionWebhook,
  AdmissionWebhookOptions,
  Applied,
  AppliedRows,
  ApplyController,
  ApplyControllerOptions,
  ApplyHost,
  ApplyOptions,
  Cache,
  CacheOptions,
  Client,
  ClientDefaults,
  ClientHooks,
  ClientOptions,
  Clock,
  ConfigurationOptions,
  ControllerDefaults,
  ControllerHost,
  ControllerOptions,
  ControllerView,
  CreateEvent,
  CustomResource,
  DefaultingHandler,
  DeleteAllOptions,
  DeleteEvent,
  Difference,
  Enqueue,
  EventDetails,
  EventHandler,
  EventRecorder,
  EventType,
  Extract,
  FinalizerState,
  GenericEvent,
  GetOptions,
  HealthCheck,
  Identity,
  Informer,
  InputOf,
  Kind,
  KindRef,
  KindSelection,
  KubeObject,
  LabelSelectorOptions,
  LeaderElectionOptions,
  LeaderView,
  ListOptions,
  Logger,
  ManagerOptions,
  MetricsOptions,
  NamespaceSelections,
  NewCondition,
  ObjectKey,
  ObjectList,
  ObjectMeta,
  ObjectOf,
  OwnerReference,
  OwnsOptions,
  Patch,
  Predicate,
  Problem,
  ProgramOptions,
  ProgramPart,
  Queue,
  QueueItem,
  QueueObserver,
  QueueView,
  RateLimiter,
  Reader,
  ReadSeen,
  ReconcileContext,
  ReconcileFunction,
  Reconciler,
  RecorderOptions,
  Refusal,
  Request,
  RequestFields,
  RequestType,
  Resource,
  Result,
  RowChange,
  Rows,
  Runnable,
  RunnableFunction,
  Selection,
  Selections,
  ServeWebhooksOptions,
  Source,
  SubResourceClient,
  Tracer,
  Unnamed,
  UpdateEvent,
  ValidatingHandlers,
  WatchEvent,
  WatchOptions,
  WebhookAddress,
  WebhookHandler,
  WebhookHost,
  WebhookServerOptions,
  Wire,
  WriteOptions,
  Writer,
  WriteSeen,
  WrittenVersion,
} from '../../src/runtime/index.ts';
import type {Names} from './type-checks.ts';

expectTypeOf<keyof AddOptions>().toEqualTypeOf<Names<'after rateLimited priority'>>();
expectTypeOf<keyof AdmissionContext>().toEqualTypeOf<
  Names<'operation namespace name dryRun user subresource log warn'>
>();
expectTypeOf<keyof AdmissionWebhook>().toEqualTypeOf<Names<'type kind operations options run'>>();
expectTypeOf<keyof AdmissionWebhookOptions>().toEqualTypeOf<
  Names<'failurePolicy timeoutSeconds objectSelector namespaceSelector matchConditions sideEffects matchPolicy reinvocationPolicy'>
>();
expectTypeOf<keyof Applied>().toEqualTypeOf<Names<'key row kind namespace name state difference error'>>();
expectTypeOf<keyof AppliedRows>().toEqualTypeOf<Names<'conditionalUpdateObject deleteObject'>>();
expectTypeOf<keyof ApplyController>().toEqualTypeOf<Names<'controller enabled enable disable'>>();
expectTypeOf<keyof ApplyControllerOptions>().toEqualTypeOf<
  Names<'name desired kinds status force prune owner refuse enabled'>
>();
expectTypeOf<keyof ApplyHost>().toEqualTypeOf<
  Names<'client cache mapper clock controllerDefaults surroundings claimName add'>
>();
expectTypeOf<keyof ApplyOptions>().toEqualTypeOf<Names<'force signal dryRun fieldOwner fieldValidation'>>();
expectTypeOf<keyof Cache>().toEqualTypeOf<
  Names<'informer removeInformer indexField start waitForSync selects hasWrite waitForWrite get list'>
>();
expectTypeOf<keyof CacheOptions>().toEqualTypeOf<
  Names<'client mapper clock syncPeriod syncTimeout ownWritesTimeout readerFailOnMissingInformer audits streaming onProblem namespaces byKind labels fields transform'>
>();
expectTypeOf<keyof Client>().toEqualTypeOf<
  Names<'status subResource apiReader mapper with get list create update patch apply delete deleteAllOf'>
>();
expectTypeOf<keyof ClientDefaults>().toEqualTypeOf<
  Names<'readOwnWrites dryRun fieldOwner fieldValidation'>
>();
expectTypeOf<keyof ClientHooks>().toEqualTypeOf<Names<'listening peek onRead onWrite beforeWrite'>>();
expectTypeOf<keyof ClientOptions>().toEqualTypeOf<
  Names<'client mapper cache uncached readOwnWrites dryRun fieldOwner fieldValidation hooks'>
>();
expectTypeOf<keyof Clock>().toEqualTypeOf<Names<'now after random date'>>();
expectTypeOf<keyof ConfigurationOptions>().toEqualTypeOf<Names<'name address ca'>>();
expectTypeOf<keyof ControllerDefaults>().toEqualTypeOf<
  Names<'groupKindConcurrency maxConcurrentReconciles cacheSyncTimeout recoverPanic needLeaderElection enableWarmup reconciliationTimeout waitForOwnWrites usePriorityQueue rateLimiter newQueue onPredicateError skipNameValidation'>
>();
expectTypeOf<keyof ControllerHost>().toEqualTypeOf<
  Names<'cache mapper clock controllerDefaults surroundings claimName add'>
>();
expectTypeOf<keyof ControllerOptions>().toEqualTypeOf<
  Names<'maxConcurrentReconciles cacheSyncTimeout recoverPanic needLeaderElection enableWarmup reconciliationTimeout waitForOwnWrites usePriorityQueue rateLimiter newQueue onPredicateError skipNameValidation'>
>();
expectTypeOf<keyof ControllerView>().toEqualTypeOf<
  Names<'name workers state watches ready delayed inFlight again'>
>();
expectTypeOf<keyof CreateEvent>().toEqualTypeOf<Names<'type object initial'>>();
expectTypeOf<keyof CustomResource>().toEqualTypeOf<
  Names<'group kind plural stored kinds converter definition yaml validate'>
>();
expectTypeOf<DefaultingHandler<KubeObject>>().toBeFunction();
expectTypeOf<keyof DeleteAllOptions>().toEqualTypeOf<
  Names<'namespace labels fields signal dryRun gracePeriodSeconds propagationPolicy preconditions'>
>();
expectTypeOf<keyof DeleteEvent>().toEqualTypeOf<Names<'type object deleteStateUnknown'>>();
expectTypeOf<keyof Difference>().toEqualTypeOf<Names<'path old new'>>();
expectTypeOf<Enqueue>().toBeFunction();
expectTypeOf<keyof EventDetails>().toEqualTypeOf<Names<'action related'>>();
expectTypeOf<keyof EventHandler>().toEqualTypeOf<Names<'name create update delete generic'>>();
expectTypeOf<keyof EventRecorder>().toEqualTypeOf<Names<'event'>>();
expectTypeOf<EventType>().toEqualTypeOf<Names<'Normal Warning'>>();
expectTypeOf<Extract<KubeObject>>().toBeFunction();
expectTypeOf<FinalizerState>().toEqualTypeOf<Names<'deleted active deleting'>>();
expectTypeOf<keyof GenericEvent>().toEqualTypeOf<Names<'type object'>>();
expectTypeOf<keyof GetOptions>().toEqualTypeOf<Names<'signal'>>();
expectTypeOf<HealthCheck>().toBeFunction();
expectTypeOf<keyof Identity>().toEqualTypeOf<Names<'key cert ca'>>();
expectTypeOf<keyof Informer>().toEqualTypeOf<
  Names<'kind resource state addHandler hasSynced isStopped waitForSync'>
>();
expectTypeOf<InputOf<unknown, string>>().not.toBeAny();
expectTypeOf<keyof Kind>().toEqualTypeOf<Names<'resource metadataOnly type apiVersion kind'>>();
expectTypeOf<keyof KindRef>().toEqualTypeOf<Names<'apiVersion kind'>>();
expectTypeOf<keyof KindSelection>().toEqualTypeOf<Names<'kind namespaces labels fields transform'>>();
expectTypeOf<KubeObject>().not.toBeAny();
expectTypeOf<keyof LabelSelectorOptions>().toEqualTypeOf<Names<'matchLabels matchExpressions'>>();
expectTypeOf<keyof LeaderElectionOptions>().toEqualTypeOf<
  Names<'id namespace leaseDuration renewDeadline retryPeriod releaseOnCancel identity resourceLock'>
>();
expectTypeOf<keyof LeaderView>().toEqualTypeOf<
  Names<'lease identity leader state leading renewTime duration transitions'>
>();
expectTypeOf<keyof ListOptions>().toEqualTypeOf<
  Names<'signal namespace labels fields limit continue copy'>
>();
expectTypeOf<keyof Logger>().toEqualTypeOf<Names<'debug info warn error with'>>();
expectTypeOf<keyof ManagerOptions>().toEqualTypeOf<
  Names<'transport kubeconfig context clock now log scheme cache newCache client controller metrics healthProbeBindAddress readinessEndpointName livenessEndpointName webhookServer leaderElection gracefulShutdownTimeout report'>
>();
expectTypeOf<keyof MetricsOptions>().toEqualTypeOf<Names<'bindAddress tls authentication handlers'>>();
expectTypeOf<NamespaceSelections>().not.toBeAny();
expectTypeOf<keyof NewCondition>().toEqualTypeOf<Names<'status reason type message observedGeneration'>>();
expectTypeOf<keyof ObjectKey>().toEqualTypeOf<Names<'namespace name'>>();
expectTypeOf<keyof ObjectList>().toEqualTypeOf<Names<'metadata items'>>();
expectTypeOf<ObjectMeta>().not.toBeAny();
expectTypeOf<ObjectOf<unknown>>().not.toBeAny();
expectTypeOf<keyof OwnerReference>().toEqualTypeOf<
  Names<'apiVersion kind name uid controller blockOwnerDeletion'>
>();
expectTypeOf<keyof OwnsOptions>().toEqualTypeOf<Names<'everyOwner predicates onlyMetadata'>>();
expectTypeOf<keyof Patch>().toEqualTypeOf<Names<'type body'>>();
expectTypeOf<keyof Predicate>().toEqualTypeOf<Names<'name create update delete generic'>>();
expectTypeOf<keyof Problem>().toEqualTypeOf<Names<'field message'>>();
expectTypeOf<keyof ProgramOptions>().toEqualTypeOf<Names<'name version channel env retry unsentBytes'>>();
expectTypeOf<keyof ProgramPart>().toEqualTypeOf<Names<'begin state end'>>();
expectTypeOf<keyof Queue>().toEqualTypeOf<
  Names<'add take get done forget retries length shuttingDown shutDown running view'>
>();
expectTypeOf<keyof QueueItem>().toEqualTypeOf<Names<'key priority'>>();
expectTypeOf<keyof QueueObserver>().toEqualTypeOf<
  Names<'onReady onRaised onTaken onDone onRetry onDropped'>
>();
expectTypeOf<keyof QueueView>().toEqualTypeOf<Names<'ready delayed inFlight again'>>();
expectTypeOf<keyof RateLimiter>().toEqualTypeOf<Names<'when forget retries'>>();
expectTypeOf<keyof ReadSeen>().toEqualTypeOf<Names<'verb kind from namespace name count took stale error'>>();
expectTypeOf<keyof Reader>().toEqualTypeOf<Names<'get list'>>();
expectTypeOf<keyof ReconcileContext>().toEqualTypeOf<
  Names<'signal log reconcileID controller priority retries'>
>();
expectTypeOf<ReconcileFunction>().toBeFunction();
expectTypeOf<keyof Reconciler>().toEqualTypeOf<Names<'reconcile'>>();
expectTypeOf<keyof RecorderOptions>().toEqualTypeOf<Names<'client component api instance clock log now'>>();
expectTypeOf<Refusal>().not.toBeAny();
expectTypeOf<keyof Request>().toEqualTypeOf<Names<'namespace name'>>();
expectTypeOf<RequestFields>().not.toBeAny();
expectTypeOf<keyof RequestType<RequestFields>>().toEqualTypeOf<Names<'request parse enqueue reconciler'>>();
expectTypeOf<keyof Resource>().toEqualTypeOf<Names<'group version plural kind namespaced'>>();
expectTypeOf<keyof Result>().toEqualTypeOf<Names<'requeueAfter requeue priority error'>>();
expectTypeOf<keyof RowChange<unknown>>().toEqualTypeOf<Names<'key old new'>>();
expectTypeOf<keyof Rows>().toEqualTypeOf<Names<'name getKey list waitUntilSynced registerBatch'>>();
expectTypeOf<keyof Runnable>().toEqualTypeOf<Names<'start needLeaderElection warmup'>>();
expectTypeOf<RunnableFunction>().toBeFunction();
expectTypeOf<keyof Selection>().toEqualTypeOf<Names<'labels fields transform'>>();
expectTypeOf<keyof Selections>().toEqualTypeOf<Names<'namespaces byKind labels fields transform'>>();
expectTypeOf<keyof ServeWebhooksOptions>().toEqualTypeOf<
  Names<'name webhooks conversions address secret manage renewBefore'>
>();
expectTypeOf<keyof Source>().toEqualTypeOf<Names<'role start name kind handler predicates'>>();
expectTypeOf<keyof SubResourceClient>().toEqualTypeOf<Names<'get create update patch apply'>>();
expectTypeOf<keyof Tracer>().toEqualTypeOf<
  Names<'onEvent onEnqueue onRun onRead onWrite onLine onEnd onState'>
>();
expectTypeOf<Unnamed<unknown>>().not.toBeAny();
expectTypeOf<keyof UpdateEvent>().toEqualTypeOf<Names<'type old object'>>();
expectTypeOf<keyof ValidatingHandlers<KubeObject>>().toEqualTypeOf<Names<'create update delete'>>();
expectTypeOf<keyof WatchEvent>().toEqualTypeOf<Names<'type object'>>();
expectTypeOf<keyof WatchOptions>().toEqualTypeOf<Names<'predicates onlyMetadata'>>();
expectTypeOf<WebhookAddress>().not.toBeAny();
expectTypeOf<WebhookHandler>().toBeFunction();
expectTypeOf<keyof WebhookHost>().toEqualTypeOf<Names<'webhookServer client mapper clock metrics log add'>>();
expectTypeOf<keyof WebhookServerOptions>().toEqualTypeOf<Names<'port host certDir certName keyName tls'>>();
expectTypeOf<keyof Wire>().toEqualTypeOf<Names<'server readOnly clock request stream close'>>();
expectTypeOf<keyof WriteOptions>().toEqualTypeOf<Names<'signal dryRun fieldOwner fieldValidation'>>();
expectTypeOf<keyof WriteSeen>().toEqualTypeOf<
  Names<'verb kind namespace name subresource dryRun took sent before result error'>
>();
expectTypeOf<keyof Writer>().toEqualTypeOf<Names<'create update patch apply delete deleteAllOf'>>();
expectTypeOf<keyof WrittenVersion>().toEqualTypeOf<Names<'namespace version deleted'>>();

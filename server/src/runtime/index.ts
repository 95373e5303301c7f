// The public API `krtscope/runtime` for programs with controllers.

export {deepCopy as copy} from '@krtscope/shared/json/deep-copy.ts';
export {deepEqual as equal} from '@krtscope/shared/json/deep-equal.ts';
/** The library for schemas of resources. Use this export, so that both sides have the same version. */
export {z} from 'zod';
export type * as types from '../built-in-types/index.ts';
export {type Clock, systemClock} from '../kube/clock.ts';
export {ApiError, ConnectionError} from '../kube/error.ts';
export type {KubeObject, ObjectMeta, OwnerReference} from '../kube/object.ts';
export type {Resource} from '../kube/resource.ts';
export type {Wire} from '../kube/transport/transport.ts';
export {
  type Applied,
  type AppliedRows,
  type ApplyController,
  type ApplyControllerOptions,
  type ApplyHost,
  appliedBy,
  appliedRow,
  applyController,
} from './apply/apply-controller.ts';
export {type Difference, differenceOf} from './apply/difference.ts';
export type {
  Cache,
  Extract,
  GetOptions,
  Informer,
  ListOptions,
  ObjectList,
  Reader,
  WrittenVersion,
} from './cache/cache.ts';
export {
  CacheNotStartedError,
  CacheSyncTimeoutError,
  OwnWriteNotSeenError,
  ResourceNotCachedError,
  UnknownNamespaceError,
} from './cache/cache-errors.ts';
export {type CacheOptions, InformerCache} from './cache/informer-cache.ts';
export {selectorText} from './cache/selector.ts';
export type {KindSelection, NamespaceSelections, Selection, Selections} from './cache/watch-scopes.ts';
export type {
  ApplyOptions,
  Client,
  ClientDefaults,
  ClientHooks,
  DeleteAllOptions,
  ReadSeen,
  SubResourceClient,
  WriteOptions,
  Writer,
  WriteSeen,
} from './client/client.ts';
export {createOrPatch, createOrUpdate} from './client/create-or-update.ts';
export {
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
} from './client/error-checks.ts';
export {namespaced} from './client/namespaced-client.ts';
export {jsonPatch, merge, mergeFrom, type Patch, rawPatch} from './client/patch.ts';
export {type ClientOptions, RuntimeClient} from './client/runtime-client.ts';
export {strategicMergeFrom} from './client/strategic-merge-patch.ts';
export {Channel} from './controller/channel.ts';
export {collectionSource, type RowChange, type Rows} from './controller/collection-source.ts';
export {Controller, type ControllerView} from './controller/controller.ts';
export {
  ControllerBuilder,
  type ControllerDefaults,
  type ControllerHost,
  controllerFor,
  type OwnsOptions,
  type WatchOptions,
} from './controller/controller-builder.ts';
export type {ControllerOptions} from './controller/controller-options.ts';
export {
  type Enqueue,
  type EventHandler,
  enqueueMapped,
  enqueueObject,
  enqueueOwner,
} from './controller/event-handler.ts';
export {channelSource, kindSource, rawSource, type Source} from './controller/event-source.ts';
export {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelector,
  not,
  or,
  type Predicate,
  predicate,
  resourceVersionChanged,
} from './controller/predicate.ts';
export {
  isPanic,
  isTerminal,
  PanicError,
  ReconcileTimeoutError,
  TerminalError,
} from './controller/reconcile-errors.ts';
export {
  objectReconciler,
  type ReconcileContext,
  type ReconcileFunction,
  type Reconciler,
  type Result,
} from './controller/reconciler.ts';
export {type Request, requestOf} from './controller/request.ts';
export {type RequestFields, type RequestType, requestType} from './controller/request-type.ts';
export type {
  CreateEvent,
  DeleteEvent,
  GenericEvent,
  UpdateEvent,
  WatchEvent,
} from './controller/watch-event.ts';
export type {EventType} from './events/event-body.ts';
export {
  ClientEventRecorder,
  type EventDetails,
  type EventRecorder,
  type RecorderOptions,
} from './events/event-recorder.ts';
export type {LeaderElectionOptions, LeaderView} from './leader/leader-election.ts';
export {LeaseExpiredError} from './leader/write-fence.ts';
export {jsonLogger, type Logger, makeLogger, silentLogger} from './log/logger.ts';
export {createManager} from './manager/create-manager.ts';
export {type HealthCheck, ping} from './manager/health-checks.ts';
export type {Manager} from './manager/manager.ts';
export type {ManagerOptions, MetricsOptions} from './manager/manager-options.ts';
export type {Runnable, RunnableFunction} from './manager/runnable.ts';
export {shutdownSignal} from './manager/shutdown-signal.ts';
export {Metrics} from './metrics/metrics.ts';
export {
  conditionsSchema,
  getCondition,
  isConditionTrue,
  type NewCondition,
  removeCondition,
  setCondition,
} from './object/conditions.ts';
export {addFinalizer, containsFinalizer, Finalizers, removeFinalizer} from './object/finalizer.ts';
export {
  AlreadyOwnedError,
  controllerOf,
  hasOwnerReference,
  isControlledBy,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './object/owner.ts';
export {type FinalizerState, withFinalizer} from './object/with-finalizer.ts';
export {PlainQueue} from './queue/plain-queue.ts';
export {lowPriority, PriorityQueue} from './queue/priority-queue.ts';
export type {AddOptions, Queue, QueueItem, QueueObserver, QueueView} from './queue/queue.ts';
export {
  atMost,
  bucket,
  exponential,
  fastThenSlow,
  longestOf,
  plainDefault,
  type RateLimiter,
} from './queue/rate-limiter.ts';
export {Program, type ProgramOptions, type ProgramPart} from './report/program.ts';
export {ConversionError, Converter} from './resource/conversion.ts';
export {
  type CustomResource,
  defineResource,
  type InputOf,
  type ObjectOf,
  type Problem,
} from './resource/define-resource.ts';
export {definitionYaml} from './resource/resource-definition.ts';
export {marks} from './resource/schema-markers.ts';
export {SchemaError} from './resource/structural-schema.ts';
export {
  ClusterRole,
  ClusterRoleBinding,
  ComponentStatus,
  ConfigMap,
  ControllerRevision,
  CronJob,
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  CustomResourceDefinition,
  DaemonSet,
  Deployment,
  EndpointSlice,
  Endpoints,
  Event,
  HorizontalPodAutoscaler,
  Ingress,
  IngressClass,
  IPAddress,
  Job,
  Lease,
  LimitRange,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  Namespace,
  NetworkPolicy,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PodTemplate,
  PriorityClass,
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  Role,
  RoleBinding,
  Scale,
  Secret,
  Service,
  ServiceAccount,
  ServiceCIDR,
  StatefulSet,
  StorageClass,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
  VolumeAttachment,
  VolumeAttributesClass,
} from './scheme/built-in-kinds.ts';
export {type Kind, type KindRef, kind, kindOf, metadataOf, type ObjectKey} from './scheme/kind.ts';
export {Mapper, NoKindMatchError} from './scheme/mapper.ts';
export type {Unnamed} from './scheme/object-types.ts';
export {Scheme} from './scheme/scheme.ts';
export type {Tracer} from './trace/tracer.ts';
export {
  type AdmissionContext,
  AdmissionDeniedError,
  type AdmissionWebhook,
  type AdmissionWebhookOptions,
  type DefaultingHandler,
  defaulting,
  type LabelSelectorOptions,
  type Refusal,
  type ValidatingHandlers,
  validating,
} from './webhook/admission-webhook.ts';
export {serveConversions} from './webhook/conversion-webhook.ts';
export {type Identity, selfSignedIdentity} from './webhook/identity.ts';
export {type ServeWebhooksOptions, serveWebhooks, type WebhookHost} from './webhook/serve-webhooks.ts';
export {
  type ConfigurationOptions,
  type WebhookAddress,
  webhookConfigurations,
  webhookPath,
} from './webhook/webhook-configurations.ts';
export {type WebhookHandler, WebhookServer, type WebhookServerOptions} from './webhook/webhook-server.ts';

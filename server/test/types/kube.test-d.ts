// The public names of krtscope/kube: fields, members, arguments and values. The compiler is the test.
import {expectTypeOf} from 'vitest';
import {
  type Answer,
  type ApiError,
  type Authorization,
  type CacheEntry,
  type CacheReader,
  type Change,
  type Choice,
  type ChooseOptions,
  type Clock,
  type ConnectionError,
  type ConnectionFailure,
  type ConnectOptions,
  type Credentials,
  type chooseCluster,
  type connect,
  type credentialsOf,
  type DeleteOptions,
  type DiscoveredResource,
  type Discovery,
  type DynamicClient,
  type Endpoint,
  type Gap,
  type Handler,
  type Indexer,
  type Informer,
  type InformerOptions,
  type InformerQuery,
  type Informers,
  type InformersOptions,
  type isApiError,
  type isExpired,
  type Kubeconfig,
  type KubeconfigError,
  type KubeList,
  type KubeObject,
  type keyOf,
  type ListMeta,
  type ListOptions,
  type ObjectMeta,
  type ObjectRef,
  type OwnerReference,
  type PatchOptions,
  type PatchType,
  type parseKubeconfig,
  type Query,
  type ReadOnlyError,
  type ReadOptions,
  type Reflector,
  type ReflectorOptions,
  type ReflectorPhase,
  type ReflectorSink,
  type ReflectorState,
  type Registration,
  type RequestOptions,
  type Resource,
  type ResourceQuery,
  type readKubeconfig,
  type resourceName,
  type resourcePath,
  resources,
  type Scale,
  type Scope,
  type Status,
  systemClock,
  type TlsMaterial,
  type Transform,
  type Transport,
  type TransportOptions,
  type tokenCredentials,
  type WatchEvent,
  type WatchOptions,
  type Wire,
  type WriteOptions,
  type Writer,
} from '../../src/kube/index.ts';
import type {Arity, Names} from './type-checks.ts';

expectTypeOf<keyof ApiError>().toEqualTypeOf<
  Names<'name code reason details retryAfter status message stack cause'>
>();
expectTypeOf<keyof ConnectionError>().toEqualTypeOf<Names<'name failure stage message stack cause'>>();
expectTypeOf<keyof Discovery>().toEqualTypeOf<Names<'served forget inGroup find need version'>>();
expectTypeOf<keyof DynamicClient>().toEqualTypeOf<
  Names<'transport get list watch create update updateStatus patch apply getScale scale delete deleteCollection'>
>();
expectTypeOf<keyof Informer>().toEqualTypeOf<
  Names<'resource cache state asOf hasSynced start stop wake askAgain audit waitForSync hasVersion waitUntil addHandler addIndexer resync'>
>();
expectTypeOf<keyof Informers>().toEqualTypeOf<Names<'get remove all auditAll stop watchDefinitions'>>();
expectTypeOf<keyof KubeconfigError>().toEqualTypeOf<Names<'name file line reason message stack cause'>>();
expectTypeOf<keyof ReadOnlyError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof Reflector<unknown>>().toEqualTypeOf<
  Names<'state asOf resourceVersion start stop wake askAgain audit'>
>();
expectTypeOf<keyof Transport>().toEqualTypeOf<
  Names<'server readOnly clock request stream webSocket close'>
>();
expectTypeOf<keyof Answer<unknown>>().toEqualTypeOf<Names<'code headers warnings body'>>();
expectTypeOf<keyof Authorization>().toEqualTypeOf<Names<'headers tls'>>();
expectTypeOf<keyof CacheEntry>().toEqualTypeOf<Names<'key object writers withheld'>>();
expectTypeOf<keyof CacheReader>().toEqualTypeOf<Names<'size get list keys writers byIndex'>>();
expectTypeOf<keyof Change>().toEqualTypeOf<Names<'event key old new writer initial unseen'>>();
expectTypeOf<keyof Choice>().toEqualTypeOf<Names<'config context why'>>();
expectTypeOf<keyof ChooseOptions>().toEqualTypeOf<Names<'kubeconfig context env home accountFolder'>>();
expectTypeOf<keyof Clock>().toEqualTypeOf<Names<'now after random date'>>();
expectTypeOf<keyof ConnectOptions>().toEqualTypeOf<
  Names<'config context clock readOnly onAnswer onBody onRetry onWarning'>
>();
expectTypeOf<ConnectionFailure>().toEqualTypeOf<Names<'credentials tls timeout refused dns reset other'>>();
expectTypeOf<keyof Credentials>().toEqualTypeOf<Names<'endpoint authorize refresh why'>>();
expectTypeOf<keyof DeleteOptions>().toEqualTypeOf<
  Names<'signal dryRun gracePeriodSeconds propagationPolicy preconditions'>
>();
expectTypeOf<keyof DiscoveredResource>().toEqualTypeOf<
  Names<'singular shortNames categories verbs subresources preferred group version plural kind namespaced'>
>();
expectTypeOf<keyof Endpoint>().toEqualTypeOf<Names<'server tls proxy'>>();
expectTypeOf<keyof Gap>().toEqualTypeOf<Names<'reason lasted differed missed'>>();
expectTypeOf<keyof Handler>().toEqualTypeOf<
  Names<'onChange onChanges onGap onWithheld onState onSynced resync'>
>();
expectTypeOf<Indexer>().toBeFunction();
expectTypeOf<keyof InformerOptions>().toEqualTypeOf<
  Names<'client resource clock scopes transform withhold share as pageSize streaming onProblem elsewhere'>
>();
expectTypeOf<keyof InformerQuery>().toEqualTypeOf<Names<'labelSelector fieldSelector as'>>();
expectTypeOf<keyof InformersOptions>().toEqualTypeOf<
  Names<'client clock namespaces transform withhold share onProblem onDefinitions elsewhere streaming audits'>
>();
expectTypeOf<keyof KubeList>().toEqualTypeOf<Names<'apiVersion kind metadata items'>>();
expectTypeOf<KubeObject>().not.toBeAny();
expectTypeOf<keyof Kubeconfig>().toEqualTypeOf<Names<'files currentContext clusters users contexts'>>();
expectTypeOf<keyof ListMeta>().toEqualTypeOf<Names<'resourceVersion continue remainingItemCount'>>();
expectTypeOf<keyof ListOptions>().toEqualTypeOf<
  Names<'namespace labelSelector fieldSelector limit continue resourceVersionMatch timeout retries compress signal resourceVersion as turn'>
>();
expectTypeOf<ObjectMeta>().not.toBeAny();
expectTypeOf<keyof ObjectRef>().toEqualTypeOf<Names<'namespace name'>>();
expectTypeOf<keyof OwnerReference>().toEqualTypeOf<
  Names<'apiVersion kind name uid controller blockOwnerDeletion'>
>();
expectTypeOf<keyof PatchOptions>().toEqualTypeOf<
  Names<'type force signal dryRun fieldManager fieldValidation subresource'>
>();
expectTypeOf<PatchType>().toEqualTypeOf<Names<'json merge strategic apply'>>();
expectTypeOf<Query>().not.toBeAny();
expectTypeOf<keyof ReadOptions>().toEqualTypeOf<Names<'signal resourceVersion as turn'>>();
expectTypeOf<keyof ReflectorOptions>().toEqualTypeOf<
  Names<'elsewhere client resource clock namespace labelSelector fieldSelector name as pageSize streaming'>
>();
expectTypeOf<ReflectorPhase>().toEqualTypeOf<
  Names<'synced listing forbidden unauthorized unreachable reconnecting'> | 'not installed'
>();
expectTypeOf<keyof ReflectorSink<unknown>>().toEqualTypeOf<
  Names<'prepare keyOf holds size versions replace apply onState onProgress onGap onProblem'>
>();
expectTypeOf<keyof ReflectorState>().toEqualTypeOf<Names<'phase reason seen total'>>();
expectTypeOf<keyof Registration>().toEqualTypeOf<Names<'hasSynced remove'>>();
expectTypeOf<keyof RequestOptions>().toEqualTypeOf<
  Names<'method path query accept body contentType signal timeout compress retries turn beforeSend'>
>();
expectTypeOf<keyof Resource>().toEqualTypeOf<Names<'group version plural kind namespaced'>>();
expectTypeOf<keyof ResourceQuery>().toEqualTypeOf<Names<'group version plural kind'>>();
expectTypeOf<Scale>().not.toBeAny();
expectTypeOf<keyof Scope>().toEqualTypeOf<Names<'namespace labelSelector fieldSelector name'>>();
expectTypeOf<keyof Status>().toEqualTypeOf<
  Names<'kind apiVersion metadata status message reason details code'>
>();
expectTypeOf<keyof TlsMaterial>().toEqualTypeOf<Names<'ca cert key servername rejectUnauthorized'>>();
expectTypeOf<Transform>().toBeFunction();
expectTypeOf<keyof TransportOptions>().toEqualTypeOf<
  Names<'readOnly clock onAnswer onBody onRetry onWarning'>
>();
expectTypeOf<keyof WatchEvent>().toEqualTypeOf<Names<'type object'>>();
expectTypeOf<keyof WatchOptions>().toEqualTypeOf<
  Names<'allowWatchBookmarks sendInitialEvents timeoutSeconds namespace labelSelector fieldSelector limit continue resourceVersionMatch timeout retries compress signal resourceVersion as turn'>
>();
expectTypeOf<keyof Wire>().toEqualTypeOf<Names<'server readOnly clock request stream close'>>();
expectTypeOf<keyof WriteOptions>().toEqualTypeOf<
  Names<'signal dryRun fieldManager fieldValidation subresource'>
>();
expectTypeOf<keyof Writer>().toEqualTypeOf<Names<'manager operation time subresource paths'>>();
expectTypeOf<Arity<typeof chooseCluster>>().toEqualTypeOf<0 | 1>();
expectTypeOf<Arity<typeof connect>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof credentialsOf>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof isApiError>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof isExpired>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof keyOf>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof parseKubeconfig>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof readKubeconfig>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof resourceName>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof resourcePath>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof tokenCredentials>>().toEqualTypeOf<2 | 3>();
expectTypeOf(resources).not.toBeAny();
expectTypeOf(systemClock).toEqualTypeOf<Clock>();

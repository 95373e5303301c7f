// The public API `krtscope/kube`: kubeconfigs, a client for any kind, discovery, informers.

export {type ConnectOptions, connect} from './client/connect.ts';
export {
  type DeleteOptions,
  DynamicClient,
  type ListOptions,
  type ObjectRef,
  type PatchOptions,
  type PatchType,
  type ReadOptions,
  type Scale,
  type WatchOptions,
  type WriteOptions,
} from './client/dynamic-client.ts';
export {type Clock, systemClock} from './clock.ts';
export {type Choice, type ChooseOptions, chooseCluster} from './credentials/contexts.ts';
export {
  type Authorization,
  type Credentials,
  credentialsOf,
  tokenCredentials,
} from './credentials/credentials.ts';
export type {Endpoint, TlsMaterial} from './credentials/endpoint.ts';
export {type Kubeconfig, KubeconfigError, parseKubeconfig, readKubeconfig} from './credentials/kubeconfig.ts';
export {type DiscoveredResource, Discovery, type ResourceQuery} from './discovery/discovery.ts';
export {
  ApiError,
  ConnectionError,
  type ConnectionFailure,
  isApiError,
  isExpired,
  ReadOnlyError,
} from './error.ts';
export type {Change, Handler, Registration} from './informer/change-handler.ts';
export type {Transform} from './informer/entry-maker.ts';
export type {Writer} from './informer/field-writers.ts';
export {Informer, type InformerOptions, type Scope} from './informer/informer.ts';
export {type InformerQuery, Informers, type InformersOptions} from './informer/informer-factory.ts';
export type {CacheEntry, CacheReader, Indexer} from './informer/object-cache.ts';
export {
  type KubeList,
  type KubeObject,
  keyOf,
  type ListMeta,
  type ObjectMeta,
  type OwnerReference,
  type Status,
  type WatchEvent,
} from './object.ts';
export {Reflector} from './reflector/reflector.ts';
export type {ReflectorOptions, ReflectorSink} from './reflector/reflector-sink.ts';
export type {Gap, ReflectorPhase, ReflectorState} from './reflector/reflector-state.ts';
export {type Resource, resourceName, resourcePath, resources} from './resource.ts';
export {
  type Answer,
  type Query,
  type RequestOptions,
  Transport,
  type TransportOptions,
  type Wire,
} from './transport/transport.ts';

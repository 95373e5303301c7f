// The public face of the way to a cluster, as krtscope/kube: which one, a client of any kind, and what follows a kind.

export type {CacheEntry, CacheReader, Indexer} from './cache.ts';
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
} from './client.ts';
export {type Clock, systemClock} from './clock.ts';
export {type ConnectOptions, connect} from './connect.ts';
export {type Choice, type ChooseOptions, chooseCluster} from './contexts.ts';
export {type Authorization, type Credentials, credentialsOf, tokenCredentials} from './credentials.ts';
export {type DiscoveredResource, Discovery, type ResourceQuery} from './discovery.ts';
export type {Endpoint, TlsMaterial} from './endpoint.ts';
export {
  ApiError,
  ConnectionError,
  type ConnectionFailure,
  isApiError,
  isExpired,
  ReadOnlyError,
} from './error.ts';
export type {Change, Handler, Registration} from './handler.ts';
export {Informer, type InformerOptions, type Scope, type Transform} from './informer.ts';
export {type InformerQuery, Informers, type InformersOptions} from './informers.ts';
export {type Kubeconfig, KubeconfigError, parseKubeconfig, readKubeconfig} from './kubeconfig.ts';
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
export {Reflector} from './reflector.ts';
export type {ReflectorOptions, ReflectorSink} from './reflector-sink.ts';
export type {Gap, ReflectorPhase, ReflectorState} from './reflector-state.ts';
export {type Resource, resourceName, resourcePath, resources} from './resource.ts';
export {
  type Answer,
  type Query,
  type RequestOptions,
  Transport,
  type TransportOptions,
  type Wire,
} from './transport.ts';
export type {Writer} from './writers.ts';

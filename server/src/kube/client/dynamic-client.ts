// Reads and writes any resource as raw JSON, so unknown fields survive. Each call sends one request.
// The reflector follows pages and restarts watches.

import type {Readable} from 'node:stream';
import type {KubeList, KubeObject, Status} from '../object.ts';
import {type Resource, resourcePath} from '../resource.ts';
import type {Answer, Query, RequestGate, Wire} from '../transport/transport.ts';

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  resourceVersion?: string | undefined;
  /** `metadata` asks for PartialObjectMetadata, `table` for what kubectl prints. */
  as?: 'object' | 'metadata' | 'table' | undefined;
  turn?: RequestGate | undefined;
}

export interface ListOptions extends ReadOptions {
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  limit?: number | undefined;
  continue?: string | undefined;
  resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  timeout?: number | undefined;
  retries?: number | undefined;
  compress?: boolean | undefined;
}

export interface WatchOptions extends ListOptions {
  allowWatchBookmarks?: boolean | undefined;
  sendInitialEvents?: boolean | undefined;
  timeoutSeconds?: number | undefined;
}

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  dryRun?: boolean | undefined;
  fieldManager?: string | undefined;
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
  subresource?: string | undefined;
}

export interface DeleteOptions {
  signal?: AbortSignal | undefined;
  dryRun?: boolean | undefined;
  gracePeriodSeconds?: number | undefined;
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  preconditions?: {uid?: string; resourceVersion?: string} | undefined;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface PatchOptions extends WriteOptions {
  type: PatchType;
  /** Only for apply: take fields that others own. */
  force?: boolean | undefined;
}

export interface ObjectRef {
  namespace?: string | undefined;
  name: string;
}

const patchTypes: Record<PatchType, string> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** A Scale, the body of the scale subresource. */
export interface Scale extends KubeObject {
  spec: {replicas?: number};
  status?: {replicas: number; selector?: string};
}

export class DynamicClient {
  readonly transport: Wire;

  constructor(transport: Wire) {
    this.transport = transport;
  }

  async get(
    resource: Resource,
    ref: ObjectRef,
    options: ReadOptions & {subresource?: string} = {},
  ): Promise<KubeObject> {
    const {body} = await this.transport.request<KubeObject>({
      path: resourcePath(resource, {...ref, subresource: options.subresource}),
      query: {resourceVersion: options.resourceVersion},
      accept: acceptOf(options.as, 'PartialObjectMetadata'),
      signal: options.signal,
      turn: options.turn,
    });
    return body;
  }

  /** Returns one page. */
  async list(resource: Resource, options: ListOptions = {}): Promise<KubeList> {
    const {body} = await this.transport.request<KubeList>({
      path: resourcePath(resource, {namespace: options.namespace}),
      query: listQuery(options),
      accept: acceptOf(options.as, 'PartialObjectMetadataList'),
      signal: options.signal,
      timeout: options.timeout ?? 60_000,
      retries: options.retries,
      compress: options.compress,
      turn: options.turn,
    });
    return body;
  }

  /** The open byte stream of a watch: newline-delimited WatchEvents. */
  watch(resource: Resource, options: WatchOptions = {}): Promise<Answer<Readable>> {
    return this.transport.stream({
      path: resourcePath(resource, {namespace: options.namespace}),
      query: {
        ...listQuery(options),
        watch: true,
        allowWatchBookmarks: options.allowWatchBookmarks,
        sendInitialEvents: options.sendInitialEvents,
        timeoutSeconds: options.timeoutSeconds,
      },
      accept: acceptOf(options.as, 'PartialObjectMetadata'),
      signal: options.signal,
      timeout: options.timeout ?? 60_000,
      turn: options.turn,
    });
  }

  async create(
    resource: Resource,
    object: KubeObject,
    options: WriteOptions & {name?: string} = {},
  ): Promise<KubeObject> {
    const {body} = await this.transport.request<KubeObject>({
      method: 'POST',
      path: resourcePath(resource, {
        namespace: object.metadata.namespace,
        name: options.name,
        subresource: options.subresource,
      }),
      query: writeQuery(options),
      body: object,
      signal: options.signal,
    });
    return body;
  }

  /** Replaces the object, or with `subresource: 'status'` only its status. A stale resourceVersion is a 409. */
  async update(resource: Resource, object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    const {body} = await this.transport.request<KubeObject>({
      method: 'PUT',
      path: resourcePath(resource, {...nameOf(object), subresource: options.subresource}),
      query: writeQuery(options),
      body: object,
      signal: options.signal,
    });
    return body;
  }

  updateStatus(resource: Resource, object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    return this.update(resource, object, {...options, subresource: 'status'});
  }

  async patch(
    resource: Resource,
    ref: ObjectRef,
    patch: unknown,
    options: PatchOptions,
  ): Promise<KubeObject> {
    const {body} = await this.transport.request<KubeObject>({
      method: 'PATCH',
      path: resourcePath(resource, {...ref, subresource: options.subresource}),
      query: {...writeQuery(options), force: options.force},
      body: typeof patch === 'string' ? patch : JSON.stringify(patch),
      contentType: patchTypes[options.type],
      signal: options.signal,
    });
    return body;
  }

  /** Server-side apply. Throws a 409 ApiError whose causes name the other managers, unless `force`. */
  apply(
    resource: Resource,
    object: KubeObject,
    options: WriteOptions & {fieldManager: string; force?: boolean},
  ): Promise<KubeObject> {
    return this.patch(resource, nameOf(object), object, {
      ...options,
      type: 'apply',
      force: options.force ?? false,
    });
  }

  async getScale(resource: Resource, ref: ObjectRef, options: ReadOptions = {}): Promise<Scale> {
    return (await this.get(resource, ref, {...options, subresource: 'scale'})) as Scale;
  }

  async scale(
    resource: Resource,
    ref: ObjectRef,
    replicas: number,
    options: WriteOptions = {},
  ): Promise<Scale> {
    const body = {spec: {replicas}};
    return (await this.patch(resource, ref, body, {
      ...options,
      type: 'merge',
      subresource: 'scale',
    })) as Scale;
  }

  /** The object in its last state while finalizers hold it, else a Status that says Success. */
  async delete(
    resource: Resource,
    ref: ObjectRef,
    options: DeleteOptions = {},
  ): Promise<KubeObject | Status> {
    const {body} = await this.transport.request<KubeObject | Status>({
      method: 'DELETE',
      path: resourcePath(resource, ref),
      body: deleteBody(options),
      signal: options.signal,
    });
    return body;
  }

  async deleteCollection(
    resource: Resource,
    options: DeleteOptions & ListOptions = {},
  ): Promise<KubeList | Status> {
    const {body} = await this.transport.request<KubeList | Status>({
      method: 'DELETE',
      path: resourcePath(resource, {namespace: options.namespace}),
      query: {labelSelector: options.labelSelector, fieldSelector: options.fieldSelector},
      body: deleteBody(options),
      signal: options.signal,
      timeout: 60_000,
    });
    return body;
  }
}

/** The reading part of the client. */
export type DynamicClientReader = Pick<DynamicClient, 'get' | 'list' | 'watch'>;

function nameOf(object: KubeObject): ObjectRef {
  const {name, namespace} = object.metadata;
  if (!name) throw new TypeError(`a ${object.kind ?? 'object'} without metadata.name cannot be written`);
  return {name, namespace};
}

function acceptOf(as: ReadOptions['as'], partial: string): string {
  if (as === 'metadata') return `application/json;as=${partial};g=meta.k8s.io;v=v1,application/json`;
  if (as === 'table') return 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';
  return 'application/json';
}

function listQuery(options: ListOptions): Query {
  return {
    labelSelector: options.labelSelector || undefined,
    fieldSelector: options.fieldSelector || undefined,
    limit: options.limit,
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  };
}

function writeQuery(options: WriteOptions): Query {
  return {
    dryRun: options.dryRun ? 'All' : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  };
}

function deleteBody(options: DeleteOptions): Record<string, unknown> {
  const {gracePeriodSeconds, propagationPolicy, preconditions, dryRun} = options;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
    dryRun: dryRun ? ['All'] : undefined,
  };
}

// One resource in one version: its names, verbs, schema and rules.
import type {DumpedSubresource} from '../schema/dumped-schemas.ts';
import type {FieldSchema} from '../schema/field-schema.ts';
import type {StatusSubject} from '../wire/responses/status-error.ts';
import type {KindRules} from './kind-rules.ts';
import type {WebhookConversion} from './webhook-conversion.ts';

export interface ServedResource extends StatusSubject {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly DumpedSubresource[];
  /** The store of its objects, the same for all versions. */
  readonly storeName: string;
  /** The version that the storage keeps. Others are made by renaming or by a webhook. */
  readonly storageVersion: string;
  /** Set for resources a CRD defines. */
  readonly custom?: CustomResourceInfo;
  readonly schema: () => FieldSchema | undefined;
  readonly rules: KindRules;
}

export interface CustomResourceInfo {
  definition: string;
  /** The main resource ignores status, which has its own subresource. */
  statusSubresource: boolean;
  scale?: {specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string};
  columns: {
    name: string;
    type: string;
    jsonPath: string;
    format?: string;
    description?: string;
    priority?: number;
  }[];
  selectableFields: string[];
  listKind: string;
  preserveUnknownFields: boolean;
  deprecationWarning?: string;
  /** Absent if versions differ only in their name. */
  conversion?: WebhookConversion;
}

export function groupVersion(resource: {group: string; version: string}): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

export function listKind(resource: ServedResource): string {
  return resource.custom?.listKind ?? `${resource.kind}List`;
}

export function hasStatus(resource: ServedResource): boolean {
  return resource.subresources.some(s => s.subresource === 'status');
}

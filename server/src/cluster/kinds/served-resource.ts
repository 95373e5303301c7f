// What the API knows about one resource of one version: its names, its verbs, its schema and its rules.
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
  /** Where objects lie, whatever version they are read in. */
  readonly storeName: string;
  /** The version objects are kept in; other versions are read by renaming, or through a webhook. */
  readonly storageVersion: string;
  /** Set for resources a CRD defines. */
  readonly custom?: CustomResourceInfo;
  readonly schema: () => FieldSchema | undefined;
  readonly rules: KindRules;
}

export interface CustomResourceInfo {
  definition: string;
  /** Status is apart from the rest and the rest ignores it. */
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
  /** Absent: versions differ in their name alone. */
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

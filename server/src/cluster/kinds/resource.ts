// What the API knows about one resource of one version: its names, its verbs, its schema and its rules.
import type {DiscoveredSubresource} from '../schema/load.ts';
import type {Schema} from '../schema/schema.ts';
import type {Subject} from '../wire/status.ts';
import type {Rules} from './rules.ts';
import type {WebhookConversion} from './webhook-conversion.ts';

export interface Resource extends Subject {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly DiscoveredSubresource[];
  /** Where objects lie, whatever version they are read in. */
  readonly shelf: string;
  /** The version objects are kept in; other versions are read by renaming, or through a webhook. */
  readonly storageVersion: string;
  /** Set for resources a CRD defines. */
  readonly custom?: CustomResource;
  readonly schema: () => Schema | undefined;
  readonly rules: Rules;
}

export interface CustomResource {
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

export function listKind(resource: Resource): string {
  return resource.custom?.listKind ?? `${resource.kind}List`;
}

export function hasStatus(resource: Resource): boolean {
  return resource.subresources.some(s => s.subresource === 'status');
}

// One version of a custom resource: its schema, printer columns and subresources.

import type {z} from 'zod';
import type {NamedObjectMeta} from '../../built-in-types/index.ts';

export interface PrinterColumn {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** A path from the object's root: `.spec.replicas`. */
  jsonPath: string;
  description?: string;
  format?: string;
  /** Columns above 0 appear only with `-o wide`. */
  priority?: number;
}

export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface CustomResourceVersion {
  spec: z.ZodType;
  /** With a status schema, status is a subresource. */
  status?: z.ZodType | undefined;
  /** Fields beside spec and status. */
  fields?: Readonly<Record<string, z.ZodType>> | undefined;
  /** Exactly one version is stored. Default: true for a single version. */
  stored?: boolean | undefined;
  /** False: clients cannot use this version, but stored objects may have it. */
  served?: boolean | undefined;
  /** Makes the server warn clients of this version. */
  deprecated?: boolean | string | undefined;
  columns?: readonly PrinterColumn[] | undefined;
  scale?: ScalePaths | undefined;
  /** Fields that field selectors may name. */
  selectableFields?: readonly string[] | undefined;
  description?: string | undefined;
}

export type CustomResourceVersions = Readonly<Record<string, CustomResourceVersion>>;

/** What every object of a resource has. */
type CustomObject<ApiVersion extends string, KindName extends string> = {
  apiVersion: ApiVersion;
  kind: KindName;
  metadata: NamedObjectMeta;
};

/** Fields beside spec and status, on read or on write. */
type OwnFields<F, Way extends 'read' | 'write'> =
  F extends Readonly<Record<string, z.ZodType>>
    ? {[N in keyof F]?: Way extends 'read' ? z.output<F[N]> : z.input<F[N]>}
    : unknown;

/** The type of objects on read, with defaults filled in. */
export type ObjectOfVersion<
  V extends CustomResourceVersion,
  ApiVersion extends string = string,
  KindName extends string = string,
> = CustomObject<ApiVersion, KindName> & {spec: z.output<V['spec']>} & (V['status'] extends z.ZodType
    ? {status?: z.output<V['status']>}
    : unknown) &
  OwnFields<V['fields'], 'read'>;

/** The type of objects on write, where fields with defaults are optional. */
export type InputOfVersion<
  V extends CustomResourceVersion,
  ApiVersion extends string = string,
  KindName extends string = string,
> = CustomObject<ApiVersion, KindName> & {spec: z.input<V['spec']>} & (V['status'] extends z.ZodType
    ? {status?: z.input<V['status']>}
    : unknown) &
  OwnFields<V['fields'], 'write'>;

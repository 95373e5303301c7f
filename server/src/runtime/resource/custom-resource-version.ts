// One version of a custom resource: its schema, what kubectl prints, and its subresources.

import type {z} from 'zod';
import type {KubeObject} from '../../kube/object.ts';

export interface PrinterColumn {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** From the object's root: `.spec.replicas`. */
  jsonPath: string;
  description?: string;
  format?: string;
  /** Above 0: only with `-o wide`. */
  priority?: number;
}

export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface CustomResourceVersion {
  spec: z.ZodType;
  /** With one, status is a subresource: written apart from the rest. */
  status?: z.ZodType | undefined;
  /** Fields beside spec and status. */
  fields?: Readonly<Record<string, z.ZodType>> | undefined;
  /** Exactly one version is the stored one; of a single version it is that. */
  stored?: boolean | undefined;
  /** False: objects are kept in it and nobody can ask for it. */
  served?: boolean | undefined;
  /** A warning for whoever uses it. */
  deprecated?: boolean | string | undefined;
  columns?: readonly PrinterColumn[] | undefined;
  scale?: ScalePaths | undefined;
  /** Fields that field selectors may name. */
  selectableFields?: readonly string[] | undefined;
  description?: string | undefined;
}

export type CustomResourceVersions = Readonly<Record<string, CustomResourceVersion>>;

/** An object of a version as it is read: defaults are filled in. */
export type ObjectOfVersion<V extends CustomResourceVersion> = KubeObject & {
  spec: z.output<V['spec']>;
} & (V['status'] extends z.ZodType ? {status?: z.output<V['status']>} : unknown);

/** An object of a version as it may be written: what has a default may be left out. */
export type InputOfVersion<V extends CustomResourceVersion> = KubeObject & {
  spec: z.input<V['spec']>;
} & (V['status'] extends z.ZodType ? {status?: z.input<V['status']>} : unknown);

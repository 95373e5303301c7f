// The rules of one kind: defaults, immutable fields and validation. Kinds without rules of their own are
// checked by schema only.

import type {Api} from '../api.ts';
import type {StoredObject} from '../object/stored-object.ts';

/** One broken rule. It becomes a cause of a 422. */
export interface FieldError {
  reason: string;
  field: string;
  message: string;
}

export interface KindRules {
  /** Fills in omitted fields of a private copy. */
  default?(object: StoredObject): void;
  /** Runs once before validation on create, on a private copy. */
  onCreate?(object: StoredObject, api: Api): void;
  /** Runs before validation on update of the main resource. */
  onUpdate?(object: StoredObject, old: StoredObject, api: Api): void;
  /** May add warnings, which go back with the response. */
  validate?(object: StoredObject, api: Api, warnings: string[]): FieldError[];
  validateUpdate?(object: StoredObject, old: StoredObject, api: Api, warnings: string[]): FieldError[];
  validateStatus?(object: StoredObject, old: StoredObject, warnings: string[]): FieldError[];
  /**
   * The rules do not read labels and annotations, so a write of those alone leaves spec and status as they
   * are.
   */
  metadataApart?: boolean;
  /** Extra field selectors beyond metadata.name and metadata.namespace. */
  fieldLabels?: Record<string, (object: StoredObject) => string>;
  /** Kinds without a spec and status have no generation. */
  generation?: boolean;
  /** Seconds that a deleted object stays. 0 or absent: it goes at once. */
  grace?(object: StoredObject, requested: number | undefined): number;
  /** Whether anything other than finalizers keeps a deleted object, such as a Namespace's spec.finalizers. */
  holdsDeletion?(object: StoredObject): boolean;
  /** Why an object may not be deleted, or ''. */
  refusesDelete?(object: StoredObject): string;
  /** Runs when deletionTimestamp is set. */
  onDelete?(object: StoredObject): void;
  /** A PUT of a missing object creates it. */
  createOnUpdate?: boolean;
  /** Create keeps the client's status. */
  keepsStatusOnCreate?: boolean;
  /** A finished delete answers with the object instead of a Status. */
  returnsDeleted?: boolean;
  /** A PUT without resourceVersion is refused. */
  demandsRevision?: boolean;
  /** Warnings sent back with a write. */
  warnings?(object: StoredObject): string[];
  /** Checks a name beyond what metadata demands; returns messages. */
  nameProblems?(name: string, prefix: boolean): string[];
}

// The rules of one kind: defaults, what a write may not touch, what makes an object invalid. Kinds without
// special rules use the empty ones and are checked by schema alone.

import type {Api} from '../api.ts';
import type {StoredObject} from '../object/stored-object.ts';

/** One broken rule; becomes a cause of a 422. */
export interface FieldError {
  reason: string;
  field: string;
  message: string;
}

export interface KindRules {
  /** Fills in what the client left out. Called on a private copy. */
  default?(object: StoredObject): void;
  /** Called once before validation on create; the object is a private copy. */
  onCreate?(object: StoredObject, api: Api): void;
  /** Called before validation on update of the main resource. */
  onUpdate?(object: StoredObject, old: StoredObject, api: Api): void;
  validate?(object: StoredObject, api: Api): FieldError[];
  validateUpdate?(object: StoredObject, old: StoredObject, api: Api): FieldError[];
  validateStatus?(object: StoredObject, old: StoredObject): FieldError[];
  /** Labels and annotations touch no rule of this kind: a write of them alone leaves spec and status as they are. */
  metadataApart?: boolean;
  /** Extra field selectors beyond metadata.name and metadata.namespace. */
  fieldLabels?: Record<string, (object: StoredObject) => string>;
  /** Kinds without a spec and status have no generation. */
  generation?: boolean;
  /** Seconds an object lives on after its deletion was asked for; 0 or absent: none. */
  grace?(object: StoredObject, asked: number | undefined): number;
  /** Something beside finalizers keeps a deleted object (a Namespace's spec.finalizers). */
  holdsDeletion?(object: StoredObject): boolean;
  /** Why an object may not be deleted; '' where it may. */
  refusesDelete?(object: StoredObject): string;
  /** Called when deletionTimestamp is set. */
  onDelete?(object: StoredObject): void;
  /** PUT of an object that is not there creates it. */
  createOnUpdate?: boolean;
  /** The client's status survives create. */
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

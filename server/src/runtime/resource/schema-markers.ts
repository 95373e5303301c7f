// Schema markers that zod does not have, with kubebuilder's names. Pass them to `.meta()`.

/** A CEL rule over `self`, and over `oldSelf` for transitions. */
export interface CelValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

export interface Markers {
  /** The field cannot change once set. The server checks this with a transition rule. */
  immutable?: boolean;
  /** Becomes `x-kubernetes-validations`. */
  validations?: readonly CelValidationRule[];
  /** How apply merges lists: whole, as a set, or by the fields of `listMapKeys`. */
  listType?: 'atomic' | 'set' | 'map';
  listMapKeys?: readonly string[];
  mapType?: 'atomic' | 'granular';
  /** A number or a string such as `25%`. */
  intOrString?: boolean;
  /** Keeps fields that the schema does not name. */
  preserveUnknownFields?: boolean;
  /** A complete object with apiVersion, kind and metadata. */
  embeddedResource?: boolean;
  minProperties?: number;
  maxProperties?: number;
  multipleOf?: number;
  format?: string;
  title?: string;
  description?: string;
  example?: unknown;
}

/** Returns the markers and lets TypeScript check their names: `z.string().meta(marks({immutable: true}))`. */
export function marks(markers: Markers): Markers & Record<string, unknown> {
  return {...markers};
}

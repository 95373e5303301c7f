// What a schema cannot say in zod's own words, in kubebuilder's: given to `.meta()`.

/** A CEL rule over `self`, and `oldSelf` for what may not change. */
export interface CelValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

export interface Markers {
  /** Once set it stays: a transition rule that the server checks. */
  immutable?: boolean;
  /** `x-kubernetes-validations`. */
  validations?: readonly CelValidationRule[];
  /** How lists are merged by apply: whole, as a set, or by the fields of `listMapKeys`. */
  listType?: 'atomic' | 'set' | 'map';
  listMapKeys?: readonly string[];
  mapType?: 'atomic' | 'granular';
  /** A number or a text such as `25%`. */
  intOrString?: boolean;
  /** Fields that the schema does not name are kept instead of dropped. */
  preserveUnknownFields?: boolean;
  /** A whole object with apiVersion, kind and metadata. */
  embeddedResource?: boolean;
  minProperties?: number;
  maxProperties?: number;
  multipleOf?: number;
  format?: string;
  title?: string;
  description?: string;
  example?: unknown;
}

/** The markers as they are, with their names checked: `z.string().meta(marks({immutable: true}))`. */
export function marks(markers: Markers): Markers & Record<string, unknown> {
  return {...markers};
}

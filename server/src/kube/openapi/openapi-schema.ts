// The parts of an OpenAPI v3 document that describe Kubernetes kinds.

export interface OpenApiSchema {
  type?: string;
  format?: string;
  description?: string;
  $ref?: string;
  allOf?: OpenApiSchema[];
  oneOf?: OpenApiSchema[];
  anyOf?: OpenApiSchema[];
  enum?: unknown[];
  items?: OpenApiSchema;
  properties?: Record<string, OpenApiSchema>;
  additionalProperties?: OpenApiSchema | boolean;
  required?: string[];
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-group-version-kind'?: {group: string; version: string; kind: string}[];
}

export interface OpenApi {
  components?: {schemas?: Record<string, OpenApiSchema>};
}

/** The id of the schema that a `$ref` names. */
export function referencedId(schema: OpenApiSchema): string | undefined {
  const only = schema.$ref === undefined && schema.allOf?.length === 1 ? schema.allOf[0] : schema;
  return only?.$ref?.slice('#/components/schemas/'.length);
}

// Writes OpenAPI schemas as TypeScript. `krtscope/types` and the declarations for formulas use it.
import {type OpenApiSchema, referencedId} from './openapi-schema.ts';

export interface TypeWriterOptions {
  /** Returns the TypeScript name of a referenced schema. */
  reference(id: string): string;
  /** Writes `readonly` before every field, list and map. */
  readonly: boolean;
  /** The type of values without a schema. */
  unknown: 'any' | 'unknown';
  /** Says whether a field is required. Default: the schema's own list. */
  isRequired?(schema: OpenApiSchema, field: string): boolean;
}

export class TypeWriter {
  readonly #options: TypeWriterOptions;
  readonly #readonly: string;

  constructor(options: TypeWriterOptions) {
    this.#options = options;
    this.#readonly = options.readonly ? 'readonly ' : '';
  }

  /** The type of one value. */
  type(schema: OpenApiSchema, depth: number): string {
    const {unknown, reference} = this.#options;
    const id = referencedId(schema);
    if (id !== undefined) return reference(id);
    if (schema.allOf?.length === 1) return this.type(schema.allOf[0]!, depth);
    if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return 'number | string';
    if (schema.enum?.every(one => typeof one === 'string')) {
      return schema.enum.map(one => JSON.stringify(one)).join(' | ') || 'string';
    }
    if (schema.properties !== undefined) return this.fields(schema, depth);
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
      const inner =
        schema.additionalProperties === true ? unknown : this.type(schema.additionalProperties, depth);
      return `{${this.#readonly}[name: string]: ${inner}}`;
    }
    if (schema.oneOf?.length) {
      return [...new Set(schema.oneOf.map(one => this.type(one, depth)))].join(' | ');
    }
    return this.#simpleType(schema, depth);
  }

  /** An object type with the fields of a schema. */
  fields(schema: OpenApiSchema, depth: number): string {
    const lines = Object.entries(schema.properties ?? {}).map(([field, inner]) =>
      this.field(field, inner, this.isRequired(schema, field), depth),
    );
    const pad = '  '.repeat(depth + 1);
    if (schema['x-kubernetes-preserve-unknown-fields']) {
      lines.push(`${pad}${this.#readonly}[name: string]: ${this.#options.unknown};`);
    }
    return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
  }

  /** One field with its comment. `type` replaces the type of the schema. */
  field(name: string, schema: OpenApiSchema, required: boolean, depth: number, type?: string): string {
    const pad = '  '.repeat(depth + 1);
    const text = type ?? this.type(schema, depth + 1);
    const comment = descriptionComment(schema.description, depth + 1);
    return `${comment}${pad}${this.#readonly}${quoteProperty(name)}${required ? '' : '?'}: ${text};`;
  }

  isRequired(schema: OpenApiSchema, field: string): boolean {
    return this.#options.isRequired?.(schema, field) ?? schema.required?.includes(field) ?? false;
  }

  #simpleType(schema: OpenApiSchema, depth: number): string {
    switch (schema.type) {
      case 'string':
        return 'string';
      case 'integer':
      case 'number':
        return 'number';
      case 'boolean':
        return 'boolean';
      case 'array': {
        const inner = schema.items ? this.type(schema.items, depth) : this.#options.unknown;
        return /^[\w.]+$/.test(inner) ? `${this.#readonly}${inner}[]` : `${this.#readonly}(${inner})[]`;
      }
      case 'object':
        return this.#options.unknown === 'any' ? 'any' : `{${this.#readonly}[name: string]: unknown}`;
      default:
        return this.#options.unknown;
    }
  }
}

/**
 * Required by the schema, or a `spec` that has required fields itself. Schemas call such a spec optional, but
 * the server refuses an object without it.
 */
export function requiredInPractice(
  schema: OpenApiSchema,
  field: string,
  schemas: Record<string, OpenApiSchema>,
): boolean {
  if (schema.required?.includes(field)) return true;
  const inner = field === 'spec' ? schema.properties?.spec : undefined;
  const id = inner && referencedId(inner);
  const target = id === undefined ? inner : schemas[id];
  return (target?.required?.length ?? 0) > 0;
}

function quoteProperty(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The first paragraph of a description, as a comment for the editor's hover. */
export function descriptionComment(description: string | undefined, depth: number): string {
  const first = description?.split('\n')[0]?.replace(/\s*More info: \S+/, '');
  const text = first?.replaceAll('*/', '* /').trim().slice(0, 400);
  return text ? `${'  '.repeat(depth)}/** ${text} */\n` : '';
}

// The fields of a kind, for an editor: what OpenAPI says, without what an editor does not show.
import {z} from 'zod';

export const fieldTypes = ['object', 'map', 'list', 'string', 'integer', 'number', 'boolean', 'any'] as const;
export type FieldType = (typeof fieldTypes)[number];

export interface FieldNode {
  readonly type: FieldType;
  readonly about?: string | undefined;
  /** The values that the field may have. */
  readonly choices?: readonly string[] | undefined;
  /** Of an object: the name of its fields in `objects`. */
  readonly object?: string | undefined;
  /** Of a list: its items. Of a map: its values. */
  readonly of?: FieldNode | undefined;
}

const fieldNodeSchema: z.ZodType<FieldNode> = z.lazy(() =>
  z.object({
    type: z.enum(fieldTypes),
    about: z.string().optional(),
    choices: z.array(z.string()).optional(),
    object: z.string().optional(),
    of: fieldNodeSchema.optional(),
  }),
);

export const kindFieldsSchema = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  /** Absent if nothing is known about the fields of the kind. */
  root: fieldNodeSchema.optional(),
  /** The fields of each object, by name. A schema may contain itself, so objects refer to each other by name. */
  objects: z.record(z.string(), z.record(z.string(), fieldNodeSchema)),
});
export type KindFields = z.infer<typeof kindFieldsSchema>;

// Items of one collection, alone and in lists; differences between two moments; search hits.
import {z} from 'zod';
import {dependencySchema, fetchSchema, refSchema, runStripSchema, writerSchema} from './run.ts';
import {outcomes} from './vocabulary.ts';

export const itemSchema = z.object({
  key: z.string(),
  value: z.unknown(),
  inputs: z.array(z.string()),
  outcome: z.enum(outcomes),
  runs: z.number(),
  /** The batch and the time of its last change. */
  sequence: z.number(),
  at: z.number(),
  /** The last run failed, and these are the rows of the previous one. */
  stale: z.boolean().optional(),
  /** Other inputs that claim this key. */
  conflict: z.array(z.string()).optional(),
});
export type Item = z.infer<typeof itemSchema>;

export const itemsSchema = z.object({
  sequence: z.number(),
  total: z.number(),
  items: z.array(itemSchema),
  cursor: z.string().optional(),
});
export type Items = z.infer<typeof itemsSchema>;

export const itemDetailSchema = z.object({
  sequence: z.number(),
  collection: z.string(),
  key: z.string(),
  /** Null for an input and for a removed item, so that scripts always find the field. */
  value: z.unknown(),
  /** The value before the last change, and the paths that differ. */
  previous: z.unknown().optional(),
  changed: z.array(z.string()),
  inputs: z.array(z.string()),
  /** Output keys in this collection of the same input(s). */
  outputs: z.array(z.string()),
  dependencies: z.array(
    dependencySchema.extend({matched: z.number(), scanned: z.number(), via: fetchSchema.shape.via}),
  ),
  /** Items one step up (the input first, then fetched ones) and one step down. */
  precedents: z.array(
    refSchema.extend({filter: z.string().optional(), outcome: z.enum(outcomes).optional()}),
  ),
  dependents: z.array(refSchema.extend({outcome: z.enum(outcomes).optional()})),
  outcome: z.enum(outcomes),
  runs: z.number(),
  ...runStripSchema.shape,
  /** Recorded runs that changed nothing. */
  equal: z.number(),
  writer: writerSchema.optional(),
  at: z.number(),
  error: z.string().optional(),
  waitingFor: z.string().optional(),
  /** One sentence: why it has this value. */
  sentence: z.string(),
});
export type ItemDetail = z.infer<typeof itemDetailSchema>;

export const diffSchema = z.object({
  from: z.number(),
  to: z.number(),
  collections: z.record(
    z.string(),
    z.array(z.object({key: z.string(), old: z.unknown().optional(), new: z.unknown().optional()})),
  ),
});
export type Diff = z.infer<typeof diffSchema>;

export const hitSchema = z.object({
  collection: z.string(),
  key: z.string(),
  /** The path whose value matched, `key`, or `collection`. */
  where: z.string(),
  text: z.string().optional(),
  outcome: z.enum(outcomes).optional(),
});
export type Hit = z.infer<typeof hitSchema>;

export const searchSchema = z.object({
  sequence: z.number(),
  hits: z.array(hitSchema),
  /** The number of all hits, if the list was cut. */
  total: z.number(),
});
export type SearchAnswer = z.infer<typeof searchSchema>;

// The graph answer: collections and the edges between them.
import {z} from 'zod';
import {collectionKinds, edgeKinds, formulaTroubles, outcomes, sourceStates} from './vocabulary.ts';

/** Where a source comes from in Kubernetes; absent for what is not a resource. */
export const resourceSchema = z.object({
  group: z.string(),
  version: z.string(),
  resource: z.string(),
  kind: z.string(),
  namespaced: z.boolean(),
});
export type WireResource = z.infer<typeof resourceSchema>;

/** What a collection has to do before it is synced (a list to read, runs to make), and the seconds left at this pace. */
export const progressSchema = z.object({
  done: z.number(),
  total: z.number(),
  seconds: z.number().optional(),
});
export type Progress = z.infer<typeof progressSchema>;

export const collectionSchema = z.object({
  name: z.string(),
  uid: z.number(),
  kind: z.enum(collectionKinds),
  size: z.number(),
  synced: z.boolean(),
  /** The upstream collection that holds this one back, by name. */
  waitingFor: z.string().optional(),
  /** Sources: what the reflector says; derived ones of a missing kind inherit nothing. Formulas: what is wrong. */
  state: z.enum([...sourceStates, ...formulaTroubles]).optional(),
  /** Somebody typed it: a formula of the Lab or of a file. */
  formula: z.literal(true).optional(),
  /** The file of the graph module that made it. */
  module: z.string().optional(),
  /** Of a formula that is failing or quarantined. */
  error: z
    .object({
      message: z.string(),
      line: z.number().optional(),
      column: z.number().optional(),
      input: z.string().optional(),
    })
    .optional(),
  /** Why the state is what it is, for a person, and a command to copy that helps. */
  reason: z.string().optional(),
  hint: z.string().optional(),
  /** Objects of the first list so far, and of how many. */
  listed: z.number().optional(),
  total: z.number().optional(),
  /** While it is not synced and can say so. */
  progress: progressSchema.optional(),
  /** Up to when the rows hold every change, milliseconds since 1970, and whether that is now; the worst of what is read. */
  asOf: z.number().optional(),
  current: z.boolean().optional(),
  /** The source that is not current, by name. */
  behind: z.string().optional(),
  runs: z.number(),
  failed: z.number(),
  resource: resourceSchema.optional(),
  /** Runs in the last minute, equal ones among them, mean milliseconds a run; 12 buckets of recent runs. */
  rate: z.number(),
  equal: z.number(),
  spark: z.array(z.number()),
  /** The newest change or run here. */
  last: z
    .object({sequence: z.number(), at: z.number(), outcome: z.enum(outcomes), key: z.string()})
    .optional(),
  /** Paths that tell rows apart best, shown first in the sheet. */
  fields: z.array(z.string()),
});
export type CollectionNode = z.infer<typeof collectionSchema>;

export const edgeSchema = z.object({
  from: z.string(),
  to: z.string(),
  kind: z.enum(edgeKinds),
  filters: z.array(z.string()),
  /** Positions in `filters` whose text was inferred from samples. */
  inferred: z.array(z.number()).optional(),
  /** Fetches: whether an index answers them or a scan does. */
  via: z.enum(['index', 'scan']).optional(),
});
export type GraphEdge = z.infer<typeof edgeSchema>;

export const graphSchema = z.object({
  sequence: z.number(),
  collections: z.array(collectionSchema),
  edges: z.array(edgeSchema),
});
export type Graph = z.infer<typeof graphSchema>;

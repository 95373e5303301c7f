// The graph answer: collections and the edges between them.
import {z} from 'zod';
import {collectionKinds, edgeKinds, formulaTroubles, outcomes, sourceStates} from './vocabulary.ts';

/** The Kubernetes resource of a source. */
export const resourceSchema = z.object({
  group: z.string(),
  version: z.string(),
  resource: z.string(),
  kind: z.string(),
  namespaced: z.boolean(),
});
export type WireResource = z.infer<typeof resourceSchema>;

/** Work before a collection is synced (objects to list, runs to do), and the seconds left at this pace. */
export const progressSchema = z.object({
  done: z.number(),
  total: z.number(),
  seconds: z.number().optional(),
});
export type Progress = z.infer<typeof progressSchema>;

export const formulaLanes = ['engine', 'slow'] as const;
export const formulaCostSchema = z.object({runs: z.number(), totalMs: z.number(), slowestMs: z.number()});

export const collectionSchema = z.object({
  name: z.string(),
  uid: z.number(),
  kind: z.enum(collectionKinds),
  size: z.number(),
  synced: z.boolean(),
  /** The upstream collection that this one waits for. */
  waitingFor: z.string().optional(),
  /** The state of a source, or the problem of a formula. */
  state: z.enum([...sourceStates, ...formulaTroubles]).optional(),
  /** A user wrote it: a formula of the Lab or of a file. */
  formula: z.literal(true).optional(),
  /** The file of the graph module that created it. */
  module: z.string().optional(),
  /** The error of a failing or quarantined formula. */
  error: z
    .object({
      message: z.string(),
      line: z.number().optional(),
      column: z.number().optional(),
      input: z.string().optional(),
    })
    .optional(),
  /** Why it is in this state, and a command to copy that helps. */
  reason: z.string().optional(),
  hint: z.string().optional(),
  /** Objects of the first list so far, and their total. */
  listed: z.number().optional(),
  total: z.number().optional(),
  /** While it is not synced, or while a slow formula recomputes its rows. */
  progress: progressSchema.optional(),
  /**
   * Until when the rows contain every change (milliseconds since 1970), and whether that is now. The oldest
   * source counts.
   */
  asOf: z.number().optional(),
  current: z.boolean().optional(),
  /** The source that is not current. */
  behind: z.string().optional(),
  /** Where a formula runs: in the engine process, or in a process of its own because its runs are slow. */
  lane: z.enum(formulaLanes).optional(),
  /** What the runs of a formula cost, since the engine process started. */
  cost: formulaCostSchema.optional(),
  runs: z.number(),
  failed: z.number(),
  resource: resourceSchema.optional(),
  /** Runs in the last minute, how many were equal, and 12 buckets of recent runs. */
  rate: z.number(),
  equal: z.number(),
  spark: z.array(z.number()),
  /** The newest change or run here. */
  last: z
    .object({sequence: z.number(), at: z.number(), outcome: z.enum(outcomes), key: z.string()})
    .optional(),
  /** Paths that distinguish rows best, shown first in the sheet. */
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
  /** Of fetches: answered by an index or by a scan. */
  via: z.enum(['index', 'scan']).optional(),
});
export type GraphEdge = z.infer<typeof edgeSchema>;

export const graphSchema = z.object({
  sequence: z.number(),
  collections: z.array(collectionSchema),
  edges: z.array(edgeSchema),
});
export type Graph = z.infer<typeof graphSchema>;

// The answers why, why-not, why-empty and fields. Sentences come as text and in parts for chips.
import {z} from 'zod';
import {
  causeSchema,
  dependencySchema,
  fetchSchema,
  refSchema,
  runMarkSchema,
  runSchema,
  runStripSchema,
  writerSchema,
} from './run.ts';
import {changeEvents, outcomes, verdicts} from './vocabulary.ts';

/** A part of a sentence: text, an item to click, code, or an outcome. */
export const sentencePartSchema = z.union([
  z.object({text: z.string()}),
  z.object({item: refSchema, role: z.enum(['subject', 'cause', 'effect']).optional()}),
  z.object({code: z.string(), mark: z.enum(['changed', 'error']).optional()}),
  z.object({outcome: z.enum(outcomes)}),
]);
export type SentencePart = z.infer<typeof sentencePartSchema>;

export const pathChangeSchema = z.object({
  path: z.string(),
  old: z.unknown().optional(),
  new: z.unknown().optional(),
  /** Whether the formula of the hop above reads this path; absent if unknown. */
  read: z.boolean().optional(),
  /** The result changes if only this path is undone. */
  needed: z.boolean().optional(),
});
export type PathChange = z.infer<typeof pathChangeSchema>;

/** One hop of the causes, newest first. The last one is the write in the cluster. */
export const hopSchema = z.object({
  kind: z.enum(['run', 'change', 'write']),
  collection: z.string(),
  key: z.string(),
  sequence: z.number(),
  at: z.number(),
  outcome: z.enum(outcomes).optional(),
  event: z.enum(changeEvents).optional(),
  run: z.string().optional(),
  /** How the hop above depends on this one. */
  cause: causeSchema.optional(),
  changes: z.array(pathChangeSchema),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  writer: writerSchema.optional(),
  start: z.number().optional(),
  duration: z.number().optional(),
  resourceVersion: z.object({old: z.string().optional(), new: z.string().optional()}).optional(),
  /** The event if no item changed, such as `Pods synced, 41 objects`. The key is empty then. */
  text: z.string().optional(),
});
export type Hop = z.infer<typeof hopSchema>;

export const effectSchema = z.object({
  collection: z.string(),
  key: z.string(),
  depth: z.number(),
  outcome: z.enum(outcomes).optional(),
  run: z.string().optional(),
  /** Why the effects end here. */
  stopped: z
    .object({
      reason: z.enum(['equal', 'filter-miss', 'no-dependents', 'failed', 'suspended', 'discarded']),
      text: z.string(),
    })
    .optional(),
  start: z.number().optional(),
  duration: z.number().optional(),
});
export type Effect = z.infer<typeof effectSchema>;

export const whySchema = z.object({
  sequence: z.number(),
  collection: z.string(),
  key: z.string(),
  outcome: z.enum(outcomes),
  sentence: z.string(),
  parts: z.array(sentencePartSchema),
  /** Only documents show the change: `candidates` changed between the same two, nearest first. */
  probable: z.boolean().optional(),
  candidates: z.array(refSchema).optional(),
  run: runSchema.nullable(),
  causes: z.array(hopSchema),
  effects: z.array(effectSchema),
  /** Other changes of the same batch that are not causes, each with the reason. */
  together: z.array(refSchema.extend({event: z.enum(changeEvents), reason: z.string()})),
  /** All runs after the outside write, by collection. */
  blast: z.array(
    z.object({
      collection: z.string(),
      marks: z.array(runMarkSchema.extend({input: z.string()})),
      total: z.number(),
    }),
  ),
  kept: z.array(dependencySchema),
  ...runStripSchema.shape,
  settled: z.number(),
  /** Later runs that changed nothing: equal, or still empty. */
  equalSince: z.number(),
});
export type Why = z.infer<typeof whySchema>;

export const clauseSchema = z.object({
  clause: z.string(),
  wants: z.string(),
  old: z.string().optional(),
  new: z.string().optional(),
  matchesOld: z.boolean().optional(),
  matchesNew: z.boolean().optional(),
});
export type EvidenceClause = z.infer<typeof clauseSchema>;

export const evidenceSchema = z.object({
  /** All ten verdicts in order, each with the fact that decided it. */
  ruled: z.array(z.object({verdict: z.enum(verdicts), held: z.boolean(), reason: z.string()})),
  fetch: z.string().optional(),
  clauses: z.array(clauseSchema),
  nearest: z
    .object({
      wants: z.string(),
      /** `not set` where the label is missing; then there is no distance. */
      has: z.string(),
      distance: z.number().optional(),
      note: z.string().optional(),
    })
    .optional(),
  looked: z.array(fetchSchema),
  reacted: z.array(
    z.object({
      collection: z.string(),
      filter: z.string(),
      runs: z.number(),
      outcome: z.enum(outcomes).optional(),
    }),
  ),
  /** Of `waiting`: the chain to the first unsynced source. */
  holders: z.array(z.object({collection: z.string(), state: z.string(), reason: z.string().optional()})),
  run: runSchema.optional(),
  /** The last recorded change of the expected item. */
  last: hopSchema.optional(),
  /** A command to copy that would make it match. krtscope never runs it. */
  command: z.string().optional(),
  /** Of `command`: the tool that would overwrite the change, and where its source is. */
  commandNote: z.string().optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

export const whyNotSchema = z.object({
  sequence: z.number(),
  collection: z.string(),
  key: z.string(),
  expected: refSchema.optional(),
  verdict: z.enum(verdicts),
  /** The sentence names a probable reason, from inputs of the collection that have rows. */
  probable: z.boolean().optional(),
  sentence: z.string(),
  parts: z.array(sentencePartSchema),
  evidence: evidenceSchema,
});
export type WhyNot = z.infer<typeof whyNotSchema>;

export const fieldsSchema = z.object({
  sequence: z.number(),
  reads: z.array(z.object({collection: z.string(), key: z.string(), paths: z.array(z.string())})),
  /** The fetches in order, with their lines in the formula if the rerun could tell. */
  fetches: z.array(dependencySchema.extend({matched: z.number(), line: z.string().optional()})).optional(),
});
export type FieldsAnswer = z.infer<typeof fieldsSchema>;

// The answers of explain/: why, why not, why empty, fields read. Sentences come plain and in parts for chips.
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

/** A piece of a sentence: plain words, an item to click, code, or an outcome word. */
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
  /** Whether the formula of the hop above reads this path; absent when nobody looked. */
  read: z.boolean().optional(),
  /** Undone alone, this path changes what is asked about. */
  needed: z.boolean().optional(),
});
export type PathChange = z.infer<typeof pathChangeSchema>;

/** One hop of the cause chain, newest first; the last is the write in the cluster. */
export const hopSchema = z.object({
  kind: z.enum(['run', 'change', 'write']),
  collection: z.string(),
  key: z.string(),
  sequence: z.number(),
  at: z.number(),
  outcome: z.enum(outcomes).optional(),
  event: z.enum(changeEvents).optional(),
  run: z.string().optional(),
  /** How the hop above came to depend on this one. */
  cause: causeSchema.optional(),
  changes: z.array(pathChangeSchema),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  writer: writerSchema.optional(),
  start: z.number().optional(),
  duration: z.number().optional(),
  resourceVersion: z.object({old: z.string().optional(), new: z.string().optional()}).optional(),
  /** What happened where no item changed: `Pods synced, 41 objects`; the key is empty then. */
  text: z.string().optional(),
});
export type Hop = z.infer<typeof hopSchema>;

export const effectSchema = z.object({
  collection: z.string(),
  key: z.string(),
  depth: z.number(),
  outcome: z.enum(outcomes).optional(),
  run: z.string().optional(),
  /** Set where the wave ended, with the reason in words. */
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
  run: runSchema.nullable(),
  causes: z.array(hopSchema),
  effects: z.array(effectSchema),
  /** Changed in the same batch without being a cause, each with the reason. */
  together: z.array(refSchema.extend({event: z.enum(changeEvents), reason: z.string()})),
  /** All runs of the root write, by collection. */
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
  /** Runs after this one that changed nothing: equal, or still empty. */
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
  /** All nine in order, each with the fact that ruled it out or made it the answer. */
  ruled: z.array(z.object({verdict: z.enum(verdicts), held: z.boolean(), reason: z.string()})),
  fetch: z.string().optional(),
  clauses: z.array(clauseSchema),
  nearest: z
    .object({wants: z.string(), has: z.string(), distance: z.number(), note: z.string().optional()})
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
  /** Waiting: the chain to the first unsynced source. */
  holders: z.array(z.object({collection: z.string(), state: z.string(), reason: z.string().optional()})),
  run: runSchema.optional(),
  /** The last recorded change of what was expected. */
  last: hopSchema.optional(),
  /** A command to copy that would make it match; krtscope never runs it. */
  command: z.string().optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

export const whyNotSchema = z.object({
  sequence: z.number(),
  collection: z.string(),
  key: z.string(),
  expected: refSchema.optional(),
  verdict: z.enum(verdicts),
  sentence: z.string(),
  parts: z.array(sentencePartSchema),
  evidence: evidenceSchema,
});
export type WhyNot = z.infer<typeof whyNotSchema>;

export const fieldsSchema = z.object({
  sequence: z.number(),
  reads: z.array(z.object({collection: z.string(), key: z.string(), paths: z.array(z.string())})),
  /** The fetches in the order they were made, with the line of the formula where the re-run could tell it. */
  fetches: z.array(dependencySchema.extend({matched: z.number(), line: z.string().optional()})).optional(),
});
export type FieldsAnswer = z.infer<typeof fieldsSchema>;

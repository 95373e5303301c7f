// Why something is like this: from a row, a field or an input back to the write from outside that made it so.
import {z} from 'zod';
import {causeSchema, refSchema} from './run.ts';
import {changeEvents, outcomes} from './vocabulary.ts';
import {clauseSchema, pathChangeSchema, sentencePartSchema} from './why.ts';

/** The write at which the walk ended. Where Kubernetes notes no writer there is no manager. */
export const originWriteSchema = z.object({
  collection: z.string(),
  key: z.string(),
  event: z.enum(changeEvents),
  /** The path that made the difference, with its values before and after. */
  path: z.string().optional(),
  old: z.unknown().optional(),
  new: z.unknown().optional(),
  manager: z.string().optional(),
  sequence: z.number(),
  /** UTC, of the batch that brought it: `2026-11-16T15:04:12.120Z`. */
  time: z.string(),
  /** The object is another one of the same name: it has a new uid. */
  replaced: z.boolean().optional(),
  /** It has been asked to go and is not gone yet. */
  deleting: z.boolean().optional(),
});
export type OriginWrite = z.infer<typeof originWriteSchema>;

export const stepKinds = ['value', 'missed', 'empty', 'absent', 'suspended', 'failed'] as const;
export type StepKind = (typeof stepKinds)[number];

/** What a cause of a run was worth: undone alone it changes what is asked about, or would have sufficed alone. */
export const weights = ['needed', 'also-needed', 'either', 'not-needed', 'unknown'] as const;
export type Weight = (typeof weights)[number];

export const originCauseSchema = causeSchema.extend({
  weight: z.enum(weights),
  /** The walk goes on along this one. */
  followed: z.boolean().optional(),
});
export type OriginCause = z.infer<typeof originCauseSchema>;

export const stepEvidenceSchema = z.object({
  sequence: z.number(),
  at: z.number(),
  outcome: z.enum(outcomes).optional(),
  event: z.enum(changeEvents).optional(),
  /** What changed in this step's row, the path that made the difference first. */
  changes: z.array(pathChangeSchema),
  /** At most 20; `causeCount` has how many there were. */
  causes: z.array(originCauseSchema),
  causeCount: z.number(),
  /** `same`: the formula, repeated over the state of its own batch, gave what was recorded; else `note` says why not. */
  repeat: z.enum(['same', 'differs', 'none']),
  note: z.string().optional(),
  /** The fetch this step is about: what it asked, and how the nearest object answers it clause by clause. */
  fetch: z.string().optional(),
  clauses: z.array(clauseSchema),
  candidate: refSchema.optional(),
  error: z.string().optional(),
  waitingFor: z.string().optional(),
});
export type StepEvidence = z.infer<typeof stepEvidenceSchema>;

export const originStepSchema = z.object({
  collection: z.string(),
  key: z.string(),
  kind: z.enum(stepKinds),
  sentence: z.string(),
  parts: z.array(sentencePartSchema),
  /** The id of the run, where a run made it. */
  run: z.string().optional(),
  evidence: stepEvidenceSchema,
});
export type OriginStep = z.infer<typeof originStepSchema>;

export const originSchema = z.object({
  sequence: z.number(),
  collection: z.string(),
  key: z.string(),
  field: z.string().optional(),
  sentence: z.string(),
  parts: z.array(sentencePartSchema),
  /** Null: the cause is older than what is kept, or nothing was written. */
  write: originWriteSchema.nullable(),
  steps: z.array(originStepSchema),
  /** A command to copy that would mend it; krtscope never runs it. */
  fix: z.string().optional(),
});
export type Origin = z.infer<typeof originSchema>;

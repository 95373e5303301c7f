// The origin of a row, a field or an input: the steps back to the outside write that caused it.
import {z} from 'zod';
import {causeSchema, refSchema} from './run.ts';
import {changeEvents, outcomes} from './vocabulary.ts';
import {clauseSchema, pathChangeSchema, sentencePartSchema} from './why.ts';

/** The causing write. It has no manager if Kubernetes recorded none. */
export const originWriteSchema = z.object({
  collection: z.string(),
  key: z.string(),
  event: z.enum(changeEvents),
  /** The decisive path, with its values before and after. */
  path: z.string().optional(),
  old: z.unknown().optional(),
  new: z.unknown().optional(),
  manager: z.string().optional(),
  sequence: z.number(),
  /** UTC time of its batch: `2026-11-16T15:04:12.120Z`. */
  time: z.string(),
  /** The object was replaced by another one of the same name, with a new uid. */
  replaced: z.boolean().optional(),
  /** It is being deleted. */
  deleting: z.boolean().optional(),
});
export type OriginWrite = z.infer<typeof originWriteSchema>;

/** What a trial of a fix found. A fix that only works through a controller cannot be tried. */
export const fixOutcomes = ['ends', 'does-not-end', 'cannot-try'] as const;
export type FixOutcome = (typeof fixOutcomes)[number];

export const stepKinds = ['value', 'missed', 'empty', 'absent', 'suspended', 'failed'] as const;
export type StepKind = (typeof stepKinds)[number];

/** The weight of a cause: whether the result changes without it, or whether it alone would have sufficed. */
export const weights = ['needed', 'also-needed', 'either', 'not-needed', 'unknown'] as const;
export type Weight = (typeof weights)[number];

export const originCauseSchema = causeSchema.extend({
  weight: z.enum(weights),
  /** The walk follows this cause. */
  followed: z.boolean().optional(),
});
export type OriginCause = z.infer<typeof originCauseSchema>;

export const stepEvidenceSchema = z.object({
  sequence: z.number(),
  at: z.number(),
  outcome: z.enum(outcomes).optional(),
  event: z.enum(changeEvents).optional(),
  /** Changes in this step's row, the decisive path first. */
  changes: z.array(pathChangeSchema),
  /** At most 20; `causeCount` is the number of all. */
  causes: z.array(originCauseSchema),
  causeCount: z.number(),
  /** `same` if a rerun over the state of its batch gave the recorded result; else `note` says why not. */
  repeat: z.enum(['same', 'differs', 'none']),
  note: z.string().optional(),
  /** The fetch of this step, and how the nearest object matches it clause by clause. */
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
  /** The id of the run that made it. */
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
  /** Null if the cause is older than the recording, or if there was no write. */
  write: originWriteSchema.nullable(),
  /** The session cannot know the write: the program does not say it, and the log leaves more than one. */
  unknown: z.boolean().optional(),
  /** The possible causes where it is not known which one it was. */
  candidates: z.array(refSchema).optional(),
  /** Only documents show the change: the candidates changed between the same two, nearest first. */
  probable: z.boolean().optional(),
  /** A step was inferred from the log of an attached program. */
  inferred: z.boolean().optional(),
  steps: z.array(originStepSchema),
  /** A command to copy that would fix it. krtscope never runs it. */
  fix: z.string().optional(),
  /** Set where Helm, Argo CD or Flux will overwrite a manual change: says so, and where the source is. */
  fixNote: z.string().optional(),
  /** Present if the question asks for a trial of the fix. */
  tried: z.enum(fixOutcomes).optional(),
});
export type Origin = z.infer<typeof originSchema>;

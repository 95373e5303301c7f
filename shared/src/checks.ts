// Checks: problems and waste, ranked, each with its evidence.
import {z} from 'zod';
import {refSchema} from './run.ts';
import {severities} from './vocabulary.ts';

/** A controller, and one of its requests. */
export const reconcileRefSchema = z.object({controller: z.string(), request: z.string().optional()});

export const checkSchema = z.object({
  /** `duplicate-across-inputs`, `full-scan`, `flip-flop`, `not-synced`, `selects-nothing`… docs/checks.md lists them. */
  code: z.string(),
  severity: z.enum(severities),
  collection: z.string(),
  keys: z.array(z.string()),
  message: z.string(),
  count: z.number(),
  /** A short headline; `message` is the evidence below it. */
  title: z.string(),
  sequence: z.number(),
  at: z.number(),
  /** What to open: an item's Why, or the pair for Why not. */
  evidence: z.object({item: refSchema, expected: refSchema.optional()}).optional(),
  /** Of a controller: what to open in the Controllers view. `collection` is then the controller's name. */
  reconcile: reconcileRefSchema.optional(),
  /** Its data is not current: the problem may have ended or become worse. */
  unknown: z.boolean().optional(),
  /** A command or an index that would help. */
  hint: z.string().optional(),
});
export type Check = z.infer<typeof checkSchema>;

/** The purity table: for each promise, how many collections break it. */
export const promiseSchema = z.object({
  name: z.string(),
  codes: z.array(z.string()),
  failing: z.number(),
  severity: z.enum(severities),
  /** The recording does not hold the whole minute that this is computed from. */
  unknown: z.boolean().optional(),
});
export type PurityPromise = z.infer<typeof promiseSchema>;

export const checksSchema = z.object({
  sequence: z.number(),
  checks: z.array(checkSchema),
  promises: z.array(promiseSchema),
  derived: z.number(),
});
export type Checks = z.infer<typeof checksSchema>;

// Incidents: one origin with all problems that follow from it.
import {z} from 'zod';
import {reconcileRefSchema} from './checks.ts';
import {fixOutcomes, originWriteSchema} from './origin.ts';
import {refSchema} from './run.ts';
import {severities} from './vocabulary.ts';
import {sentencePartSchema} from './why.ts';

export const incidentStates = ['open', 'ended', 'all'] as const;
export type IncidentState = (typeof incidentStates)[number];

export const symptomSchema = z.object({
  code: z.string(),
  collection: z.string(),
  keys: z.array(z.string()),
  severity: z.enum(severities),
  title: z.string(),
  message: z.string(),
  /** The batch in which it was first found, and the last one. `ended` is absent while it lasts. */
  began: z.number(),
  ended: z.number().optional(),
  /** What to open: an item's Why, or the pair for Why not. */
  evidence: z.object({item: refSchema, expected: refSchema.optional()}).optional(),
  /** Of a controller: what to open in the Controllers view. `collection` is then the controller's name. */
  reconcile: reconcileRefSchema.optional(),
  hint: z.string().optional(),
});
export type Symptom = z.infer<typeof symptomSchema>;

export const incidentSchema = z.object({
  /** `<opening sequence> <code> <collection> <key>`. */
  id: z.string(),
  severity: z.enum(severities),
  title: z.string(),
  sentence: z.string(),
  parts: z.array(sentencePartSchema),
  /** Sequences, and the same moments in milliseconds since 1970. */
  began: z.number(),
  ended: z.number().optional(),
  beganAt: z.number(),
  endedAt: z.number().optional(),
  /** The causing write. Null if the recording does not hold it or there was none, as for a failing source. */
  origin: z.object({
    sentence: z.string(),
    write: originWriteSchema.nullable(),
    /** Query origin with this for the steps. */
    asked: refSchema.extend({field: z.string().optional(), input: z.boolean().optional()}).optional(),
    fix: z.string().optional(),
    fixNote: z.string().optional(),
    /** Present if the question asks for a trial of the fix. */
    tried: z.enum(fixOutcomes).optional(),
  }),
  /** Present symptoms first, then ended ones. */
  symptoms: z.array(symptomSchema),
});
export type Incident = z.infer<typeof incidentSchema>;

export const incidentsSchema = z.object({
  sequence: z.number(),
  incidents: z.array(incidentSchema),
  /** Number of incidents in each state, independent of the query. */
  open: z.number(),
  ended: z.number(),
});
export type Incidents = z.infer<typeof incidentsSchema>;

// What if: edits of objects, and the rows and incidents that would change.
import {z} from 'zod';
import {formulaKinds, paramValuesSchema} from '../formulas.ts';
import {incidentSchema} from '../incidents.ts';
import {refSchema, runSchema} from '../run.ts';

export const MAX_EDITS = 1000;

const refShape = {collection: z.string().min(1).max(2000), key: z.string().min(1).max(2000)};
const objectSchema = z.record(z.string(), z.unknown());

export const patchTypes = ['merge', 'strategic', 'json'] as const;
export type EditPatchType = (typeof patchTypes)[number];

/** One edit. `apply` is a whole object; `undo` takes back one recorded write. */
export const editSchema = z.union([
  z.strictObject({apply: objectSchema}),
  z.strictObject({
    patch: z.strictObject({
      ...refShape,
      body: z.union([objectSchema, z.array(objectSchema)]),
      type: z.enum(patchTypes).default('merge'),
    }),
  }),
  z.strictObject({delete: z.strictObject(refShape)}),
  z.strictObject({undo: z.strictObject({sequence: z.number().int().positive(), ...refShape})}),
]);
export type Edit = z.infer<typeof editSchema>;
export type EditInput = z.input<typeof editSchema>;

/** The draft of a formula: the rows of its collection as this text would make them. */
export const draftFormulaSchema = z.strictObject({
  name: z.string().min(1).max(200),
  code: z.string().max(262_144),
  kind: z.enum(formulaKinds).optional(),
  input: z.string().max(2000).optional(),
  params: paramValuesSchema.optional(),
});
export type DraftFormula = z.infer<typeof draftFormulaSchema>;

export const whatIfRequestSchema = z.strictObject({
  /** The sequence of the moment. Default: now. */
  at: z.number().int().nonnegative().optional(),
  edits: z
    .array(editSchema, 'edits is not a list of edits')
    .max(MAX_EDITS, `at most ${MAX_EDITS} edits in one request; split it`)
    .default([]),
  /** Formulas to replace or add, together with the edits. */
  formulas: z.array(draftFormulaSchema).max(20).optional(),
  /** Only rows of these collections are in the answer. Default: all. */
  collections: z.array(z.string().max(2000)).max(1000).optional(),
  /** Lets the controllers of the demo react in the copy, at most 100 rounds. */
  react: z.boolean().optional(),
});
export type WhatIfRequest = z.infer<typeof whatIfRequestSchema>;
export type WhatIfRequestInput = z.input<typeof whatIfRequestSchema>;

/** A row before and after. Without `old` it would be added, without `new` removed. */
export const rowDifferenceSchema = z.object({
  key: z.string(),
  old: z.unknown().optional(),
  new: z.unknown().optional(),
  /** Absent for rows that no run makes: sources and joins. A cause names the run before it by its id. */
  run: runSchema.pick({id: true, input: true, outcome: true, causes: true}).optional(),
});
export type RowDifference = z.infer<typeof rowDifferenceSchema>;

export const supposedIncidentSchema = incidentSchema.pick({
  id: true,
  severity: true,
  title: true,
  sentence: true,
  symptoms: true,
});
export type SupposedIncident = z.infer<typeof supposedIncidentSchema>;

export const whatIfSchema = z.object({
  /** The moment that the edits were tried on, and its time in milliseconds since 1970. */
  sequence: z.number(),
  at: z.number(),
  collections: z.record(z.string(), z.array(rowDifferenceSchema)),
  incidents: z.object({begun: z.array(supposedIncidentSchema), ended: z.array(supposedIncidentSchema)}),
  runs: z.number(),
  /** Rows that ran again and stayed equal. */
  stopped: z.array(refSchema),
  notes: z.array(z.string()),
});
export type WhatIf = z.infer<typeof whatIfSchema>;

/** Rows that read a field in their last run, or whose fetches could match another object because of it. */
export const impactReaderSchema = z.object({
  collection: z.string(),
  how: z.enum(['read', 'couldMatch']),
  /** The first keys, and how many there are. */
  keys: z.array(z.string()),
  count: z.number(),
});
export type ImpactReader = z.infer<typeof impactReaderSchema>;

export const impactSchema = z.object({
  sequence: z.number(),
  fields: z.array(z.object({path: z.string(), readers: z.array(impactReaderSchema)})),
  /** What the answer leaves out. */
  notes: z.array(z.string()).optional(),
});
export type Impact = z.infer<typeof impactSchema>;

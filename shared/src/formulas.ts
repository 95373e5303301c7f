// Formulas on the wire: requests, previews, and the state of saved formulas.
import {z} from 'zod';
import {formulaCostSchema, formulaLanes, progressSchema} from './graph.ts';

export const formulaKinds = ['one', 'many', 'singleton'] as const;
export type FormulaKind = (typeof formulaKinds)[number];

const name = z.string().min(1).max(200);
const code = z.string().max(200_000);
const kind = z.enum(formulaKinds).optional();
const sources = z.array(name).max(20).optional();

/** The value of a parameter: `param('price', 0.04)` in the code. */
export const paramValueSchema = z.union([z.string().max(2000), z.number(), z.boolean()]);
export type ParamValue = z.infer<typeof paramValueSchema>;
/** Values by the names of parameters. Other parameters have their defaults. */
export const paramValuesSchema = z.record(z.string().max(63), paramValueSchema);
export type ParamValues = z.infer<typeof paramValuesSchema>;
const params = paramValuesSchema.optional();

export const formulaParamSchema = z.object({
  name: z.string(),
  default: paramValueSchema,
  value: paramValueSchema,
});
export type FormulaParam = z.infer<typeof formulaParamSchema>;

export const previewRequestSchema = z.strictObject({
  code,
  input: name.optional(),
  kind,
  /** Inputs to show, by key. Without keys and limit every input is tried. */
  keys: z.array(z.string().max(2000)).max(1000).optional(),
  limit: z.number().int().min(1).max(1000).optional(),
  /** Resources that become sources first. */
  sources,
  params,
  /** A collection to compare with. */
  shadow: name.optional(),
  /** The formula of this draft, which may not read itself. */
  name: name.optional(),
  /** Any text that is the same for all drafts of a browser tab. A newer draft replaces an older one that still waits. */
  tab: z.string().max(100).optional(),
});
export type PreviewRequest = z.infer<typeof previewRequestSchema>;

/** An expected result for an input, checked at every change of the formula. */
export const formulaTestSchema = z.strictObject({input: z.string().max(2000), items: z.array(z.unknown())});
export type FormulaTest = z.infer<typeof formulaTestSchema>;
const tests = z.array(formulaTestSchema).max(200).optional();

export const formulaRequestSchema = z.strictObject({
  name: z.string().max(200),
  code,
  input: name.optional(),
  kind,
  /** Resources that become sources first. */
  sources,
  params,
  tests,
});
export type FormulaRequest = z.infer<typeof formulaRequestSchema>;

export const formulaChangeSchema = z.strictObject({
  name: z.string().max(200).optional(),
  code: code.optional(),
  input: name.optional(),
  kind,
  sources,
  params,
  tests,
  revision: z.string().max(200).optional(),
});
export type FormulaChange = z.infer<typeof formulaChangeSchema>;

export const formulaCheckSchema = z.object({code: z.string(), holds: z.boolean(), message: z.string()});
export type FormulaCheck = z.infer<typeof formulaCheckSchema>;

export const rowErrorSchema = z.object({
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
  input: z.string().optional(),
});
export type RowError = z.infer<typeof rowErrorSchema>;

export const previewRowSchema = z.object({
  input: z.string(),
  items: z.array(z.unknown()),
  error: rowErrorSchema.optional(),
  /** The run has no result: it waits for a collection, or it discarded its result. */
  waitingFor: z.string().optional(),
  discarded: z.boolean().optional(),
  fetches: z.array(
    z.object({
      collection: z.string(),
      filter: z.string(),
      matched: z.number(),
      scanned: z.number(),
      via: z.object({kind: z.enum(['index', 'scan']), name: z.string().optional()}),
      keys: z.array(z.string()),
      line: z.number().optional(),
    }),
  ),
  /** Paths of the input that the run read, for the first rows of an answer. */
  reads: z.array(z.string()).optional(),
  ms: z.number(),
});
export type PreviewRow = z.infer<typeof previewRowSchema>;

export const shadowSchema = z.object({
  same: z.number(),
  different: z.number(),
  onlyDraft: z.number(),
  onlyOther: z.number(),
  /** Differences first, at most 200. */
  rows: z.array(
    z.object({
      key: z.string(),
      state: z.enum(['same', 'different', 'onlyDraft', 'onlyOther']),
      input: z.string().optional(),
      draft: z.unknown().optional(),
      other: z.unknown().optional(),
    }),
  ),
});
export type Shadow = z.infer<typeof shadowSchema>;

export const previewSchema = z.object({
  rows: z.array(previewRowSchema),
  /** The number of inputs, how many were tried, and how many of those failed. */
  total: z.number(),
  tried: z.number(),
  failed: z.number(),
  checks: z.array(formulaCheckSchema),
  /** The parameters of the code, in its order. */
  params: z.array(formulaParamSchema).optional(),
  shadow: shadowSchema.optional(),
});
export type Preview = z.infer<typeof previewSchema>;

export const formulaStates = ['live', 'failing', 'quarantined'] as const;

export const savedFormulaSchema = z.object({
  name: z.string(),
  kind: z.enum(formulaKinds),
  input: z.string().optional(),
  sources: z.array(z.string()).optional(),
  /** Absent if the code has none. */
  params: z.array(formulaParamSchema).optional(),
  tests,
  code: z.string(),
  revision: z.string(),
  state: z.enum(formulaStates),
  items: z.number(),
  failed: z.number(),
  /** `slow`: it runs in a process of its own, because its runs take over 50 ms. */
  lane: z.enum(formulaLanes).optional(),
  /** The number of runs, their time and the slowest one, since the engine process started. */
  cost: formulaCostSchema.optional(),
  /** Inputs whose rows a slow formula is computing again. */
  recomputing: progressSchema.optional(),
  error: rowErrorSchema.optional(),
  checks: z.array(formulaCheckSchema),
});
export type SavedFormula = z.infer<typeof savedFormulaSchema>;

/** A file of a graph module, as typed. */
export const moduleFileSchema = z.object({path: z.string(), code: z.string()});
export type ModuleFile = z.infer<typeof moduleFileSchema>;

/** A graph module and its state. */
export const moduleStateSchema = z.object({
  name: z.string(),
  state: z.enum(formulaStates),
  collections: z.array(z.string()),
  error: rowErrorSchema.optional(),
  /** All files of the build, each after its imports. Only for recordings and past moments. */
  files: z.array(moduleFileSchema).optional(),
});
export type ModuleState = z.infer<typeof moduleStateSchema>;

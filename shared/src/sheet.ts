// Windows over one collection, and the sheet: rows aligned by a root's key across collections.
import {z} from 'zod';
import {itemSchema} from './items.ts';
import {dependencySchema} from './run.ts';
import {outcomes} from './vocabulary.ts';

export const groupSchema = z.object({
  name: z.string(),
  count: z.number(),
  worst: z.enum(outcomes).optional(),
  /** The first line of the group in the whole list. */
  offset: z.number(),
});
export type SheetGroup = z.infer<typeof groupSchema>;

export const windowSchema = z.object({
  total: z.number(),
  /** How many the collection holds without the filter. */
  of: z.number(),
  offset: z.number(),
  rows: z.array(itemSchema),
  groups: z.array(groupSchema).optional(),
});
export type CollectionWindow = z.infer<typeof windowSchema>;

/** One value in the sheet: an item of one collection that a root row leads to. */
export const cellSchema = z.object({
  key: z.string(),
  outcome: z.enum(outcomes),
  sequence: z.number(),
  at: z.number(),
  fields: z.record(z.string(), z.unknown()),
  /** Paths that the last change touched. */
  changed: z.array(z.string()),
  stale: z.boolean().optional(),
  conflict: z.boolean().optional(),
  error: z.string().optional(),
  /** Its first line inside the row and how many it takes: a cell stands beside the children it spills into. */
  line: z.number().optional(),
  lines: z.number().optional(),
});
export type Cell = z.infer<typeof cellSchema>;

export const sheetRowSchema = z.object({
  key: z.string(),
  group: z.string().optional(),
  /** Its first line in the whole list and how many it takes: one-to-many outputs spill downwards. */
  line: z.number(),
  lines: z.number(),
  /** By collection; an empty list is an input without output. */
  cells: z.record(z.string(), z.array(cellSchema)),
  /** What the last run of an empty cell said, by collection. */
  empty: z.record(z.string(), z.enum(outcomes)).optional(),
});
export type SheetRow = z.infer<typeof sheetRowSchema>;

export const columnSchema = z.object({
  collection: z.string(),
  fields: z.array(z.string()),
  available: z.array(z.string()),
});
export type SheetColumn = z.infer<typeof columnSchema>;

export const sheetSchema = z.object({
  root: z.string(),
  columns: z.array(columnSchema),
  /** Root rows that match, root rows in all, lines in all. */
  total: z.number(),
  of: z.number(),
  lines: z.number(),
  offset: z.number(),
  rows: z.array(sheetRowSchema),
  groups: z.array(groupSchema).optional(),
  /** Collections that the columns read by fetch, for the "also reads" bar. */
  reads: z.array(dependencySchema),
});
export type Sheet = z.infer<typeof sheetSchema>;

// Windows over one collection, and the sheet: rows of several collections, aligned by the root's key.
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
  /** The size of the collection without the filter. */
  of: z.number(),
  offset: z.number(),
  rows: z.array(itemSchema),
  groups: z.array(groupSchema).optional(),
});
export type CollectionWindow = z.infer<typeof windowSchema>;

/** One cell of the sheet: an item that a root row leads to. */
export const cellSchema = z.object({
  key: z.string(),
  outcome: z.enum(outcomes),
  sequence: z.number(),
  at: z.number(),
  fields: z.record(z.string(), z.unknown()),
  /** Paths of the last change. */
  changed: z.array(z.string()),
  stale: z.boolean().optional(),
  conflict: z.boolean().optional(),
  error: z.string().optional(),
  /** Its first line inside the row, and its number of lines: a cell is as high as its children. */
  line: z.number().optional(),
  lines: z.number().optional(),
});
export type Cell = z.infer<typeof cellSchema>;

export const sheetRowSchema = z.object({
  key: z.string(),
  group: z.string().optional(),
  /** Its first line in the whole list, and its number of lines. One-to-many outputs take several lines. */
  line: z.number(),
  lines: z.number(),
  /** Cells by collection. An empty list is an input without output. */
  cells: z.record(z.string(), z.array(cellSchema)),
  /** The last outcome of an empty cell, by collection. */
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
  /** Matching root rows, all root rows, all lines. */
  total: z.number(),
  of: z.number(),
  lines: z.number(),
  offset: z.number(),
  rows: z.array(sheetRowSchema),
  groups: z.array(groupSchema).optional(),
  /** Collections that the columns fetch from, for the "also reads" bar. */
  reads: z.array(dependencySchema),
});
export type Sheet = z.infer<typeof sheetSchema>;

// The table of answers: the schema of each question's answer, over HTTP and as a snapshot on the stream.
// The page uses the types. The engine's tests check every answer against its schema.
import type {z} from 'zod';
import {checksSchema} from './checks.ts';
import {controllersSchema, requestAnswerSchema, requestsSchema, whyReconcileSchema} from './controllers.ts';
import {graphSchema} from './graph.ts';
import {incidentsSchema} from './incidents.ts';
import {diffSchema, itemDetailSchema, itemsSchema, searchSchema} from './items.ts';
import {originSchema} from './origin.ts';
import type {QuestionName} from './questions.ts';
import {traceSchema} from './run.ts';
import {sheetSchema, windowSchema} from './sheet.ts';
import {statsSchema, timelineSchema} from './timeline.ts';
import {impactSchema} from './what-if/what-if.ts';
import {fieldsSchema, whyNotSchema, whySchema} from './why.ts';

/** Questions that only main and the lab processes ask. */
type InternalQuestion = 'formulas' | 'rows' | 'row-digests' | 'row-values' | 'kept' | 'metrics';

export const answers = {
  graph: graphSchema,
  items: itemsSchema,
  item: itemDetailSchema,
  why: whySchema,
  'why-not': whyNotSchema,
  'why-empty': whyNotSchema,
  fields: fieldsSchema,
  impact: impactSchema,
  trace: traceSchema,
  diff: diffSchema,
  search: searchSchema,
  origin: originSchema,
  checks: checksSchema,
  incidents: incidentsSchema,
  stats: statsSchema,
  timeline: timelineSchema,
  controllers: controllersSchema,
  requests: requestsSchema,
  request: requestAnswerSchema,
  'why-reconcile': whyReconcileSchema,
  window: windowSchema,
  sheet: sheetSchema,
} as const satisfies Record<Exclude<QuestionName, InternalQuestion>, z.ZodType>;

export type AnswerTo<N extends keyof typeof answers> = z.infer<(typeof answers)[N]>;

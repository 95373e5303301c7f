// What can be asked of a session's engine process. HTTP paths and subscriptions both become one of these.
import {z} from 'zod';
import {incidentStates} from './incidents.ts';
import {requestStates} from './program.ts';
import {outcomes} from './words.ts';

const at = z.number().int().nonnegative().optional();
const text = z.string().max(2000);
const key = z.string().max(2000);

export const sheetParams = z.object({
  root: text,
  /** Collections in order; absent: what the root leads to. Fields by collection; absent: the best ones. */
  columns: z
    .array(z.object({collection: text, fields: z.array(text).max(40).optional()}))
    .max(40)
    .optional(),
  q: text.optional(),
  sort: text.optional(),
  group: text.optional(),
  /** Groups shown folded: their rows take no line but the header's. */
  folded: z.array(text).max(2000).optional(),
  offset: z.number().int().nonnegative().default(0),
  count: z.number().int().min(0).max(600).default(100),
  at,
});

export const windowParams = z.object({
  collection: text,
  q: text.optional(),
  sort: text.optional(),
  group: text.optional(),
  offset: z.number().int().nonnegative().default(0),
  count: z.number().int().min(0).max(600).default(100),
  at,
});

export const questionSchema = z.discriminatedUnion('ask', [
  z.object({ask: z.literal('graph'), at}),
  z.object({
    ask: z.literal('items'),
    collection: text,
    q: text.optional(),
    sort: text.optional(),
    limit: z.number().int().min(1).max(1000).default(100),
    cursor: text.optional(),
    at,
  }),
  z.object({ask: z.literal('item'), collection: text, key, input: z.boolean().optional(), at}),
  z.object({
    ask: z.literal('why'),
    collection: text,
    key,
    input: z.boolean().optional(),
    run: text.optional(),
    at,
  }),
  z.object({
    ask: z.literal('why-not'),
    collection: text,
    key,
    expected: z.object({collection: text, key}).optional(),
    input: z.boolean().optional(),
    at,
  }),
  z.object({ask: z.literal('why-empty'), collection: text, key, at}),
  z.object({ask: z.literal('fields'), collection: text, key, input: z.boolean().optional(), at}),
  z.object({
    ask: z.literal('trace'),
    since: z.number().optional(),
    until: z.number().optional(),
    collection: text.optional(),
    key: key.optional(),
    outcome: z.enum(outcomes).optional(),
    limit: z.number().int().min(1).max(1000).default(100),
    cursor: text.optional(),
  }),
  z.object({ask: z.literal('diff'), from: z.number(), to: z.number()}),
  z.object({ask: z.literal('search'), q: text, limit: z.number().int().min(1).max(500).default(60), at}),
  z.object({
    ask: z.literal('origin'),
    collection: text,
    key,
    /** A path of the row's value; absent: the row as a whole. */
    field: text.optional(),
    input: z.boolean().optional(),
    at,
  }),
  z.object({ask: z.literal('checks'), at}),
  z.object({ask: z.literal('incidents'), state: z.enum(incidentStates).default('open'), at}),
  z.object({ask: z.literal('stats'), at}),
  z.object({
    ask: z.literal('timeline'),
    from: z.number().optional(),
    to: z.number().optional(),
    buckets: z.number().int().min(1).max(2000).default(160),
  }),
  z.object({ask: z.literal('controllers'), at}),
  z.object({
    ask: z.literal('requests'),
    controller: text,
    state: z.enum(requestStates).optional(),
    limit: z.number().int().min(1).max(1000).default(100),
    cursor: text.optional(),
    at,
  }),
  z.object({ask: z.literal('request'), controller: text, key, at}),
  z.object({
    ask: z.literal('why-reconcile'),
    controller: text,
    key,
    /** Absent: the last one. */
    attempt: z.number().int().min(1).optional(),
    at,
  }),
  windowParams.extend({ask: z.literal('window')}),
  sheetParams.extend({ask: z.literal('sheet')}),
  z.object({ask: z.literal('krtz')}),
  /** For who keeps a copy, the lab process: all rows in pieces, later what changed. */
  z.object({ask: z.literal('rows'), collection: text, since: text.optional(), next: text.optional()}),
  z.object({ask: z.literal('kept')}),
  z.object({ask: z.literal('metrics')}),
]);
export type Question = z.infer<typeof questionSchema>;
export type QuestionInput = z.input<typeof questionSchema>;

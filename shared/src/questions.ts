// The questions to a session's engine process. HTTP paths and subscriptions both become one of these.
import {z} from 'zod';
import {incidentStates} from './incidents.ts';
import {requestStates} from './programs/program-facts.ts';
import {outcomes} from './vocabulary.ts';

const at = z.number().int().nonnegative().optional();
const text = z.string().max(2000);
const key = z.string().max(2000);

const window = {
  collection: text,
  q: text.optional(),
  sort: text.optional(),
  group: text.optional(),
  offset: z.number().int().nonnegative().default(0),
  count: z.number().int().min(0).max(600).default(100),
  at,
};
const item = {collection: text, key};
const input = z.boolean().optional();
/** Over HTTP: main tries the fix in a copy of the graph. The engine process has no copy and does not read it. */
const tryFix = z.boolean().optional();

/** The properties of a question. */
interface QuestionFacets {
  /** Its parameters with their schemas; `at` is the moment in question. */
  readonly takes: z.ZodRawShape;
  /** Its HTTP path under /api/v1. Parameters in the path are not in the query. */
  readonly path?: `/${string}`;
  /** Pages may subscribe to it. */
  readonly topic?: true;
  /** Its answer also changes with time. */
  readonly ticks?: true;
  /** A subscription is answered a few times a second and not with every frame. */
  readonly slow?: true;
  /** It is answered from the recording, even about the present. */
  readonly past?: true;
}

/** The table of questions for HTTP, the stream, the command line, the engine process and docs/api.md. */
export const questions = {
  graph: {takes: {at}, path: '/graph', topic: true, ticks: true},
  items: {
    takes: {
      collection: text,
      q: text.optional(),
      sort: text.optional(),
      limit: z.number().int().min(1).max(1000).default(100),
      cursor: text.optional(),
      at,
    },
    path: '/collections/:collection/items',
  },
  item: {takes: {...item, input, at}, path: '/collections/:collection/items/:key', topic: true, past: true},
  why: {takes: {...item, input, run: text.optional(), at}, path: '/why/:collection/:key', past: true},
  'why-not': {
    takes: {...item, expected: z.object({collection: text, key}).optional(), input, at},
    path: '/why-not/:collection/:key',
    past: true,
  },
  'why-empty': {takes: {...item, at}, path: '/why-empty/:collection/:key', past: true},
  fields: {takes: {...item, input, at}, path: '/fields/:collection/:key', past: true},
  /** `path` is a field of the object. Absent means every field that a run reads. */
  impact: {takes: {...item, path: text.optional(), at}, path: '/impact/:collection/:key', past: true},
  trace: {
    takes: {
      since: z.number().optional(),
      until: z.number().optional(),
      collection: text.optional(),
      key: key.optional(),
      outcome: z.enum(outcomes).optional(),
      limit: z.number().int().min(1).max(1000).default(100),
      cursor: text.optional(),
    },
    path: '/trace',
    topic: true,
    past: true,
  },
  diff: {takes: {from: z.number(), to: z.number()}, path: '/diff', past: true},
  search: {
    takes: {q: text.default(''), limit: z.number().int().min(1).max(500).default(60), at},
    path: '/search',
    topic: true,
    slow: true,
  },
  origin: {
    /** `field` is a path in the row's value. Absent means the whole row. */
    takes: {...item, field: text.optional(), input, at, try: tryFix},
    path: '/origin/:collection/:key',
    topic: true,
    past: true,
  },
  checks: {takes: {at}, path: '/checks', topic: true, slow: true},
  incidents: {
    takes: {state: z.enum(incidentStates).default('open'), at, try: tryFix},
    path: '/incidents',
    topic: true,
    past: true,
  },
  stats: {takes: {at}, path: '/stats', topic: true, ticks: true, slow: true},
  timeline: {
    takes: {
      from: z.number().optional(),
      to: z.number().optional(),
      buckets: z.number().int().min(1).max(2000).default(160),
    },
    path: '/timeline',
    topic: true,
    ticks: true,
    slow: true,
    past: true,
  },
  controllers: {takes: {at}, path: '/controllers', topic: true, ticks: true},
  requests: {
    takes: {
      controller: text,
      state: z.enum(requestStates).optional(),
      limit: z.number().int().min(1).max(1000).default(100),
      cursor: text.optional(),
      at,
    },
    path: '/controllers/:controller/requests',
    topic: true,
  },
  request: {takes: {controller: text, key, at}, path: '/controllers/:controller/requests/:key', topic: true},
  'why-reconcile': {
    /** Without `attempt` the last one. */
    takes: {controller: text, key, attempt: z.number().int().min(1).optional(), at},
    path: '/why-reconcile/:controller/:key',
  },
  window: {takes: window, topic: true},
  sheet: {
    takes: {
      root: text,
      /** Collections in order; default: those that the root leads to. Fields by collection; default: the best ones. */
      columns: z
        .array(z.object({collection: text, fields: z.array(text).max(40).optional()}))
        .max(40)
        .optional(),
      q: text.optional(),
      sort: text.optional(),
      group: text.optional(),
      /** Collapsed groups. Only their header takes a line. */
      folded: z.array(text).max(2000).optional(),
      offset: z.number().int().nonnegative().default(0),
      count: z.number().int().min(0).max(600).default(100),
      at,
    },
    topic: true,
  },
  /** The texts of the formulas at a moment. */
  formulas: {takes: {at}, past: true},
  /** For the copies in lab processes: all rows in pieces, later the changes. */
  rows: {takes: {collection: text, since: text.optional(), next: text.optional()}},
  /** To compare moments of two processes: a digest of every row, then the values of some rows. */
  'row-digests': {takes: {at}, past: true},
  'row-values': {takes: {keys: z.record(z.string(), z.array(key)), at}, past: true},
  kept: {takes: {}},
  metrics: {takes: {}},
} as const satisfies Record<string, QuestionFacets>;

type QuestionTable = typeof questions;
export type QuestionName = keyof QuestionTable;
type QuestionShape<N extends QuestionName> = QuestionTable[N]['takes'] extends infer T extends z.ZodRawShape
  ? z.ZodObject<T & {ask: z.ZodLiteral<N>}>
  : never;
export type Question = {[N in QuestionName]: z.infer<QuestionShape<N>>}[QuestionName];
export type QuestionInput = {[N in QuestionName]: z.input<QuestionShape<N>>}[QuestionName];
export type Topic = {[N in QuestionName]: QuestionTable[N] extends {topic: true} ? N : never}[QuestionName];

/** The properties of a question. */
export const facetsOf = (name: QuestionName): QuestionFacets => questions[name];

export const questionNames = Object.keys(questions) as readonly QuestionName[];

/** The parameters in a question's path, in order: `['collection', 'key']`. */
export function pathPartsOf(name: QuestionName): string[] {
  return [...(facetsOf(name).path ?? '').matchAll(/:(\w+)/g)].map(([, part]) => part as string);
}

/** The parameters in a question's query: all that are not in the path. */
export function queryPartsOf(name: QuestionName): string[] {
  const inPath = pathPartsOf(name);
  return Object.keys(facetsOf(name).takes).filter(part => !inPath.includes(part));
}

type WrappedSchema = {def: {type: string; innerType?: WrappedSchema}};

/** The type of a parameter: `string`, `number`, `boolean` …, without optionality. */
export function kindOfPart(name: QuestionName, part: string): string {
  let schema = facetsOf(name).takes[part] as unknown as WrappedSchema;
  while (schema.def.innerType !== undefined) schema = schema.def.innerType;
  return schema.def.type;
}

const shapes = Object.entries(questions).map(([ask, {takes}]) => z.object({ask: z.literal(ask), ...takes}));
// The table's type names each question's parameters. A union made from a list cannot.
export const questionSchema = z.discriminatedUnion(
  'ask',
  shapes as unknown as [z.ZodObject<{ask: z.ZodLiteral<string>}>],
) as unknown as z.ZodType<Question, QuestionInput>;

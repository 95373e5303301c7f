// Sessions and contexts: which cluster, demo or recording is looked at, and whether it answers.
import {z} from 'zod';
import {retainedHistorySchema} from './timeline.ts';
import {type ErrorCode, errorCodes, pageCodes} from './vocabulary.ts';

export const clusterSchema = z.object({
  kind: z.enum(['demo', 'live', 'recording', 'attached', 'program']),
  context: z.string(),
  server: z.string(),
  version: z.string(),
  kubeconfig: z.string().optional(),
  /** Of a program: its process, and since when it runs. */
  pid: z.number().optional(),
  started: z.number().optional(),
});

export const sessionSchema = z.object({
  /** The segment in `/s/<session>/…`: a context name, `demo`, `file:<name>`, `program:<name>` or `attached:<name>`. */
  name: z.string(),
  /** The recording's id, as in the stream's first message and in copied links (`r=`). */
  id: z.string(),
  cluster: clusterSchema,
  version: z.string(),
  readOnly: z.boolean(),
  redacted: z.boolean(),
  limits: z.object({runs: z.number(), megabytes: z.number(), engineMegabytes: z.number()}),
  kept: retainedHistorySchema,
  namespaces: z.array(z.string()),
  engine: z.enum(['starting', 'ready', 'restarting']),
  /** Up to when every source holds every change, milliseconds since 1970, and whether that is now. */
  asOf: z.number().optional(),
  current: z.boolean().optional(),
  /** Whether the cluster answers, and what is wrong when it does not. */
  connection: z.object({
    state: z.enum(['connecting', 'connected', 'lost', 'unreachable', 'offline']),
    reason: z.string().optional(),
    hint: z.string().optional(),
    since: z.number(),
    retryAt: z.number().optional(),
  }),
});
export type SessionAnswer = z.infer<typeof sessionSchema>;

/** A recording that is being read, and how much of it has been, from 0 to 1. */
export const openingFileSchema = z.object({name: z.string(), share: z.number()});
export type OpeningFile = z.infer<typeof openingFileSchema>;

export const sessionsSchema = z.object({
  sessions: z.array(sessionSchema),
  opening: z.array(openingFileSchema).optional(),
});
export type SessionsAnswer = z.infer<typeof sessionsSchema>;

export const contextSchema = z.object({
  name: z.string(),
  server: z.string(),
  current: z.boolean(),
  namespace: z.string().optional(),
  reachable: z.boolean(),
  milliseconds: z.number().optional(),
  version: z.string().optional(),
  error: z.object({kind: z.string(), message: z.string()}).optional(),
});
export type KubeconfigContext = z.infer<typeof contextSchema>;

export const contextsSchema = z.object({
  kubeconfig: z.string().optional(),
  contexts: z.array(contextSchema),
});
export type Contexts = z.infer<typeof contextsSchema>;

export const errorSchema = z.object({
  code: z.enum([...(Object.keys(errorCodes) as ErrorCode[]), ...pageCodes]),
  message: z.string(),
  hint: z.string(),
  nearest: z.number().optional(),
  /** Who still needs what was to be deleted, by name. */
  readers: z.array(z.string()).optional(),
  /** The collection that has the place which was wanted. */
  taken: z.string().optional(),
  /** What is wrong with a formula's code, place by place. */
  errors: z.array(z.object({line: z.number(), column: z.number(), message: z.string()})).optional(),
});
export type ApiFailure = z.infer<typeof errorSchema>;

// Sessions and contexts: the shown cluster, demo or recording, and whether it answers.
import {z} from 'zod';
import {sessionRetentionSchema} from './retention/disk-history.ts';
import {type ErrorCode, errorCodes, pageCodes} from './vocabulary.ts';

export const clusterSchema = z.object({
  kind: z.enum(['demo', 'live', 'recording', 'attached', 'program']),
  context: z.string(),
  server: z.string(),
  version: z.string(),
  kubeconfig: z.string().optional(),
  /** Of a program: its process, and the time of its start. */
  pid: z.number().optional(),
  started: z.number().optional(),
});

/** Of an attached program: whether its document and its log arrive. */
export const attachedSchema = z.object({
  document: z.object({
    state: z.enum(['connecting', 'connected', 'lost', 'unreachable', 'offline']),
    /** Where it comes from. */
    source: z.string(),
    since: z.number(),
    /** The time of the newest document, milliseconds since 1970. */
    asOf: z.number().optional(),
    reason: z.string().optional(),
    hint: z.string().optional(),
  }),
  log: z.object({
    /** `off`: no log was given. `silent`: no line has come. */
    state: z.enum(['off', 'silent', 'following']),
    lines: z.number(),
    runs: z.number(),
    /** Lines of an unknown form. */
    unread: z.number(),
    level: z.enum(['debug', 'info', 'unknown']),
    source: z.string().optional(),
    /** When the last line came, milliseconds since 1970. */
    asOf: z.number().optional(),
    reason: z.string().optional(),
    /** The first unread lines. */
    samples: z.array(z.string()).optional(),
    /** The commands that switch krt's debug lines on and off, where the program is known. krtscope never runs them. */
    commands: z.object({on: z.string(), off: z.string()}).optional(),
  }),
});
export type AttachedState = z.infer<typeof attachedSchema>;

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
  kept: sessionRetentionSchema,
  namespaces: z.array(z.string()),
  engine: z.enum(['starting', 'ready', 'restarting']),
  /** The engine process ends again and again: how often in a row, how, and what to do. */
  engineTrouble: z.object({ends: z.number(), reason: z.string(), hint: z.string()}).optional(),
  /** Until when every source has every change (milliseconds since 1970), and whether that is now. */
  asOf: z.number().optional(),
  current: z.boolean().optional(),
  /** Whether the cluster answers, and what is wrong if it does not. */
  connection: z.object({
    state: z.enum(['connecting', 'connected', 'lost', 'unreachable', 'offline']),
    reason: z.string().optional(),
    hint: z.string().optional(),
    since: z.number(),
    retryAt: z.number().optional(),
  }),
  attached: attachedSchema.optional(),
});
export type SessionAnswer = z.infer<typeof sessionSchema>;

/** A recording that is being read, and the share that was read, from 0 to 1. */
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
  /** The collections that prevent a deletion. */
  readers: z.array(z.string()).optional(),
  /** The collection that already has the requested name or resource. */
  taken: z.string().optional(),
  /** The problems in a formula's code, with their places. */
  errors: z.array(z.object({line: z.number(), column: z.number(), message: z.string()})).optional(),
});
export type ApiFailure = z.infer<typeof errorSchema>;

// The WebSocket's messages, both ways. One version number (block-tables.ts); docs/protocol.md tells it in prose.
import {z} from 'zod';
import type {AnswerTo} from './answers.ts';
import type {Graph} from './graph.ts';
import type {Item} from './items.ts';
import {questionSchema, type Topic} from './questions.ts';
import type {RunRecord} from './run.ts';
import type {ApiFailure, SessionAnswer} from './session.ts';
import type {SheetRow} from './sheet.ts';
import type {ChangeEventType, RunOutcome} from './vocabulary.ts';

/** Browser to server. A subscribe with an id that is in use replaces it. */
export const streamRequestSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number(),
    session: z.string().optional(),
    /** Resume: what this page has already seen. */
    recording: z.string().optional(),
    since: z.number().optional(),
  }),
  z.object({
    type: z.literal('subscribe'),
    id: z.string().max(64),
    question: questionSchema,
    /** Another session than the socket's. */
    session: z.string().max(2000).optional(),
    /** The mark of the last update of this question that the page still holds, of an earlier socket. */
    have: z.string().max(64).optional(),
  }),
  z.object({type: z.literal('unsubscribe'), id: z.string().max(64)}),
  z.object({type: z.literal('ping'), n: z.number()}),
]);
export type StreamRequest = z.infer<typeof streamRequestSchema>;

/** What one batch did, in short: pulses on the graph and flashes in the sheet come from these. */
export interface BatchPulse {
  sequence: number;
  at: number;
  /** Root writes of the batch. */
  roots: {collection: string; key: string; event: ChangeEventType}[];
  /** Runs by collection and outcome, and which edge carried them: `from` is the collection whose change was the cause. */
  waves: {from: string; to: string; outcomes: Partial<Record<RunOutcome, number>>}[];
}

/** A subscription's news: the whole answer, or what changed in it since the last frame. */
export type Update =
  | {[T in Topic]: {id: string; topic: T; snapshot: AnswerTo<T>}}[Topic]
  | {
      id: string;
      topic: 'graph';
      delta: {collections: Graph['collections']; pulses: BatchPulse[]; skipped: number};
    }
  | {id: string; topic: 'window'; delta: {total: number; of: number; rows: Item[]; order?: string[]}}
  | {
      id: string;
      topic: 'sheet';
      delta: {total: number; of: number; lines: number; rows: SheetRow[]; order?: string[]};
    }
  | {id: string; topic: 'trace'; delta: {runs: RunRecord[]; skipped: number}};

/** An update on the wire. `mark` names the state that it brings a page to: see `have`. */
export type MarkedUpdate = Update & {mark?: string};

/** Server to browser. Frames come at most every 50 ms, coalesced by key; `sequence` is what they bring the page to. */
export type StreamMessage =
  | {
      type: 'welcome';
      protocol: number;
      recording: string;
      session: SessionAnswer;
      sequence: number;
      /** Whether `since` could be honoured; false: forget what you hold. */
      resumed: boolean;
    }
  | {type: 'frame'; sequence: number; at: number; updates: MarkedUpdate[]}
  /** The session's own news: engine restarting, cluster lost, gap. */
  | {type: 'session'; session: SessionAnswer}
  /** What the page holds of this subscription is still so. */
  | {type: 'same'; id: string; mark: string}
  | {type: 'failed'; id?: string; failure: ApiFailure}
  | {type: 'pong'; n: number};

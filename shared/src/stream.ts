// The messages of the page's WebSocket, in both directions. docs/protocol.md describes them.
import {z} from 'zod';
import type {AnswerTo} from './answers.ts';
import type {Graph} from './graph.ts';
import type {Item} from './items.ts';
import {questionSchema, type Topic} from './questions.ts';
import type {RunRecord} from './run.ts';
import type {ApiFailure, SessionAnswer} from './session.ts';
import type {SheetRow} from './sheet.ts';
import type {ChangeEventType, RunOutcome} from './vocabulary.ts';

/** Browser to server. A subscribe replaces the subscription of the same id. */
export const streamRequestSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number(),
    session: z.string().optional(),
    /** To resume: what this page has already seen. */
    recording: z.string().optional(),
    since: z.number().optional(),
  }),
  z.object({
    type: z.literal('subscribe'),
    id: z.string().max(64),
    question: questionSchema,
    /** A session other than the socket's. */
    session: z.string().max(2000).optional(),
    /** The mark of the last update of this question that the page still has from an earlier socket. */
    have: z.string().max(64).optional(),
  }),
  z.object({type: z.literal('unsubscribe'), id: z.string().max(64)}),
  z.object({type: z.literal('ping'), n: z.number()}),
]);
export type StreamRequest = z.infer<typeof streamRequestSchema>;

/** A summary of one batch, for pulses on the graph and flashes in the sheet. */
export interface BatchPulse {
  sequence: number;
  at: number;
  /** Outside writes of the batch. */
  roots: {collection: string; key: string; event: ChangeEventType}[];
  /** Runs by collection and outcome. `from` is the collection whose change caused them. */
  waves: {from: string; to: string; outcomes: Partial<Record<RunOutcome, number>>}[];
}

/** An update of a subscription: the whole answer, or its changes since the last frame. */
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

/** An update on the wire. `mark` names the state that it leads to: see `have`. */
export type MarkedUpdate = Update & {mark?: string};

/** Server to browser. Frames come at most every 50 ms, coalesced by key. `sequence` is the state that they lead to. */
export type StreamMessage =
  | {
      type: 'welcome';
      protocol: number;
      recording: string;
      session: SessionAnswer;
      sequence: number;
      /** Whether `since` was accepted. If false, the page must drop its state. */
      resumed: boolean;
    }
  | {type: 'frame'; sequence: number; at: number; updates: MarkedUpdate[]}
  /** News of the session: engine restarting, cluster lost, gap. */
  | {type: 'session'; session: SessionAnswer}
  /** The page's state of this subscription is still current. */
  | {type: 'same'; id: string; mark: string}
  | {type: 'failed'; id?: string; failure: ApiFailure}
  | {type: 'pong'; n: number};

// The rows of the hidden collections about controllers. session/programs writes them, host/query/controllers reads
// them.
import type {Attempt, ReconcileCause, RejectedCause, RequestRow} from '@krtscope/shared/controllers.ts';
import type {ProgramController} from '@krtscope/shared/programs/program-facts.ts';

/** What a controller did within ten seconds: ended reconciles by result, and its writes. */
export interface ResultBucket {
  at: number;
  done: number;
  requeued: number;
  failed: number;
  /** Absent in recordings of earlier versions. */
  writes?: number;
  conflicts?: number;
}

/** The number of reconciles that started within ten seconds. */
export interface StartBucket {
  at: number;
  count: number;
}

export interface ControllerRow {
  /** The controller's name. */
  key: string;
  program: string;
  /** The program no longer reports. */
  away: boolean;
  about: ProgramController;
  /** By watch: the number of events, and of those that a predicate rejected. */
  heard: Record<string, {events: number; rejected: number}>;
  /** Events that requested a reconcile, and those that were coalesced with a waiting request. */
  asked: number;
  folded: number;
  reads: {cache: number; api: number};
  writes: number;
  done: number;
  requeued: number;
  failed: number;
  results: ResultBucket[];
  /** The last few rejected events, newest last. */
  rejected: RejectedCause[];
}

export interface StoredRequest extends Omit<RequestRow, 'key' | 'running'> {
  /** `controller`, a line break, and the request's key. */
  key: string;
  controller: string;
  request: string;
  /** It runs and was requested again, so it is ready as soon as the run ends. */
  again: boolean;
  /** Failed attempts in a row. Absent in recordings of earlier versions. */
  failures?: number;
  /** Reconciles of the last minute that neither a requeue nor a write of another client asked for. */
  unrequested?: StartBucket[];
  waiting: ReconcileCause[];
  rejected: RejectedCause[];
}

export interface StoredAttempt extends Attempt {
  /** The key of the request's row, a line break, and the attempt. */
  key: string;
  controller: string;
  request: string;
}

export function requestKey(controller: string, request: string): string {
  return `${controller}\n${request}`;
}

export function attemptKey(controller: string, request: string, attempt: number): string {
  return `${controller}\n${request}\n${attempt}`;
}

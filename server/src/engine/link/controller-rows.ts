// The rows of the hidden collections about controllers: session/programs writes them, host/query/controllers.ts reads.
import type {Attempt, ReconcileCause, RejectedCause, RequestRow} from '@krtscope/shared/controllers.ts';
import type {ProgramController} from '@krtscope/shared/programs/program-facts.ts';

/** Ends in ten seconds, by result; those without any are left out. */
export interface ResultBucket {
  at: number;
  done: number;
  requeued: number;
  failed: number;
}

export interface ControllerRow {
  /** The controller's name. */
  key: string;
  program: string;
  /** The program no longer says anything. */
  away: boolean;
  about: ProgramController;
  /** By watch: events heard, and those that a predicate turned away. */
  heard: Record<string, {events: number; rejected: number}>;
  /** Events that asked for a request, and those of them that were folded into one that waited. */
  asked: number;
  folded: number;
  reads: {cache: number; api: number};
  writes: number;
  done: number;
  requeued: number;
  failed: number;
  results: ResultBucket[];
  /** Events that were turned away, newest last, a few. */
  rejected: RejectedCause[];
}

export interface StoredRequest extends Omit<RequestRow, 'key' | 'running'> {
  /** `controller`, a line break, and the request's key. */
  key: string;
  controller: string;
  request: string;
  /** It runs and was asked for again: it is ready at once when that run ends. */
  again: boolean;
  waiting: ReconcileCause[];
  rejected: RejectedCause[];
}

export interface StoredAttempt extends Attempt {
  /** The request's row key, a line break, and the attempt. */
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

// Sentences about reconciles: why an attempt ran, its result, and why a request runs or does not run now.
import type {Attempt, ReconcileCause, ReconcileVerdict} from '@krtscope/shared/controllers.ts';
import {clockTime, countWords} from '../../../../explain/wording/value-words.ts';
import type {ControllerRow, StoredAttempt, StoredRequest} from '../../../link/controller-rows.ts';

const eventInPastTense = {
  create: 'was created',
  update: 'was updated',
  delete: 'was deleted',
  generic: 'was reported',
};

function causeText(cause: ReconcileCause): string {
  switch (cause.reason) {
    case 'error':
      return 'the previous attempt failed';
    case 'requeue':
      return 'the previous attempt asked for a requeue';
    case 'requeue-after':
      return 'the previous attempt asked for a requeue after a delay';
    case 'source':
      return 'a custom source requested it';
    case 'event': {
      if (cause.kind === undefined || cause.event === undefined) return 'a watch requested it';
      const what = `${cause.kind} ${cause.key ?? ''}`.trim();
      if (cause.unchanged)
        return cause.event === 'create'
          ? `${what} existed at the start`
          : `${what} was resynced without a change`;
      return `${what} ${eventInPastTense[cause.event]}`;
    }
  }
}

/** "Secret a/b was updated (watch Secret, handler owner Certificate)". */
function causePathText(cause: ReconcileCause): string {
  const way = [
    ...(cause.watch === undefined ? [] : [`watch ${cause.watch}`]),
    ...(cause.handler ? [`handler ${cause.handler}`] : []),
  ];
  return `${causeText(cause)}${way.length === 0 ? '' : ` (${way.join(', ')})`}`;
}

/** "Retried after an error. 1 more event was coalesced. Wrote 2 objects." */
export function attemptSentence(attempt: StoredAttempt): string {
  const {causes, request} = attempt;
  const [first] = causes;
  const more = causes.length - 1;
  const coalesced = more > 0 ? ` ${countWords(more, 'more event was', 'more events were')} coalesced.` : '';
  return `${startText(request, first)}.${coalesced} ${resultText(attempt)}`;
}

function startText(request: string, cause: ReconcileCause | undefined): string {
  if (cause === undefined) return `${request} ran for an unknown reason`;
  if (cause.reason === 'error') return `${request} was retried after an error`;
  if (cause.reason === 'requeue' || cause.reason === 'requeue-after')
    return `${request} was requeued by its previous attempt`;
  return `${request} ran because ${causePathText(cause)}`;
}

/** "It failed: …. Retry 4 follows in 80 ms." */
export function resultText({result, error, after, retry, writes}: Attempt): string {
  const wrote = writes.filter(write => write.error === undefined && !write.dryRun).length;
  const did = wrote === 0 ? 'wrote nothing' : `wrote ${countWords(wrote, 'object')}`;
  const message = error === undefined ? '' : `: ${error.split('\n', 1)[0]}`;
  const again = after === undefined ? '' : ` Retry ${retry} follows in ${durationText(after)}.`;
  switch (result) {
    case undefined:
      return 'It is still running.';
    case 'done':
      return `It succeeded and ${did}.`;
    case 'requeue':
      return `It ${did} and asked for a requeue${after === undefined ? '' : ` in ${durationText(after)}`}.`;
    case 'requeue-after':
      return `It ${did} and asked for a requeue${after === undefined ? '' : ` after ${durationText(after)}`}.`;
    case 'error':
      return `It failed${message}.${again}`;
    case 'terminal':
      return `It failed with a terminal error${message}. It is not retried until something changes.`;
    case 'panic':
      return `It panicked${message}.${again}`;
    case 'timeout':
      return `It timed out${message}.${again}`;
  }
}

function durationText(ms: number): string {
  if (ms < 1) return '0 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}

/** The last step that a running attempt has reported. */
export function stepText({reads, writes, log}: Attempt): string {
  const steps = [
    ...reads.map(({at, verb, kind}) => ({at, text: `${verb} ${kind}`})),
    ...writes.map(({at, verb, kind}) => ({at, text: `${verb} ${kind}`})),
    ...log.map(({at, message}) => ({at, text: message})),
  ];
  return steps.reduce((last, step) => (step.at >= last.at ? step : last), {at: 0, text: 'started'}).text;
}

/** 15:04:12 UTC: a time and not an age, so that the same moment has the same text later. */
function timeText(milliseconds: number): string {
  return `${clockTime(new Date(milliseconds).toISOString())} UTC`;
}

/** Why a request runs, or does not run, at this moment. */
export function standingOf(
  {about, away, program}: ControllerRow,
  row: StoredRequest,
  state: StoredRequest['state'],
  last: StoredAttempt | undefined,
): ReconcileVerdict {
  const {request} = row;
  if (away)
    return {
      verdict: 'away',
      sentence: `${program} is not connected. This is the last known state of ${request}.`,
    };
  if (state === 'in-flight') {
    const more = row.again ? ' It was requested again meanwhile and runs once more after that.' : '';
    return {
      verdict: 'in-flight',
      sentence: `${request} has been running since ${timeText(row.since)}.${more}`,
    };
  }
  if (state !== 'idle') {
    const blocked = blockedStandingOf(about, request);
    if (blocked !== undefined) return blocked;
  }
  if (state === 'delayed') {
    const why = row.waiting[0];
    const reason = why === undefined ? '' : `: ${causeText(why)}`;
    return {
      verdict: 'delayed',
      sentence: `${request} is delayed until ${timeText(row.due ?? row.since)}${reason}.${coalescedText(row)}`,
    };
  }
  if (state === 'ready') {
    const why = row.waiting[0];
    const reason = why === undefined ? '' : ` because ${causeText(why)}`;
    const {workers} = about;
    return {
      verdict: 'ready',
      sentence: `${request} is ready${reason} and waits for one of ${countWords(workers, 'worker')}.${coalescedText(row)}`,
    };
  }
  const no = row.rejected.at(-1);
  if (no !== undefined && no.at >= (last?.start ?? 0))
    return {
      verdict: 'rejected',
      sentence: `${request} did not run: ${causeText(no)}, and the predicate ${no.rejectedBy} filtered it out.`,
    };
  return {
    verdict: 'idle',
    sentence:
      last === undefined
        ? `${request} has not run since the recording began, and nothing requests it.`
        : `Nothing has requested ${request} since its last attempt. ${resultText(last)}`,
  };
}

function coalescedText({folded}: StoredRequest): string {
  if (folded === 0) return '';
  return ` ${countWords(folded, 'more event was', 'more events were')} coalesced.`;
}

function blockedStandingOf(
  {state, leader}: ControllerRow['about'],
  request: string,
): ReconcileVerdict | undefined {
  if (state === 'paused') return {verdict: 'paused', sentence: `${request} waits: its controller is paused.`};
  if (state === 'stopped')
    return {verdict: 'stopped', sentence: `${request} does not run: its controller has stopped.`};
  if (state !== 'waiting') return undefined;
  if (leader !== undefined && !leader.leading)
    return {
      verdict: 'not-leader',
      sentence: `${request} waits: ${leader.identity} does not hold the lease ${leader.lease}.`,
    };
  return {verdict: 'not-synced', sentence: `${request} waits: the caches of its controller have not synced.`};
}

// Sentences about reconciles: why one ran, its result, and why a request runs or does not run now.
import type {Attempt, ReconcileCause, ReconcileVerdict} from '@krtscope/shared/controllers.ts';
import type {ControllerRow, StoredAttempt, StoredRequest} from '../../../link/controller-rows.ts';

const eventInPastTense = {
  create: 'was created',
  update: 'was updated',
  delete: 'was deleted',
  generic: 'was reported by a generic event',
};

export function causeText(cause: ReconcileCause): string {
  switch (cause.reason) {
    case 'error':
      return 'the previous attempt failed';
    case 'requeue':
      return 'the previous attempt asked for a requeue';
    case 'requeue-after':
      return 'the previous attempt asked for a delayed requeue';
    case 'source':
      return 'a raw source requested it';
    case 'event': {
      if (cause.kind === undefined || cause.event === undefined) return 'a watch requested it';
      const what = `${cause.kind} ${cause.key ?? ''}`.trim();
      if (cause.unchanged)
        return cause.event === 'create' ? `${what} existed at the start` : `${what} was resynced unchanged`;
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

export function attemptSentence(attempt: StoredAttempt): string {
  const {causes, request} = attempt;
  const first = causes[0];
  const more = causes.length - 1;
  const why =
    first === undefined
      ? `${request} ran for an unknown reason`
      : `${request} ran because ${causePathText(first)}${more === 0 ? '' : `; ${more} more ${more === 1 ? 'event was' : 'events were'} coalesced`}`;
  return `${why}. ${resultText(attempt)}`;
}

/** "It failed: …; retry 4 in 80 ms." */
export function resultText({result, error, after, retry, writes}: Attempt): string {
  const wrote = writes.filter(write => write.error === undefined && !write.dryRun).length;
  const did = wrote === 0 ? 'wrote nothing' : `wrote ${wrote} ${wrote === 1 ? 'object' : 'objects'}`;
  const outcome = error === undefined ? '' : `: ${error.split('\n', 1)[0]}`;
  const next = after === undefined ? '' : `; retry ${retry} in ${durationText(after)}`;
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
      return `It failed${outcome}${next}.`;
    case 'terminal':
      return `It failed with a terminal error${outcome}; it runs again only after a change.`;
    case 'panic':
      return `It panicked${outcome}${next}.`;
    case 'timeout':
      return `It timed out${outcome}${next}.`;
  }
}

export function durationText(ms: number): string {
  if (ms < 1) return '0 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}

/** The current step of a run, as far as it is reported. */
export function stepText({reads, writes, log}: Attempt): string {
  const steps = [
    ...reads.map(({at, verb, kind}) => ({at, text: `${verb} ${kind}`})),
    ...writes.map(({at, verb, kind}) => ({at, text: `${verb} ${kind}`})),
    ...log.map(({at, message}) => ({at, text: message})),
  ];
  return steps.reduce((last, step) => (step.at >= last.at ? step : last), {at: 0, text: 'started'}).text;
}

/** Why a request runs, or does not run, at this moment. */
export function standingOf(
  {about, away, program}: ControllerRow,
  row: StoredRequest,
  state: StoredRequest['state'],
  last: StoredAttempt | undefined,
  now: number,
): ReconcileVerdict {
  const {request} = row;
  if (away)
    return {
      verdict: 'away',
      sentence: `${program} is not connected. This is the last reported state of ${request}.`,
    };
  if (state === 'in-flight') {
    const more = row.again ? ' It was requested again and will run once more.' : '';
    return {
      verdict: 'in-flight',
      sentence: `${request} has been running for ${durationText(now - row.since)}.${more}`,
    };
  }
  if (state !== 'idle') {
    const held = blockedStandingOf(about, request);
    if (held !== undefined) return held;
  }
  if (state === 'delayed') {
    const wait = durationText((row.due ?? now) - now);
    const why = row.waiting[0];
    const reason = why === undefined ? '' : `: ${causeText(why)}`;
    return {
      verdict: 'delayed',
      sentence: `${request} is delayed for another ${wait}${reason}.${coalescedText(row)}`,
    };
  }
  if (state === 'ready') {
    const why = row.waiting[0];
    const reason = why === undefined ? '' : ` because ${causeText(why)}`;
    const {workers} = about;
    return {
      verdict: 'ready',
      sentence: `${request} is ready${reason}, and waits for one of ${workers} ${workers === 1 ? 'worker' : 'workers'}.${coalescedText(row)}`,
    };
  }
  const no = row.rejected.at(-1);
  if (no !== undefined && no.at >= (last?.start ?? 0))
    return {
      verdict: 'rejected',
      sentence: `${request} did not run: ${causeText(no)}, but the predicate ${no.rejectedBy} rejected the event.`,
    };
  return {
    verdict: 'idle',
    sentence:
      last === undefined
        ? `${request} has not run since krtscope connected, and nothing requests it.`
        : `Nothing has requested ${request} since its last run. ${resultText(last)}`,
  };
}

function coalescedText({folded}: StoredRequest): string {
  if (folded === 0) return '';
  return ` ${folded} more ${folded === 1 ? 'event was' : 'events were'} coalesced.`;
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

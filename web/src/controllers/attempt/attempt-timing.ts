// One attempt as steps: enqueued, coalesced, waited, read, wrote, ended. Pure.
import type {Attempt, ReconcileCause} from '@krtscope/shared/controllers.ts';
import {changesSomething} from './write-change.ts';

export interface AttemptStep {
  verb: string;
  text: string;
  /** Where the step's data came from or went to. */
  from: 'event' | 'queue' | 'wait' | 'cache' | 'API' | 'own work' | 'result';
  /** Milliseconds after the run began; negative for the steps before it. */
  start: number;
  took: number;
  failed: boolean;
  /** A cached read that did not include an earlier write of the program. */
  stale?: boolean;
}

const pastTense = {create: 'created', update: 'updated', delete: 'deleted', generic: 'announced'};

export function reconcileCauseText(cause: ReconcileCause): string {
  switch (cause.reason) {
    case 'error':
      return 'retried after an error';
    case 'requeue':
      return 'requeued';
    case 'requeue-after':
      return 'requeued with a delay';
    case 'source':
      return 'enqueued by a custom source';
    case 'event':
      if (cause.kind === undefined || cause.event === undefined) return 'enqueued by a watch';
      if (cause.unchanged) return `${cause.kind} ${cause.key ?? ''} existed before`;
      return `${cause.kind} ${cause.key ?? ''} ${pastTense[cause.event]}`;
  }
}

/** The time between two calls is the run's own work or a call outside the cluster. */
const MIN_GAP_MS = 1;

export function stepsOf(attempt: Attempt, now: number): AttemptStep[] {
  const {causes, start, asked} = attempt;
  const steps: AttemptStep[] = causes.slice(0, 1).map(cause => ({
    verb: cause.reason === 'event' ? 'enqueue' : cause.reason,
    text: reconcileCauseText(cause),
    from: cause.reason === 'event' || cause.reason === 'source' ? 'event' : 'queue',
    start: Math.min(0, (asked ?? cause.at) - start),
    took: 0,
    failed: false,
  }));
  const waited = Math.max(0, start - (asked ?? start));
  if (causes.length > 1)
    steps.push({
      verb: 'coalesce',
      text: `${causes.length} events coalesced into 1 request`,
      from: 'queue',
      start: -waited,
      took: 0,
      failed: false,
    });
  if (waited > 0)
    steps.push({
      verb: 'wait',
      text: 'in the queue',
      from: 'wait',
      start: -waited,
      took: waited,
      failed: false,
    });
  const calls = [...attempt.reads.map(readStep), ...attempt.writes.map(writeStep)].sort(
    (a, b) => a.at - b.at,
  );
  let end = start;
  for (const {at, took: reported, step} of calls) {
    const gap = Math.max(0, at - end);
    // Programs of older versions do not report how long a call took.
    const took = reported ?? (step.from === 'cache' ? 0 : gap);
    if (gap - took > MIN_GAP_MS) steps.push(ownWork(end - start, gap - took));
    steps.push({...step, start: Math.max(0, at - start - took), took});
    end = Math.max(end, at);
  }
  const over = start + (attempt.took ?? now - start);
  if (over - end > MIN_GAP_MS) steps.push(ownWork(end - start, over - end));
  if (attempt.result !== undefined)
    steps.push({
      verb: 'return',
      text: resultText(attempt),
      from: 'result',
      start: over - start,
      took: 0,
      failed: isFailure(attempt.result),
    });
  return steps;
}

function ownWork(start: number, took: number): AttemptStep {
  const text = 'own work, or a call outside the cluster';
  return {verb: 'work', text, from: 'own work', start, took, failed: false};
}

type ApiCallStep = {at: number; took: number | undefined; step: Omit<AttemptStep, 'start' | 'took'>};

function nameOf({
  kind,
  namespace,
  name,
}: {
  kind: string;
  namespace?: string | undefined;
  name?: string | undefined;
}): string {
  const key = [namespace, name].filter(Boolean).join('/');
  return key === '' ? kind : `${kind} ${key}`;
}

function readStep(read: Attempt['reads'][number]): ApiCallStep {
  const found = read.verb === 'list' ? `, ${read.count} found` : read.count === 0 ? ', not there' : '';
  return {
    at: read.at,
    took: read.took,
    step: {
      verb: read.verb,
      text: `${nameOf(read)}${read.error ? `: ${read.error}` : found}`,
      from: read.from === 'cache' ? 'cache' : 'API',
      failed: read.error !== undefined,
      ...(read.stale ? {stale: true} : {}),
    },
  };
}

function writeStep(write: Attempt['writes'][number]): ApiCallStep {
  const part = write.subresource ? `, ${write.subresource}` : '';
  const dry = write.dryRun ? ', dry run' : '';
  const same = write.error || write.dryRun || changesSomething(write) ? '' : ', no change';
  return {
    at: write.at,
    took: write.took,
    step: {
      verb: write.verb,
      text: `${nameOf(write)}${part}${dry}${same}${write.error ? `: ${write.error}` : ''}`,
      from: 'API',
      failed: write.error !== undefined,
    },
  };
}

export function isFailure(result: Attempt['result']): boolean {
  return result === 'error' || result === 'terminal' || result === 'panic' || result === 'timeout';
}

/** An attempt's result: "requeue after 30 s", "error, retry 4 in 80 ms", "done". */
export function resultText({
  result,
  after,
  retry,
}: {
  result?: Attempt['result'];
  after?: number | undefined;
  retry: number;
}): string {
  const wait = after === undefined ? '' : durationText(after);
  switch (result) {
    case undefined:
      return 'runs';
    case 'done':
      return 'done';
    case 'requeue':
      return `requeue${wait ? `, in ${wait}` : ''}`;
    case 'requeue-after':
      return `requeue after ${wait}`;
    case 'terminal':
      return 'error, no retry';
    default:
      return `${result}${wait ? `, retry ${retry} in ${wait}` : ''}`;
  }
}

/** The quarters of a time span, in one unit, without repeated labels. */
export function axisTexts(span: number): string[] {
  const quarters = [1, 2, 3, 4].map(part => (span * part) / 4);
  if (span >= 60_000) return ['0', ...quarters.map(durationText)];
  const [unit, size] = span < 1000 ? ['ms', 1] : ['s', 1000];
  const step = span / 4 / size;
  const digits = step >= 10 ? 0 : step >= 1 ? 1 : 2;
  return ['0', ...quarters.map((at, i) => `${(at / size).toFixed(digits)}${i === 3 ? ` ${unit}` : ''}`)];
}

export function durationText(ms: number): string {
  if (ms < 10) return `${Math.max(0, ms).toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} m ${Math.round((ms % 60_000) / 1000)} s`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}

/** The part of a run that is in no read and no write. */
export function ownWorkTime(steps: readonly AttemptStep[]): number {
  return steps.filter(({from}) => from === 'own work').reduce((sum, {took}) => sum + took, 0);
}

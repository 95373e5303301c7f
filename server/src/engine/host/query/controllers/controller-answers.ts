// Answers about controllers, read from the hidden rows of a moment: the controllers, their queues, and the attempts
// of each request.
import type {
  Attempt,
  ControllerAnswer,
  Controllers,
  RequestAnswer,
  RequestRow,
  RequestsAnswer,
  WhyReconcile,
} from '@krtscope/shared/controllers.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import {type Records, Unanswerable} from '../../../../explain/records.ts';
import type {ControllerRow, StoredAttempt, StoredRequest} from '../../../link/controller-rows.ts';
import {attemptLinksOf} from './attempt-links.ts';
import {ControllerRowsAt} from './controller-rows-at.ts';
import {attemptSentence, standingOf, stepText} from './reconcile-sentences.ts';

const BUCKET = 10_000;
const BUCKETS = 30;

type ControllerQuestion<A extends Question['ask']> = Extract<Question, {ask: A}>;

export function controllersAnswer(records: Records, {at}: ControllerQuestion<'controllers'>): Controllers {
  const moment = new ControllerRowsAt(records, at);
  const counts = new Map<string, {ready: number; delayed: number; inFlight: number}>();
  const rows = moment.controllers();
  for (const {key} of rows) counts.set(key, {ready: 0, delayed: 0, inFlight: 0});
  for (const request of moment.requests()) {
    const count = counts.get(request.controller);
    if (count === undefined) continue;
    const state = moment.stateOf(request);
    if (state === 'ready') count.ready += 1;
    else if (state === 'delayed') count.delayed += 1;
    else if (state === 'in-flight') count.inFlight += 1;
  }
  return {
    sequence: moment.sequence,
    controllers: rows.map(row =>
      controllerOf(row, counts.get(row.key) ?? {ready: 0, delayed: 0, inFlight: 0}, moment.now),
    ),
  };
}

function controllerOf(
  row: ControllerRow,
  counts: {ready: number; delayed: number; inFlight: number},
  now: number,
): ControllerAnswer {
  const {about, heard, program, away, asked, folded, reads, writes, done, requeued, failed} = row;
  const {name, owns, workers, leader} = about;
  const last = Math.floor(now / BUCKET) * BUCKET;
  const buckets = new Map(row.results.map(bucket => [bucket.at, bucket]));
  return {
    name,
    program,
    for: about.for,
    owns,
    watches: about.watches.map(watch => ({
      ...watch,
      events: heard[watch.name]?.events ?? 0,
      rejected: heard[watch.name]?.rejected ?? 0,
    })),
    workers,
    state: away ? 'away' : about.state,
    ...counts,
    done,
    requeued,
    failed,
    leader,
    asked,
    folded,
    reads,
    writes,
    results: Array.from({length: BUCKETS}, (_, i) => {
      const at = last - (BUCKETS - 1 - i) * BUCKET;
      return buckets.get(at) ?? {at, done: 0, requeued: 0, failed: 0};
    }),
  };
}

const requestStateOrder = {'in-flight': 0, ready: 1, delayed: 2, idle: 3} as const;

/** Sorted: in flight, ready, delayed (soonest first), then idle (newest first). */
export function requestsAnswer(records: Records, question: ControllerQuestion<'requests'>): RequestsAnswer {
  const {controller, state, limit, cursor} = question;
  const moment = new ControllerRowsAt(records, question.at);
  moment.controller(controller);
  const after = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(after) || after < 0)
    throw new Unanswerable('bad-query', `"${cursor}" is not a cursor`, 'pass the cursor of the page before');
  const found = moment
    .requests()
    .filter(row => row.controller === controller)
    .map(row => ({row, state: moment.stateOf(row)}))
    .filter(one => state === undefined || one.state === state)
    .sort(
      (a, b) =>
        requestStateOrder[a.state] - requestStateOrder[b.state] ||
        (a.row.due ?? 0) - (b.row.due ?? 0) ||
        (a.state === 'idle' ? b.row.since - a.row.since : a.row.since - b.row.since) ||
        (a.row.request < b.row.request ? -1 : 1),
    );
  const end = after + limit;
  return {
    sequence: moment.sequence,
    total: found.length,
    requests: found.slice(after, end).map(one => requestRowOf(moment, one.row, one.state)),
    ...(end < found.length ? {cursor: String(end)} : {}),
  };
}

function requestRowOf(
  moment: ControllerRowsAt,
  row: StoredRequest,
  state: StoredRequest['state'],
): RequestRow {
  const {key: _, controller, request, again: __, waiting: ___, rejected: ____, ...rest} = row;
  const attempt = state === 'in-flight' ? moment.attempt(controller, request, row.attempts) : undefined;
  return {
    ...rest,
    key: request,
    state,
    ...(attempt === undefined || attempt.result !== undefined
      ? {}
      : {running: {start: attempt.start, step: stepText(attempt)}}),
  };
}

export function requestAnswer(
  records: Records,
  {controller, key, at}: ControllerQuestion<'request'>,
): RequestAnswer {
  const moment = new ControllerRowsAt(records, at);
  const about = moment.controller(controller);
  const row = requestOf(moment, controller, key);
  const state = moment.stateOf(row);
  const attempts = moment.attempts(row);
  return {
    sequence: moment.sequence,
    controller,
    key,
    state,
    ...(row.due === undefined || state !== 'delayed' ? {} : {due: row.due}),
    now: standingOf(about, row, state, attempts.at(-1)),
    attempts: attempts.map(attemptOf),
    waiting: row.waiting,
    rejected: row.rejected,
  };
}

export function whyReconcileAnswer(
  records: Records,
  question: ControllerQuestion<'why-reconcile'>,
): WhyReconcile {
  const {controller, key, attempt} = question;
  const moment = new ControllerRowsAt(records, question.at);
  const about = moment.controller(controller);
  const row = requestOf(moment, controller, key);
  const state = moment.stateOf(row);
  const last = row.attempts > 0 ? moment.attempt(controller, key, row.attempts) : undefined;
  const found = attempt === undefined ? last : moment.attempt(controller, key, attempt);
  if (found === undefined && attempt !== undefined) {
    const numbers = moment.attempts(row).map(one => one.attempt);
    throw new Unanswerable(
      attempt <= row.attempts && attempt > 0 ? 'rolled-off' : 'not-found',
      `attempt ${attempt} of ${key} is not kept`,
      numbers.length === 0 ? 'none is kept' : `kept are ${numbers[0]} to ${numbers.at(-1)}`,
    );
  }
  const now = standingOf(about, row, state, last);
  return {
    sequence: moment.sequence,
    controller,
    key,
    sentence: found === undefined ? now.sentence : attemptSentence(found),
    now,
    ...(found === undefined ? {} : {attempt: attemptOf(found)}),
    ...linkedSteps(moment, found, row),
  };
}

/** The causes and writes of an attempt, with links to attempts of other controllers. */
function linkedSteps(
  moment: ControllerRowsAt,
  found: StoredAttempt | undefined,
  row: StoredRequest,
): Pick<WhyReconcile, 'causes' | 'effects'> {
  const links = attemptLinksOf(moment.allAttempts(), found);
  return {
    causes: (found?.causes ?? row.waiting).map(cause => {
      const writtenBy = links.writerOf(cause);
      return writtenBy === undefined ? cause : {...cause, writtenBy};
    }),
    effects: (found?.writes ?? []).map(write => {
      const caused = links.causedBy(write);
      return caused.length === 0 ? write : {...write, caused};
    }),
  };
}

function requestOf(moment: ControllerRowsAt, controller: string, key: string): StoredRequest {
  const row = moment.request(controller, key);
  if (row !== undefined) return row;
  throw new Unanswerable(
    'unknown-key',
    `${controller} has no request "${key}"`,
    'nothing has requested it since krtscope connected; GET /api/v1/controllers/{name}/requests lists the known ones',
  );
}

function attemptOf({key: _, controller: __, request: ___, ...attempt}: StoredAttempt): Attempt {
  return attempt;
}

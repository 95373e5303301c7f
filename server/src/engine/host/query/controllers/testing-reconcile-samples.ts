// Sentences about reconciles with sample data, for docs/sentences.md.
import type {ReconcileCause} from '@krtscope/shared/controllers.ts';
import type {ControllerRow, StoredAttempt, StoredRequest} from '../../../link/controller-rows.ts';
import {attemptSentence, resultText, standingOf} from './reconcile-sentences.ts';

const at = Date.UTC(2026, 10, 17, 15, 4, 12);
const updated: ReconcileCause = {
  reason: 'event',
  at,
  event: 'update',
  kind: 'Secret',
  key: 'shop/tls',
  watch: 'Secret',
  handler: 'owner Certificate',
};
const causes: readonly ReconcileCause[] = [
  updated,
  {...updated, event: 'create', unchanged: true},
  {...updated, event: 'update', unchanged: true},
  {...updated, event: 'generic'},
  {reason: 'event', at},
  {reason: 'source', at},
  {reason: 'error', at},
  {reason: 'requeue', at},
  {reason: 'requeue-after', at},
];

const attempt = {
  key: '',
  controller: 'certificate',
  request: 'shop/web',
  attempt: 3,
  retry: 2,
  run: 'r',
  start: at,
  took: 12,
  result: 'done',
  causes: [updated],
  reads: [],
  writes: [],
  log: [],
} as unknown as StoredAttempt;

const request = {
  key: '',
  controller: 'certificate',
  request: 'shop/web',
  state: 'idle',
  since: at,
  due: at + 5000,
  folded: 0,
  attempts: 3,
  again: false,
  waiting: [updated],
  rejected: [],
} as unknown as StoredRequest;

const controller = {
  program: 'operator',
  away: false,
  about: {name: 'certificate', workers: 2, state: 'running'},
} as unknown as ControllerRow;
const withState = (state: string, leader?: object): ControllerRow => ({
  ...controller,
  about: {...controller.about, state, leader} as ControllerRow['about'],
});

const failed = {error: 'the order is not there yet', after: 80, retry: 4};

export const reconcileSamples: Record<string, readonly string[]> = {
  attemptSentence: [
    ...causes.map(cause => attemptSentence({...attempt, causes: [cause]})),
    attemptSentence({...attempt, causes: [{reason: 'error', at}, updated]}),
    attemptSentence({...attempt, causes: []}),
  ],
  resultText: [
    resultText({...attempt, result: undefined} as StoredAttempt),
    resultText(attempt),
    ...(['requeue', 'requeue-after', 'error', 'terminal', 'panic', 'timeout'] as const).map(result =>
      resultText({...attempt, ...failed, result}),
    ),
  ],
  standingOf: [
    standingOf({...controller, away: true} as ControllerRow, request, 'idle', undefined).sentence,
    standingOf(controller, {...request, again: true}, 'in-flight', attempt).sentence,
    standingOf(withState('paused'), request, 'ready', attempt).sentence,
    standingOf(withState('stopped'), request, 'ready', attempt).sentence,
    standingOf(
      withState('waiting', {leading: false, identity: 'pod-a', lease: 'default/operator'}),
      request,
      'ready',
      attempt,
    ).sentence,
    standingOf(withState('waiting'), request, 'ready', attempt).sentence,
    standingOf(controller, {...request, folded: 1}, 'delayed', attempt).sentence,
    standingOf(controller, {...request, folded: 2}, 'ready', attempt).sentence,
    standingOf(
      controller,
      {...request, rejected: [{...updated, at: at + 1, rejectedBy: 'generationChanged'}]} as StoredRequest,
      'idle',
      attempt,
    ).sentence,
    standingOf(controller, request, 'idle', attempt).sentence,
    standingOf(controller, request, 'idle', undefined).sentence,
  ],
};

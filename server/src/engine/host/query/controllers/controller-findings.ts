// Finds controllers that fail, loop, write with conflicts or hang, from the rows that programs report.
import type {CheckContext, CheckSteps, Finding} from '../../../../explain/checks/finding.ts';
import {MINUTE} from '../../../../explain/checks/finding.ts';
import {
  type CheckedController,
  controllerConflictsWords,
  controllerFailsWords,
  controllerHangsWords,
  controllerLoopsWords,
} from '../../../../explain/wording/controller-check-sentence.ts';
import type {ControllerRow, StoredRequest} from '../../../link/controller-rows.ts';
import {ControllerRowsAt} from './controller-rows-at.ts';
import {stepText} from './reconcile-sentences.ts';

const FAILURES_IN_A_ROW = 3;
const UNREQUESTED_RUNS = 60;
/** Single conflicts are normal, since a retry solves them. */
const MIN_CONFLICTS = 3;
const MAX_KEYS = 50;

/** The requests of one controller that show a problem, with how bad each one is. */
interface Suspects {
  readonly failing: [StoredRequest, number][];
  readonly looping: [StoredRequest, number][];
  readonly hanging: [StoredRequest, number][];
}

export function* controllerFindings({records, at, now}: CheckContext): CheckSteps<Finding[]> {
  const moment = new ControllerRowsAt(records, at);
  const controllers = moment.controllers();
  if (controllers.length === 0) return [];
  const suspects = new Map<string, Suspects>();
  for (const request of moment.requests()) {
    yield;
    const found = suspectsOf(suspects, request.controller);
    const failures = request.failures ?? 0;
    if (failures >= FAILURES_IN_A_ROW) found.failing.push([request, failures]);
    const runs = recentSum(request.unrequested ?? [], now, one => one.count);
    if (runs > UNREQUESTED_RUNS) found.looping.push([request, runs]);
    if (request.state === 'in-flight' && now - request.since > MINUTE)
      found.hanging.push([request, Math.floor((now - request.since) / 1000)]);
  }
  return controllers.flatMap(row => findingsOf(row, suspectsOf(suspects, row.key), moment, now));
}

function findingsOf(row: ControllerRow, found: Suspects, moment: ControllerRowsAt, now: number): Finding[] {
  const findings: Finding[] = [];
  const [failing] = worstFirst(found.failing);
  if (failing !== undefined)
    findings.push(
      finding('controller-failing', 'error', row, found.failing, words =>
        controllerFailsWords({...words, error: failing[0].last?.error}),
      ),
    );
  const [hanging] = worstFirst(found.hanging);
  if (hanging !== undefined && !row.away) {
    const [{controller, request, attempts}] = hanging;
    const attempt = moment.attempt(controller, request, attempts);
    const step = attempt === undefined ? {} : {step: stepText(attempt)};
    findings.push(
      finding('controller-hang', 'error', row, found.hanging, words =>
        controllerHangsWords({...words, ...step}),
      ),
    );
  }
  if (found.looping.length > 0)
    findings.push(finding('controller-loop', 'warning', row, found.looping, controllerLoopsWords));
  const writes = recentSum(row.results, now, one => one.writes ?? 0);
  const conflicts = recentSum(row.results, now, one => one.conflicts ?? 0);
  if (conflicts >= MIN_CONFLICTS && conflicts * 2 >= writes)
    findings.push({
      code: 'controller-conflict',
      severity: 'warning',
      collection: row.key,
      keys: [],
      ...controllerConflictsWords({controller: row.key, requests: []}),
      count: conflicts,
      reconcile: {controller: row.key},
      ...(row.away ? {unknown: true} : {}),
    });
  return findings;
}

function finding(
  code: string,
  severity: Finding['severity'],
  {key: controller, away}: ControllerRow,
  requests: [StoredRequest, number][],
  wordsOf: (words: CheckedController) => Pick<Finding, 'title' | 'message' | 'hint'>,
): Finding {
  const sorted = worstFirst(requests).slice(0, MAX_KEYS);
  const keys = sorted.map(([{request}]) => request);
  const [first] = sorted;
  return {
    code,
    severity,
    collection: controller,
    keys,
    ...wordsOf({controller, requests: keys}),
    count: first?.[1] ?? 0,
    ...(keys[0] === undefined ? {} : {reconcile: {controller, request: keys[0]}}),
    // The last report of a program that is away may no longer hold.
    ...(away ? {unknown: true} : {}),
  };
}

/** Ties are decided by name, so that the same state gives the same finding. */
function worstFirst(requests: [StoredRequest, number][]): [StoredRequest, number][] {
  return requests.toSorted(([a, worseA], [b, worseB]) => worseB - worseA || (a.request < b.request ? -1 : 1));
}

function recentSum<B extends {at: number}>(
  buckets: readonly B[],
  now: number,
  of: (one: B) => number,
): number {
  return buckets.reduce((sum, one) => (one.at >= now - MINUTE ? sum + of(one) : sum), 0);
}

function suspectsOf(all: Map<string, Suspects>, controller: string): Suspects {
  const existing = all.get(controller);
  if (existing !== undefined) return existing;
  const found: Suspects = {failing: [], looping: [], hanging: []};
  all.set(controller, found);
  return found;
}

// Runs all checks and ranks what they find. Expensive answers are cached.
import type {Check, Checks} from '@krtscope/shared/checks.ts';
import {AnswerCache} from '../answer-cache.ts';
import {freshnessOf, type ReadFreshness} from '../evidence/freshness.ts';
import type {Records} from '../records.ts';
import {clusterFindings} from './cluster-findings.ts';
import {failedFindings, violationFindings} from './engine-findings.ts';
import {
  type CheckContext,
  type CheckSteps,
  compareChecks,
  completeFinding,
  type Finding,
  type FindingSource,
  MINUTE,
  promisesOf,
} from './finding.ts';
import {flipFlopFindings} from './flip-flop-findings.ts';
import {syncFindings} from './sync-findings.ts';
import {workFindings} from './work-findings.ts';

export class Checker {
  readonly #records: Records;
  readonly #cache: AnswerCache<Checks>;
  readonly #otherFindings: FindingSource | undefined;

  /** `otherFindings` are about something else than collections, as about controllers. */
  constructor(records: Records, otherFindings?: FindingSource) {
    this.#records = records;
    this.#otherFindings = otherFindings;
    this.#cache = new AnswerCache(records);
  }

  /** Runs all steps without a pause. */
  answer(at?: number): Checks {
    const cached = at === undefined ? this.cached() : undefined;
    if (cached !== undefined) return cached;
    const began = performance.now();
    const steps = this.steps(at);
    for (;;) {
      const {done, value} = steps.next();
      if (!done) continue;
      if (at === undefined) this.store(value, performance.now() - began);
      return value;
    }
  }

  /** The last answer about now, while another would take more than its share of the time. */
  cached(): Checks | undefined {
    return this.#cache.cached('');
  }

  store(answer: Checks, took: number): void {
    this.#cache.store('', answer, took);
  }

  /** `now` replaces the clock of the batch: the incident tracker waits for time to pass. */
  steps(at = this.#records.newest(), now = this.#records.timeOf(at)): CheckSteps<Checks> {
    const wholeMinute = isMinuteRecorded(this.#records, now);
    return runChecks({records: this.#records, at, now, wholeMinute}, this.#otherFindings);
  }
}

/** Whether the recording still has the whole last minute. */
function isMinuteRecorded(records: Records, now: number): boolean {
  return records.isWhole() || records.kept().since <= now - MINUTE;
}

function* runChecks(context: CheckContext, otherFindings?: FindingSource): CheckSteps<Checks> {
  const {records, at} = context;
  const cluster = yield* clusterFindings(context);
  const work = workFindings(context);
  yield;
  const findings: Finding[] = [
    ...cluster,
    ...failedFindings(context),
    ...withoutRepeats(violationFindings(context), work),
    ...(yield* flipFlopFindings(context)),
    ...syncFindings(context),
    ...(otherFindings === undefined ? [] : yield* otherFindings(context)),
  ];
  const fresh = freshnessOf(records, at);
  const checks: Check[] = findings
    .map(finding => completeFinding(context, finding))
    .map(check => (isUnknown(check, fresh) ? {...check, unknown: true} : check))
    .sort(compareChecks);
  return {
    sequence: at,
    checks,
    promises: promisesOf(checks, context),
    derived: records.collections(at).filter(c => c.parents.length > 0 || c.kind === 'singleton').length,
  };
}

/** A finding about old rows may have ended. A finding that rows are old has not. */
function isUnknown({code, collection}: Check, fresh: ReadonlyMap<string, ReadFreshness>): boolean {
  return code !== 'stale' && code !== 'unauthorized' && fresh.get(collection)?.current === false;
}

/** The engine reports scans as well; the finding of ours says what they cost. */
function withoutRepeats(violations: Finding[], work: Finding[]): Finding[] {
  const reported = new Set(work.filter(f => f.code === 'full-scan').map(f => f.collection));
  return [...violations.filter(v => v.code !== 'full-scan' || !reported.has(v.collection)), ...work];
}

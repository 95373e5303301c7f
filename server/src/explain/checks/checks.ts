// All checks, ranked, with the promises table. Costly ones are not repeated more often than they take time.
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
  MINUTE,
  promisesOf,
} from './finding.ts';
import {flipFlopFindings} from './flip-flop-findings.ts';
import {syncFindings} from './sync-findings.ts';
import {workFindings} from './work-findings.ts';

export class Checker {
  readonly #records: Records;
  readonly #thrift: AnswerCache<Checks>;

  constructor(records: Records) {
    this.#records = records;
    this.#thrift = new AnswerCache(records);
  }

  /** Without a pause. */
  answer(at?: number): Checks {
    const held = at === undefined ? this.cached() : undefined;
    if (held !== undefined) return held;
    const began = performance.now();
    const steps = this.steps(at);
    for (;;) {
      const {done, value} = steps.next();
      if (!done) continue;
      if (at === undefined) this.store(value, performance.now() - began);
      return value;
    }
  }

  /** The last answer about now, while it is not worth the time to make another. */
  cached(): Checks | undefined {
    return this.#thrift.cached('');
  }

  store(answer: Checks, took: number): void {
    this.#thrift.store('', answer, took);
  }

  /** `now`: another clock than that of the batch, for who writes down what has come of patience. */
  steps(at = this.#records.newest(), now = this.#records.timeOf(at)): CheckSteps<Checks> {
    return runChecks({records: this.#records, at, now, wholeMinute: isMinuteRecorded(this.#records, now)});
  }
}

/** Nothing of the minute before has been let go: the recording began in it, or before. */
function isMinuteRecorded(records: Records, now: number): boolean {
  return records.isWhole() || records.kept().since <= now - MINUTE;
}

function* runChecks(scene: CheckContext): CheckSteps<Checks> {
  const {records, at} = scene;
  const cluster = yield* clusterFindings(scene);
  const work = workFindings(scene);
  yield;
  const findings: Finding[] = [
    ...cluster,
    ...failedFindings(scene),
    ...withoutRepeats(violationFindings(scene), work),
    ...(yield* flipFlopFindings(scene)),
    ...syncFindings(scene),
  ];
  const fresh = freshnessOf(records, at);
  const checks: Check[] = findings
    .map(finding => completeFinding(scene, finding))
    .map(check => (isUnknown(check, fresh) ? {...check, unknown: true} : check))
    .sort(compareChecks);
  return {
    sequence: at,
    checks,
    promises: promisesOf(checks, scene),
    derived: records.collections(at).filter(c => c.parents.length > 0 || c.kind === 'singleton').length,
  };
}

/** What is told of old rows may be over; that they are old is not. */
function isUnknown({code, collection}: Check, fresh: ReadonlyMap<string, ReadFreshness>): boolean {
  return code !== 'stale' && code !== 'unauthorized' && fresh.get(collection)?.current === false;
}

/** The engine reports scans as well; ours knows what they cost. */
function withoutRepeats(violations: Finding[], work: Finding[]): Finding[] {
  const told = new Set(work.filter(f => f.code === 'full-scan').map(f => f.collection));
  return [...violations.filter(v => v.code !== 'full-scan' || !told.has(v.collection)), ...work];
}

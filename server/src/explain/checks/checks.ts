// All checks, ranked, with the promises table. Costly ones are not repeated more often than they take time.
import type {Check, Checks} from '@krtscope/shared/checks.ts';
import {type Fresh, freshnessOf} from '../freshness.ts';
import type {Records} from '../records.ts';
import {Thrift} from '../thrift.ts';
import {clusterFindings} from './cluster.ts';
import {failedFindings, violationFindings} from './engine.ts';
import {completed, type Finding, MINUTE, promisesOf, rank, type Scene, type Steps} from './finding.ts';
import {flipFlops} from './flip-flop.ts';
import {syncFindings} from './sync.ts';
import {workFindings} from './work.ts';

export class Checker {
  readonly #records: Records;
  readonly #thrift: Thrift<Checks>;

  constructor(records: Records) {
    this.#records = records;
    this.#thrift = new Thrift(records);
  }

  /** Without a pause. */
  answer(at?: number): Checks {
    const held = at === undefined ? this.held() : undefined;
    if (held !== undefined) return held;
    const began = performance.now();
    const steps = this.steps(at);
    for (;;) {
      const {done, value} = steps.next();
      if (!done) continue;
      if (at === undefined) this.keep(value, performance.now() - began);
      return value;
    }
  }

  /** The last answer about now, while it is not worth the time to make another. */
  held(): Checks | undefined {
    return this.#thrift.held('');
  }

  keep(answer: Checks, took: number): void {
    this.#thrift.keep('', answer, took);
  }

  /** `now`: another clock than that of the batch, for who writes down what has come of patience. */
  steps(at = this.#records.newest(), now = this.#records.timeOf(at)): Steps<Checks> {
    return look({records: this.#records, at, now, wholeMinute: isWhole(this.#records, now)});
  }
}

/** Nothing of the minute before has been let go: the recording began in it, or before. */
function isWhole(records: Records, now: number): boolean {
  return records.isWhole() || records.kept().since <= now - MINUTE;
}

function* look(scene: Scene): Steps<Checks> {
  const {records, at} = scene;
  const cluster = yield* clusterFindings(scene);
  const work = workFindings(scene);
  yield;
  const findings: Finding[] = [
    ...cluster,
    ...failedFindings(scene),
    ...withoutRepeats(violationFindings(scene), work),
    ...(yield* flipFlops(scene)),
    ...syncFindings(scene),
  ];
  const fresh = freshnessOf(records, at);
  const checks: Check[] = findings
    .map(finding => completed(scene, finding))
    .map(check => (isUnknown(check, fresh) ? {...check, unknown: true} : check))
    .sort(rank);
  return {
    sequence: at,
    checks,
    promises: promisesOf(checks, scene),
    derived: records.collections(at).filter(c => c.parents.length > 0 || c.kind === 'singleton').length,
  };
}

/** What is told of old rows may be over; that they are old is not. */
function isUnknown({code, collection}: Check, fresh: ReadonlyMap<string, Fresh>): boolean {
  return code !== 'stale' && code !== 'unauthorized' && fresh.get(collection)?.current === false;
}

/** The engine reports scans as well; ours knows what they cost. */
function withoutRepeats(violations: Finding[], work: Finding[]): Finding[] {
  const told = new Set(work.filter(f => f.code === 'full-scan').map(f => f.collection));
  return [...violations.filter(v => v.code !== 'full-scan' || !told.has(v.collection)), ...work];
}

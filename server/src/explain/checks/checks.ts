// All checks, ranked, with the promises table. Costly ones are not repeated more often than they take time.
import type {Check, Checks} from '@krtscope/shared/checks.ts';
import {freshnessOf} from '../freshness.ts';
import type {Records} from '../records.ts';
import {Thrift} from '../thrift.ts';
import {clusterFindings} from './cluster.ts';
import {failedFindings, violationFindings} from './engine.ts';
import {completed, type Finding, promisesOf, rank, type Scene, type Steps} from './finding.ts';
import {Watcher} from './flip-flop.ts';
import {syncFindings} from './sync.ts';
import {workFindings} from './work.ts';

export class Checker {
  readonly #records: Records;
  readonly #watcher = new Watcher();
  readonly #thrift: Thrift<Checks>;
  #reading = false;

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

  steps(at?: number): Steps<Checks> {
    const records = this.#records;
    return this.#look({records, at, now: at === undefined ? records.now() : records.timeOf(at)});
  }

  *#look(scene: Scene): Steps<Checks> {
    const {records, at} = scene;
    // Two at once would read the same batches twice.
    if (at === undefined && !this.#reading) {
      this.#reading = true;
      try {
        yield* this.#watcher.catchUp(records);
      } finally {
        this.#reading = false;
      }
    }
    const cluster = yield* clusterFindings(scene);
    const work = workFindings(scene);
    yield;
    const findings: Finding[] = [
      ...cluster,
      ...failedFindings(scene),
      ...withoutRepeats(violationFindings(scene), work),
      ...this.#watcher.flipFlops(scene),
      ...syncFindings(scene, this.#watcher),
    ];
    const fresh = at === undefined ? freshnessOf(records) : undefined;
    const checks: Check[] = findings
      .map(finding => completed(scene, finding))
      .map(check => (fresh?.get(check.collection)?.current === false ? {...check, unknown: true} : check))
      .sort(rank);
    return {
      sequence: at ?? records.newest(),
      checks,
      promises: promisesOf(checks),
      derived: records.collections(at).filter(c => c.parents.length > 0 || c.kind === 'singleton').length,
    };
  }
}

/** The engine reports scans as well; ours knows what they cost. */
function withoutRepeats(violations: Finding[], work: Finding[]): Finding[] {
  const told = new Set(work.filter(f => f.code === 'full-scan').map(f => f.collection));
  return [...violations.filter(v => v.code !== 'full-scan' || !told.has(v.collection)), ...work];
}

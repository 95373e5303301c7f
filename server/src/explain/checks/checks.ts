// All checks, ranked, with the promises table. Costly ones are not repeated more often than they take time.
import type {Check, Checks} from '@krtscope/shared/checks.ts';
import type {Records} from '../records.ts';
import {Thrift} from '../thrift.ts';
import {clusterFindings} from './cluster.ts';
import {failedFindings, violationFindings} from './engine.ts';
import {completed, type Finding, promisesOf, rank, type Scene} from './finding.ts';
import {Watcher} from './flip-flop.ts';
import {syncFindings} from './sync.ts';
import {workFindings} from './work.ts';

export class Checker {
  readonly #records: Records;
  readonly #watcher = new Watcher();
  readonly #thrift: Thrift<Checks>;

  constructor(records: Records) {
    this.#records = records;
    this.#thrift = new Thrift(records);
  }

  answer(at?: number): Checks {
    const records = this.#records;
    if (at !== undefined) return this.#look({records, at, now: records.timeOf(at)});
    return this.#thrift.answer('', () => this.#look({records, at, now: records.now()}));
  }

  #look(scene: Scene): Checks {
    const {records, at} = scene;
    if (at === undefined) this.#watcher.catchUp(records);
    const findings: Finding[] = [
      ...clusterFindings(scene),
      ...failedFindings(scene),
      ...withoutRepeats(violationFindings(scene), workFindings(scene)),
      ...this.#watcher.flipFlops(scene),
      ...syncFindings(scene, this.#watcher),
    ];
    const checks: Check[] = findings.map(finding => completed(scene, finding)).sort(rank);
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

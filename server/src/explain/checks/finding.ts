// A finding, the order of findings, and the promises of krt that findings break.
import type {Check, PurityPromise} from '@krtscope/shared/checks.ts';
import type {Severity} from '@krtscope/shared/vocabulary.ts';
import type {Records} from '../records.ts';

export type Finding = Omit<Check, 'sequence' | 'at' | 'count'> & {
  readonly sequence?: number;
  readonly at?: number;
  readonly count?: number;
};

/** The state after a batch, at the clock of that batch. */
export interface CheckContext {
  readonly records: Records;
  readonly at: number;
  readonly now: number;
  /** Whether the recording still has all of the last minute, which rates are computed from. */
  readonly wholeMinute: boolean;
}

export const MINUTE = 60_000;

/** Work that may pause wherever it yields. */
export type CheckSteps<T> = Generator<undefined, T>;

/** Finds problems of one kind. */
export type FindingSource = (context: CheckContext) => CheckSteps<Finding[]>;

/** Codes of one severity in order of importance. docs/checks.md explains each. */
const order = [
  'unreachable',
  'unauthorized',
  'stale',
  'no-document',
  'informer-lag',
  'set-aside',
  'controller-failing',
  'controller-hang',
  'crash-loop',
  'forbidden',
  'failed',
  'cycle',
  'duplicate-across-inputs',
  'duplicate-in-result',
  'non-deterministic',
  'mutated-input',
  'mutated-fetch',
  'untracked-read',
  'map-key',
  'handler-failed',
  'listener-failed',
  'index-failed',
  'attribute-failed',
  'map-failed',
  'foreign-member',
  'selects-nothing',
  'unselected-pod',
  'endpoints-disagree',
  'controller-loop',
  'controller-conflict',
  'flip-flop',
  'never-equal',
  'join-overlap',
  'orphan',
  'not-synced',
  'full-scan',
  'watch-gap',
  'engine-gap',
  'program-gap',
  'hot',
  'hot-item',
  'wasted-runs',
  'equal-runs',
  'repeated-runs',
  'unindexed-fetch',
  'comes-and-goes',
  'without-output',
  'largest',
  'busiest',
  'absent-names',
  'fan-out',
  'discards',
  'not-installed',
  'left-out',
  'unused',
];

const severities: Record<Severity, number> = {error: 0, warning: 1, info: 2};

export function compareChecks(a: Check, b: Check): number {
  return (
    severities[a.severity] - severities[b.severity] ||
    order.indexOf(a.code) - order.indexOf(b.code) ||
    b.count - a.count ||
    b.at - a.at ||
    (a.title < b.title ? -1 : a.title > b.title ? 1 : a.message < b.message ? -1 : 1)
  );
}

/** The promises of krt and the codes that break them, as the Overview's table shows them. */
const promises: readonly {name: string; codes: string[]}[] = [
  {name: 'Pure', codes: ['untracked-read', 'handler-failed', 'cycle']},
  {name: 'Deterministic', codes: ['non-deterministic']},
  {name: 'Unique keys', codes: ['duplicate-in-result', 'duplicate-across-inputs', 'map-key', 'join-overlap']},
  {name: 'Sound equality', codes: ['never-equal']},
  {name: 'Indexed fetches', codes: ['full-scan']},
  {name: 'No orphans', codes: ['orphan']},
  {name: 'No discards', codes: ['discards']},
  {name: 'Bounded fan-out', codes: ['fan-out']},
  {name: 'No flip-flop', codes: ['flip-flop']},
  {name: 'No mutation', codes: ['mutated-input', 'mutated-fetch']},
];

/** Codes that are computed from the events of the last minute, not from the state. */
const rates: ReadonlySet<string> = new Set(['flip-flop', 'wasted-runs', 'hot', 'hot-item', 'fan-out']);

export function promisesOf(checks: readonly Check[], {wholeMinute}: CheckContext): PurityPromise[] {
  return promises.map(({name, codes}) => {
    const broken = checks.filter(c => codes.includes(c.code));
    const worst = broken.map(c => c.severity).sort((a, b) => severities[a] - severities[b])[0];
    const unknown = !wholeMinute && codes.some(code => rates.has(code));
    return {
      name,
      codes,
      failing: new Set(broken.map(c => c.collection)).size,
      severity: worst ?? 'info',
      ...(unknown ? {unknown} : {}),
    };
  });
}

export function completeFinding(context: CheckContext, finding: Finding): Check {
  const sequence = finding.sequence ?? context.at;
  return {
    ...finding,
    ...(rates.has(finding.code) && !context.wholeMinute ? {unknown: true} : {}),
    count: finding.count ?? Math.max(1, finding.keys.length),
    sequence,
    at: Math.round(finding.at ?? context.records.timeOf(sequence)),
  };
}

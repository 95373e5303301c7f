// One finding before it is ranked, and what all checks share: titles, ranks, the promises they speak for.
import type {Check, PurityPromise} from '@krtscope/shared/checks.ts';
import type {Severity} from '@krtscope/shared/vocabulary.ts';
import type {Records} from '../records.ts';

export type Finding = Omit<Check, 'sequence' | 'at' | 'count'> & {
  readonly sequence?: number;
  readonly at?: number;
  readonly count?: number;
};

/** What a check looks at: the state after a batch, by that batch's clock, the newest too. */
export interface CheckContext {
  readonly records: Records;
  readonly at: number;
  readonly now: number;
  /** Rates are of the minute before; not all of it may be kept. */
  readonly wholeMinute: boolean;
}

export const MINUTE = 60_000;

/** Work that may be interrupted wherever it yields. */
export type CheckSteps<T> = Generator<undefined, T>;

/** Codes in the order a person wants to hear of them, among those of one severity. docs/checks.md tells each. */
const order = [
  'unreachable',
  'unauthorized',
  'stale',
  'set-aside',
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
  'fan-out',
  'discards',
  'not-installed',
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

/** Codes that are told from what happened in a minute, and not from what is there. */
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

export function completeFinding(scene: CheckContext, finding: Finding): Check {
  const sequence = finding.sequence ?? scene.at;
  return {
    ...finding,
    ...(rates.has(finding.code) && !scene.wholeMinute ? {unknown: true} : {}),
    count: finding.count ?? Math.max(1, finding.keys.length),
    sequence,
    at: Math.round(finding.at ?? scene.records.timeOf(sequence)),
  };
}

// The findings of checks that look at the state alone. Findings about rates and time say nothing about a trial.
import type {Check} from '@krtscope/shared/checks.ts';
import {clusterFindings} from '../../../explain/checks/cluster-findings.ts';
import {failedFindings} from '../../../explain/checks/engine-findings.ts';
import {type CheckContext, completeFinding} from '../../../explain/checks/finding.ts';
import type {Records} from '../../../explain/records.ts';
import {runToEnd} from '../../../history/incremental-work.ts';

/** Some checks wait until a difference has lasted. A trial has no time to wait, so it looks from an hour later. */
const LATER_MS = 3_600_000;

export function stateFindings(records: Records): Check[] {
  const at = records.newest();
  const context: CheckContext = {records, at, now: records.now() + LATER_MS, wholeMinute: false};
  return [...runToEnd(clusterFindings(context)), ...failedFindings(context)].map(finding =>
    completeFinding(context, finding),
  );
}

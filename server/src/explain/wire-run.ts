import type {RunRecord} from '@krtscope/shared/run.ts';
import type {RecordedRun} from './records.ts';

/** A run as it crosses the wire: without clauses and places, which only explain/ needs. */
export function toWireRun(run: RecordedRun): RunRecord {
  return {
    ...run,
    fetches: run.fetches.map(({clauses: _clauses, ...fetch}) => fetch),
    causes: run.causes.map(({published: _published, ...cause}) => cause),
  };
}

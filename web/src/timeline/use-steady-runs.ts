// Keeps the run log still while the pointer is over it: a row must not move away under a click.
import type {RunRecord} from '@krtscope/shared/run.ts';
import {useState} from 'react';

interface RunSnapshot {
  /** The filters of these runs. Other filters end the hold. */
  filters: string;
  runs: readonly RunRecord[];
}

export interface SteadyRuns {
  runs: readonly RunRecord[] | undefined;
  /** Runs that came since the log stands still. */
  newer: number;
  hold(): void;
  release(): void;
  /** Shows the newer runs and stands still again. */
  showNewer(): void;
}

export function useSteadyRuns(runs: readonly RunRecord[] | undefined, filters: string): SteadyRuns {
  const [snapshot, setSnapshot] = useState<RunSnapshot | null>(null);
  const current = snapshot?.filters === filters ? snapshot : null;
  const catchUp = () => setSnapshot(runs === undefined ? null : {filters, runs});
  return {
    runs: current?.runs ?? runs,
    newer: current === null ? 0 : countNewer(runs ?? [], current.runs),
    hold: () => {
      if (current === null) catchUp();
    },
    release: () => setSnapshot(null),
    showNewer: catchUp,
  };
}

/** How many runs are newer than the newest of the snapshot. Both lists are oldest first. */
export function countNewer(runs: readonly RunRecord[], snapshot: readonly RunRecord[]): number {
  const newest = snapshot.at(-1)?.id;
  if (newest === undefined) return runs.length;
  return runs.length - 1 - runs.findLastIndex(run => run.id === newest);
}

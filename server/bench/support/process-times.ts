// The CPU time and memory of main and of the engine process at work.
import {readFileSync} from 'node:fs';
import {cpuTimeOf} from '../../src/engine/supervisor/cpu-time.ts';
import {processesOf} from '../../src/start/testing-instance.ts';

export interface ProcessFigures {
  readonly main: number;
  readonly engine: number;
}

const enginesOf = (main: number) => processesOf(main, 'engine/host/main');

/** Milliseconds that they have worked. The standby process has worked less than the engine at work. */
export function workedTimes(main: number): ProcessFigures {
  return {
    main: cpuTimeOf(main) ?? 0,
    engine: Math.max(0, ...enginesOf(main).map(pid => cpuTimeOf(pid) ?? 0)),
  };
}

/** Resident megabytes, now or at most so far. The engine process at work is larger than its standby. */
export function residentMegabytes(main: number, when: 'now' | 'at most' = 'now'): ProcessFigures {
  const field = when === 'now' ? 'VmRSS' : 'VmHWM';
  return {
    main: statusOf(main, field),
    engine: Math.max(0, ...enginesOf(main).map(pid => statusOf(pid, field))),
  };
}

function statusOf(pid: number, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  } catch {
    // It ended while we read.
    return 0;
  }
}

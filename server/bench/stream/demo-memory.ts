// Memory of every process of a real demo at pace 5, cluster and engine process included.
import {readFileSync} from 'node:fs';
import {descendants, TestInstance} from '../../src/start/testing-instance.ts';

const roles = ['main', 'engine', 'cluster', 'other'] as const;
type ProcessRole = (typeof roles)[number];
export type MemorySample = Partial<Record<ProcessRole, number>>;

/** Growth that counts as level: garbage collection alone moves memory by this much. */
const LEVEL = 1.25;

export class DemoMemory {
  readonly #instance: TestInstance;
  readonly #samples: MemorySample[] = [];

  constructor(pace: number) {
    const flags = ['--demo', '--demo-pace', String(pace), '--port', '0', '--no-open'];
    this.#instance = new TestInstance(flags);
  }

  async ready(): Promise<void> {
    await this.#instance.ready();
  }

  /** Resident bytes by role. The standby of the engine counts as other. */
  sample(): MemorySample {
    const main = this.#instance.child.pid as number;
    const sample: MemorySample = {main: residentBytes(main)};
    for (const pid of descendants(main)) {
      const role = roleOf(pid);
      const bytes = residentBytes(pid);
      // The engine process at work is larger than its standby.
      sample[role] = role === 'engine' ? Math.max(sample.engine ?? 0, bytes) : (sample[role] ?? 0) + bytes;
    }
    this.#samples.push(sample);
    return sample;
  }

  /** The largest value in the last quarter against the largest in the second quarter, by role. */
  growth(): {role: string; ratio: number; isLevel: boolean}[] {
    const quarter = Math.max(1, Math.floor(this.#samples.length / 4));
    const most = (samples: MemorySample[], role: ProcessRole) =>
      Math.max(...samples.map(sample => sample[role] ?? 0));
    return (['main', 'engine', 'cluster'] as const).map(role => {
      // In the first quarter recordings, caches and logs fill up to their limits.
      const ratio =
        most(this.#samples.slice(-quarter), role) / most(this.#samples.slice(quarter, 2 * quarter), role);
      return {role, ratio, isLevel: ratio <= LEVEL};
    });
  }

  async stop(): Promise<void> {
    await this.#instance.stop();
  }
}

function roleOf(pid: number): ProcessRole {
  const command = readProc(pid, 'cmdline').replaceAll('\0', ' ');
  if (command.includes('cluster/main')) return 'cluster';
  return command.includes('engine/host/main') ? 'engine' : 'other';
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1] ?? 0) * 1024;
}

/** Empty for a process that just ended. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

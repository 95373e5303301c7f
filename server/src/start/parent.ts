// Notices when npm, or the old Node that started us, is gone: the signal it got never reached this process.
import {readFileSync} from 'node:fs';

const LOOK_MS = 250;

/** Whoever starts krtscope in the background on purpose is not npm, and may leave. */
export function startedByWrapper(env: Record<string, string | undefined>): boolean {
  return (
    env.KRTSCOPE_PARENT !== undefined ||
    env.npm_lifecycle_event !== undefined ||
    env.npm_command !== undefined
  );
}

/** Calls f once when the parent, or its parent, is another than at the start. */
export function watchParent(f: () => void): () => void {
  const parent = process.ppid;
  const grandparent = parentOf(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && parentOf(parent) === grandparent) return;
    clearInterval(timer);
    f();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

// npm's shell survives npm when npm alone is killed; only Linux tells a process's parent without a program.
function parentOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

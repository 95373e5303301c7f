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

/** Calls f once when the parent, or its parent, is another than at the start, or was gone before we looked. */
export function watchParent(f: () => void, env: Record<string, string | undefined>): () => void {
  const parent = process.ppid;
  // Above npm is the terminal's shell, which may go while npm stays.
  const above = () => (commandOf(parent).includes('npm') ? undefined : parentOf(parent));
  const grandparent = above();
  if (isOrphaned(parent, env)) {
    f();
    return () => {};
  }
  const timer = setInterval(() => {
    if (process.ppid === parent && above() === grandparent) return;
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

function isOrphaned(parent: number, env: Record<string, string | undefined>): boolean {
  if (env.KRTSCOPE_PARENT !== undefined) return Number(env.KRTSCOPE_PARENT) !== parent;
  if (parent !== 1 || process.platform !== 'linux') return false;
  // In a container npm itself may be process 1.
  return !commandOf(parent).includes('npm');
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

// Notices the end of npm, or of the old Node that started this process. Their signals do not reach this process.
import {readFileSync} from 'node:fs';
import {isOutOfDescriptors} from '../fault.ts';

const LOOK_MS = 250;

/** A shell that starts krtscope in the background is not a wrapper and may end. */
export function startedByWrapper(env: Record<string, string | undefined>): boolean {
  return (
    env.KRTSCOPE_PARENT !== undefined ||
    env.npm_lifecycle_event !== undefined ||
    env.npm_command !== undefined
  );
}

/**
 * Calls f once when the parent ends, or was gone before this call. Under npm the same holds for the parent's parent.
 */
export function watchParent(f: () => void, env: Record<string, string | undefined>): () => void {
  const parent = process.ppid;
  // The terminal's shell is above npm or the old Node, and may end while they stay, as under nohup.
  const underNpm = env.npm_lifecycle_event !== undefined || env.npm_command !== undefined;
  const above = () => (underNpm && !commandOf(parent).includes('npm') ? parentOf(parent) : undefined);
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

// npm's shell survives when only npm is killed. Only Linux shows a process's parent in a file.
function parentOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch (error) {
    // Without descriptors nothing is known about the parent, and "gone" would end the process without a word.
    if (isOutOfDescriptors(error)) throw error;
    return undefined;
  }
}

function isOrphaned(parent: number, env: Record<string, string | undefined>): boolean {
  if (env.KRTSCOPE_PARENT !== undefined) return Number(env.KRTSCOPE_PARENT) !== parent;
  if (parent !== 1 || process.platform !== 'linux') return false;
  // npm itself may be process 1 in a container.
  return !commandOf(parent).includes('npm');
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    if (isOutOfDescriptors(error)) throw error;
    return '';
  }
}

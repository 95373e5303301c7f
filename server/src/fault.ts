// Ends krtscope after an error that it cannot handle: one message on stderr, and an exit code that is not 0.
import {readFileSync} from 'node:fs';
import {faultText, toOneLine} from './terminal.ts';

/** True for EMFILE and ENFILE, also as the cause of another error. */
export function isOutOfDescriptors(error: unknown): boolean {
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 5; depth++) {
    const {code, cause: next} = cause as {code?: unknown; cause?: unknown};
    if (code === 'EMFILE' || code === 'ENFILE') return true;
    cause = next;
  }
  return false;
}

/** Prints the error and exits: 2 for a mistake of the caller, else 1. */
export function exitWithFault(error: unknown): never {
  const {name, message} = (error ?? {}) as Error;
  const isMistake = name === 'UsageError' || name === 'KubeconfigError';
  process.stderr.write(
    `krtscope: ${textOf(error, isMistake || name === 'PortError' || name === 'InstanceError', message)}\n`,
  );
  process.exit(isMistake ? 2 : 1);
}

function textOf(error: unknown, isExpected: boolean, message: string): string {
  if (isOutOfDescriptors(error)) return outOfDescriptorsText();
  return isExpected ? toOneLine(message) : faultText(error);
}

/** One sentence with the limit and the remedy. */
function outOfDescriptorsText(): string {
  const limit = readLimit();
  const text = limit === undefined ? '' : ` (the limit is ${limit})`;
  return `out of file descriptors${text}; raise the limit with "ulimit -n 65536" and start it again`;
}

// Read at the start, because reading a file takes a descriptor.
const limits = readLimits();

function readLimit(): string | undefined {
  return /^Max open files\s+(\d+)/m.exec(limits)?.[1];
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Only Linux has the file.
    return '';
  }
}

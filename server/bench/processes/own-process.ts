// Times that depend on what ran before in a process: each is taken in a process of its own, and of several the best counts.
import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';

/** The milliseconds that `file` prints, by argument: the arguments in turn, so that a busy moment is everybody's. */
export function bestOf(
  rounds: number,
  file: string,
  args: readonly string[],
  flags: string[] = [],
): number[] {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const best = args.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    args.forEach((arg, i) => {
      const said = execFileSync(process.execPath, ['--no-warnings', ...flags, path, arg], {encoding: 'utf8'});
      best[i] = Math.min(best[i] as number, Number(said));
    });
  }
  return best;
}

// Measures times that depend on what ran before in a process. Each runs in its own process, and the best of several counts.
import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';

/**
 * The milliseconds that `file` prints, by argument. `file` is relative to server/bench. The arguments take turns, so that
 * a busy moment affects all of them.
 */
export function bestOf(
  rounds: number,
  file: string,
  args: readonly string[],
  flags: string[] = [],
): number[] {
  const path = fileURLToPath(new URL(file, new URL('../', import.meta.url)));
  const best = args.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    args.forEach((arg, i) => {
      const said = execFileSync(process.execPath, ['--no-warnings', ...flags, path, arg], {encoding: 'utf8'});
      best[i] = Math.min(best[i] as number, Number(said));
    });
  }
  return best;
}
